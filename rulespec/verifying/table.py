"""The table of verdicts: a line for each claim, or for several that belong together, a column for each number
of players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rulespec.proofs.verdicts import WORST_FIRST, Verdict
from rulespec.verifying.colors import STYLES
from rulespec.verifying.run import Outcome
from rulespec.verifying.wording import GROUPS, SUMMARIES, capital, line, words

GOOD = ("proved", "exhaustive", "vacuous")
MEANINGS = {
    "proved": "holds in every game, however long; what can happen, was found",
    "exhaustive": "holds in every position: each one was visited",
    "vacuous": "holds, but only because no game ever comes to its place",
    "bounded": "holds in every game of up to some number of steps",
    "sampled": "random games were played, and none spoke against it",
    "unknown": "neither proved nor refuted",
    "refuted": "a game breaks it; what is said to happen, cannot",
}


@dataclass(frozen=True)
class Row:
    """One line: the verdicts of each column."""

    label: str
    cells: Mapping[int, Sequence[Verdict]]


@dataclass
class Group:
    """Lines under one heading."""

    title: str
    rows: list[Row] = field(default_factory=list)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The one that stands for all: what holds for want of a place speaks for none of the others."""
    found = list(verdicts)
    telling = [each for each in found if each.verdict != "vacuous"]
    return min(telling or found, key=lambda each: (WORST_FIRST.index(each.verdict), each.count))


def groups(outcome: Outcome, *, unfolded: bool) -> list[Group]:
    """All claims of full configurations, in the order of the table; `unfolded`: a line for each.

    Those that belong together share a line as far as they stand alike.
    """
    by_claim: dict[str, list[Verdict]] = {}
    for verdict in outcome.all_verdicts:
        if not verdict.scope:
            by_claim.setdefault(verdict.property, []).append(verdict)
    lines: dict[tuple[object, ...], list[Verdict]] = {}
    for name in sorted(by_claim, key=lambda name: name not in SUMMARIES):
        told = words(by_claim[name][0])
        alike = (told.fold, _standing(by_claim[name])) if told.fold and not unfolded else (name,)
        lines.setdefault((told.group, *alike), []).extend(by_claim[name])
    made = {name: Group(title) for name, title in GROUPS.items()}
    for (group, *_), members in lines.items():
        made[str(group)].rows.append(_row(_label(members, unfolded), members))
    for each in made.values():
        each.rows = _told_apart(each.rows)
    return [group for group in made.values() if group.rows]


def _standing(verdicts: Sequence[Verdict]) -> tuple[tuple[int, str], ...]:
    """What keeps claims from sharing a line: where they are not proved, and each that is refuted."""
    bad = {(each.players, each.verdict) for each in verdicts if each.verdict not in GOOD}
    refuted = {(0, each.property) for each in verdicts if each.verdict == "refuted"}
    return tuple(sorted(bad | refuted))


def _label(members: Sequence[Verdict], unfolded: bool) -> str:
    told = words(members[0])
    alone = len({each.property for each in members}) == 1
    settled = all(each.verdict in GOOD for each in members)
    own = unfolded or not told.fold or (alone and not settled)
    return told.label if own else line(members)


def _row(label: str, members: Sequence[Verdict]) -> Row:
    cells: dict[int, list[Verdict]] = {}
    for verdict in members:
        cells.setdefault(verdict.players, []).append(verdict)
    return Row(capital(label), cells)


def _told_apart(rows: Sequence[Row]) -> list[Row]:
    """The rows with their claims' names where several are called the same."""
    number = Counter(row.label for row in rows)
    return [replace(row, label=_exact(row)) if number[row.label] > 1 else row for row in rows]


def _exact(row: Row) -> str:
    verdicts = [verdict for cell in row.cells.values() for verdict in cell]
    one = len({each.property for each in verdicts}) == 1
    return capital(words(verdicts[0]).exact) if one else row.label


def scopes(outcome: Outcome, titles: Mapping[str, str]) -> Group:
    """A line for each small configuration, with the verdict that its claims have in common."""
    group = Group("Small games, in every position")
    for number, verdicts in sorted(outcome.verdicts.items()):
        part = outcome.parts[number]
        if part.scope and (stands := whole(verdicts)):
            label = ": ".join(filter(None, (part.scope, titles.get(part.scope))))
            group.rows.append(Row(capital(label), {part.players: [stands]}))
    return group


def whole(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The one verdict of a small configuration, if anything is said of it.

    Of what its visit could not decide, the rest says how far it came.
    """
    refuted = [each for each in verdicts if each.verdict == "refuted"]
    bounded = [each for each in verdicts if each.verdict == "bounded"]
    found = refuted or bounded or list(verdicts)
    return worst(found) if found else None


def legend(shown: Sequence[Group]) -> list[tuple[str, str]]:
    """The verdicts in the table, best first, and what they mean."""
    there = {worst(cell).verdict for group in shown for row in group.rows for cell in row.cells.values()}
    return [(name, meaning) for name, meaning in MEANINGS.items() if name in there]


def table(shown: Sequence[Group], players: Sequence[int], *, how: bool = False) -> Table:
    """The groups as a table with a column for each number of players; `how` adds method and time."""
    made = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="dim")
    made.add_column("What is true with how many players", ratio=1)
    for number in players:
        made.add_column(str(number), no_wrap=True)
    if how:
        made.add_column("how")
        made.add_column("seconds", justify="right")
    for place, group in enumerate(shown):
        if place:
            made.add_row()
        made.add_row(_bold(group.title))
        for row in group.rows:
            cells = [_cell(row.cells.get(number, ())) for number in players]
            made.add_row(_indented(row.label), *cells, *(_how(row) if how else ()))
    return made


def _bold(text: str) -> Text:
    return Text(text, style="bold")


def _indented(text: str) -> RenderableType:
    return Padding(Text(text), (0, 0, 0, 2))


def _cell(verdicts: Sequence[Verdict]) -> Text:
    if not verdicts:
        return Text("–", style="dim")
    one = worst(verdicts)
    return Text(one.verdict, style=STYLES[one.verdict])


def _how(row: Row) -> tuple[str, str]:
    verdicts = [verdict for cell in row.cells.values() for verdict in cell]
    methods = dict.fromkeys(each.method for each in verdicts if each.method)
    return ", ".join(methods), f"{sum(each.seconds for each in verdicts):.1f}"
