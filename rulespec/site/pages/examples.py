"""Worked examples as lists of steps that can be played: the position, who does what, what it changes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.walk import every
from rulespec.reference.steps import ACT, BEGIN, CHANCE, REFUSED, Check, Position, Step, Told
from rulespec.site import address
from rulespec.site.page import Page, plain, text
from rulespec.site.pages.badges import badge, cited, rule_links
from rulespec.site.pages.body import Body
from rulespec.site.subject import Subject

NOTHING = "–"
EMPTY = ("", "0")
KINDS = {ACT: "move", REFUSED: "refused", CHANCE: "chance", BEGIN: "begin"}
VALUES = 8  # of a condition's parts that are told


def page(subject: Subject) -> Page | None:
    """All examples, those of the same rule together."""
    examples = subject.rulebook.examples
    if not examples:
        return None
    titles = {rule.name: rule.title or rule.base for rule in subject.rulebook.rules}
    by_rule: dict[str, list[t.Example]] = {}
    for example in examples:
        by_rule.setdefault(example.run.rule, []).append(example)
    body = Body()
    body.markdown(f"# {plain(subject.title)}: examples")
    body.markdown("\n".join(_opening(subject)))
    for rule, members in by_rule.items():
        body.markdown(f"## {plain(titles[rule])}")
        for example in members:
            anchor = address.example(subject.name, example.name).partition("#")[2]
            body.markdown(f"### {plain(example.title or example.name)} {{#{anchor}}}")
            body.html("".join(_example(subject, example, subject.told[example.name])))
    return body.page(f"{subject.name}/examples.md", "Examples", subject.title)


def _opening(subject: Subject) -> Iterator[str]:
    wrong = sum(bool(each.wrong) for each in subject.told.values())
    number = len(subject.told)
    good = "all go as they say" if number > 1 else "it goes as it says"
    went = good if not wrong else f"{wrong} not as it says"
    yield (
        f"{number} example{'s' * (number != 1)}, carried out by the rules themselves when this page was made:"
        f" {went}."
    )
    yield ""
    yield (
        "An example begins from the position in its table. Its steps can be read as a list, or played one by"
        " one with the buttons under the table or with the arrow keys; what a step changes is marked."
    )


# --- one example -------------------------------------------------------------------------------------------


def _example(subject: Subject, example: t.Example, told: Told) -> Iterator[str]:
    yield '<div class="example">'
    yield f'<p class="example-about">{" · ".join(_about(subject, example, told))}</p>'
    if told.wrong:
        yield f"<p>{badge('refuted', 'does not go as it says')}: {text(told.wrong)}</p>"
    if told.unreachable:
        broken = "; ".join(told.unreachable)
        yield f"<p>It begins where no play comes to, for this does not hold there: {text(broken)}</p>"
    if told.steps:
        yield from _play(subject, example, told)
    if told.checks:
        yield f'<p>In the end:</p><ul class="checks">{"".join(map(_check, told.checks))}</ul>'
    yield "</div>"


def _about(subject: Subject, example: t.Example, told: Told) -> Iterator[str]:
    yield f"{example.players} players"
    variants = {variant.name: variant.title or variant.name for variant in subject.rulebook.variants}
    yield from (f"variant: {text(variants[name])}" for name in example.variants)
    readings = {reading.name: reading for reading in subject.rulebook.readings}
    for name, taken in example.readings:
        meaning = next((m.title or m.name for m in readings[name].meanings if m.name == taken), taken)
        link = f'<a href="{address.reading(subject.name, name)}">{text(readings[name].question)}</a>'
        yield f"{link} {text(meaning)}"
    if example.citation:
        yield cited(subject, example.citation)
    if told.rules:
        yield f"exercises {rule_links(subject, told.rules)}"


def _check(check: Check) -> str:
    values = "; ".join(check.values[:VALUES]) + (" …" if len(check.values) > VALUES else "")
    told = f' <span class="check-values">{text(values)}</span>' if values else ""
    mark = {True: badge("proved", "holds"), False: badge("refuted", "fails"), None: "not come to"}[
        check.holds
    ]
    return f"<li><code>{text(check.text)}</code> {mark}{told}</li>"


# --- steps -------------------------------------------------------------------------------------------------


def _play(subject: Subject, example: t.Example, told: Told) -> Iterator[str]:
    """The position in tables, and the steps, each with the cells of these that it changes."""
    places = _Places(told)
    near = places.changing | (_given(example) & places.filled)
    shown = [name for name in told.titles if name in near]
    rest = [name for name in told.titles if name in places.filled - near]
    yield '<div class="play" data-search-exclude>'
    yield '<div class="play-position">'
    yield _tables(told, places, shown)
    if rest:
        yield f"<details><summary>What stays as it is</summary>{_tables(told, places, rest)}</details>"
    yield "</div>"
    items = "".join(
        _step(subject, step, changed) for step, changed in zip(told.steps, places.changes, strict=True)
    )
    yield f'<ol class="steps" start="0">{items}</ol></div>'


def _given(example: t.Example) -> set[str]:
    """The variables that the given position speaks of."""
    return {
        node.name for given in example.given for node in every(given.target) if isinstance(node, t.StateRef)
    }


class _Places:
    """The cells of an example's tables, and for each step those that it changes, as (cell, text) pairs.

    A cell is `variable` or `variable.seat`.
    """

    def __init__(self, told: Told) -> None:
        self.first = _cells(told.given)
        self.changes: list[dict[str, str]] = []
        before = self.first
        for step in told.steps:
            after = _cells(step.after)
            self.changes.append({cell: after[cell] for cell in after if after[cell] != before[cell]})
            before = after
        self.changing = {cell.partition(" ")[0] for changes in self.changes for cell in changes}
        self.filled = {cell.partition(" ")[0] for cell, content in self.first.items() if content not in EMPTY}
        self.shared = set(told.given.lines)


def _cells(position: Position) -> dict[str, str]:
    """All cells with what is in them; a cell is called `variable` or `variable SEAT`."""
    owned = {f"{name} {seat}": cell for name, row in position.rows.items() for seat, cell in enumerate(row)}
    return {**position.lines, **owned}


def _tables(told: Told, places: _Places, names: Sequence[str]) -> str:
    """What everybody shares, and what each player has."""
    shared = [name for name in names if name in places.shared]
    owned = [name for name in names if name not in places.shared]
    parts = []
    if owned:
        seats = "".join(f'<th scope="col">p{seat}</th>' for seat in range(told.players))
        rows = "".join(
            f'<tr><th scope="row">{text(told.titles[name])}</th>'
            + "".join(_cell(f"{name} {seat}", places.first) for seat in range(told.players))
            + "</tr>"
            for name in owned
        )
        parts.append(
            f'<table class="position"><thead><tr><td></td>{seats}</tr></thead><tbody>{rows}</tbody></table>'
        )
    if shared:
        rows = "".join(
            f'<tr><th scope="row">{text(told.titles[name])}</th>{_cell(name, places.first)}</tr>'
            for name in shared
        )
        parts.append(f'<table class="position"><tbody>{rows}</tbody></table>')
    return "".join(parts)


def _cell(cell: str, first: dict[str, str]) -> str:
    return f'<td data-cell="{text(cell)}">{text(first[cell] or NOTHING)}</td>'


def _step(subject: Subject, step: Step, changed: dict[str, str]) -> str:
    """One step as an item of the list; `changed` are the cells that it changes and what is then in them."""
    data = json.dumps({cell: content or NOTHING for cell, content in changed.items()}, ensure_ascii=False)
    begins = [name for name in step.entered if name != step.rule]
    lines = [f'<strong class="step-told">{_told(step)}</strong>']
    if step.rule:
        by = " ".join(filter(None, (rule_links(subject, (step.rule,)), text(step.citation))))
        lines[0] += f' <span class="step-rule">{by}</span>'
    if step.changes:
        lines.append(f'<span class="step-changes">{text(step.changes)}</span>')
    if begins:
        lines.append(f'<span class="step-through">then {rule_links(subject, begins)}</span>')
    return f'<li class="step--{KINDS[step.kind]}" data-cells="{text(data)}">{"<br>".join(lines)}</li>'


def _told(step: Step) -> str:
    match step.kind:
        case "begin":
            return "The rule begins"
        case "chance":
            return f"Chance: {text(step.text)}"
        case _:
            return text(step.text)
