"""Variants and numbers of players: what each changes, side by side with the base game.

Each is a section of one shape: what it sets, beside what it was, and the rules that ask for it. Whatever else
may be laid over a game one day is a section more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from rulespec.compiler.core import from_typed
from rulespec.compiler.spans import Citation
from rulespec.compiler.typed.tree import Scope, Setting, Variant
from rulespec.reference.amounts import Value, Varied
from rulespec.reference.asks import Ask, Asks, asks
from rulespec.reference.compared import Compiled, differing
from rulespec.reference.parts import Param
from rulespec.reference.values import Words, spaced
from rulespec.site import address
from rulespec.site.page import Page, plain, text
from rulespec.site.pages import numbers
from rulespec.site.pages.badges import cited, rule_links
from rulespec.site.pages.cells import (
    Row,
    asked_in,
    code,
    composed,
    counted,
    declared,
    link,
    note,
    players,
    table,
    titled,
)
from rulespec.site.subject import Subject

MOST_COMPILED = 12  # variants of which the compiled rules are compared with those of the base game


def page(subject: Subject) -> Page | None:
    """None where a game has no variants and no small games, and nothing goes by the number of players."""
    book = subject.rulebook
    made = _Made(subject)
    if not (book.variants or book.when_players or book.scopes or made.by_players()):
        return None
    sections = [part for section in (made.how_many, made.variants, made.scopes) for part in section()]
    body = composed([f"# {plain(subject.title)}: variants", made.intro(), *sections])
    return body.page(f"{subject.name}/variants.md", "Variants", subject.title)


class _Made:
    """The page of one game in the making."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.book = subject.rulebook
        self.known = subject.parts
        self.asked: Asks = asks(subject.checked.documents)
        self.words = Words(self.book)

    def intro(self) -> str:
        has = [counted(len(self.book.variants), "variant")] if self.book.variants else []
        has += [counted(len(self.book.scopes), "small game")] if self.book.scopes else []
        low, high = self.book.players
        asked = players(range(low, high + 1))
        return f"{plain(self.subject.title)} is for {asked}" + (
            f", and has {' and '.join(has)}." if has else "."
        )

    # --- numbers of players ---------------------------------------------------------------------------------

    def by_players(self) -> list[tuple[str, str, Varied, numbers.Show, Citation | None]]:
        """All that depends on how many play: heading, anchor, values, how they are told, where it is said."""
        found = [
            (self._param(param), param.name, param.value, numbers.worded(self.words, param), param.citation)
            for param in self.known.params
        ]
        for piece in self.known.pieces:
            name = link(declared(self.subject, piece.name, piece.span), text(piece.title or piece.name))
            found.append((f"{name}, in all", piece.name, piece.total, numbers.plainly, piece.citation))
        for each in self.known.currencies:
            name = link(declared(self.subject, each.name, each.span), text(each.title or each.name))
            found.append((f"{name}, in all", each.name, each.supply, numbers.plainly, each.citation))
        return [each for each in found if not each[2].is_one]

    def how_many(self) -> Iterator[str]:
        varied = self.by_players()
        asking = self.asked.players
        if not varied and not asking:
            return
        yield "## How many play {#how-many}"
        if varied:
            groups = _alike([value for _, _, value, _, _ in varied])
            columns = ("Number", *(players(group) for group in groups), "Source")
            rows = []
            for heading, name, value, show, citation in varied:
                usual = dict(value.usual)
                cells = [text(show(usual[group[0]])) for group in groups]
                rows.append(Row([heading, *cells, self._sources(name, citation)]))
            yield table("What goes by the number of players", columns, rows)
        yield from self._quoted("Rules that ask how many play", asking)

    def _sources(self, name: str, citation: Citation | None) -> str:
        """Where the number is said, and where its settings for some numbers of players are."""
        said = [cited(self.subject, citation)] if citation else []
        for each in self.book.when_players:
            for setting in each.settings:
                source = setting.citation or each.citation
                if setting.param == name and source:
                    said.append(
                        f"{code(f'players {each.operator} {each.number}')} {cited(self.subject, source)}"
                    )
        return "<br>".join(said)

    # --- variants -------------------------------------------------------------------------------------------

    def variants(self) -> Iterator[str]:
        if self.book.variants:
            yield "## Variants {#all-variants}"
        for number, variant in enumerate(self.book.variants):
            yield f"### {plain(variant.title or spaced(variant.name))} {{#variant-{variant.name}}}"
            yield (
                f'<p class="rs-meta">{code(variant.name)} {cited(self.subject, variant.citation)} '
                f"to be played with {code(f'--variant {variant.name}')}</p>"
            )
            yield self._sides(variant)
            yield from self._quoted("Rules that ask for it", self.asked.variants.get(variant.name, ()))
            if number < MOST_COMPILED:
                yield from self._compiled(variant)

    def _sides(self, variant: Variant) -> str:
        """What the variant sets, beside what it is without it."""
        rows = [self._side(variant, setting) for setting in variant.settings]
        columns = ("Number", "Base game", "Here", "Source")
        if not rows:
            return "<p>It sets no numbers.</p>"
        return table("Side by side with the base game", columns, rows)

    def _side(self, variant: Variant, setting: Setting) -> Row:
        param = next(each for each in self.known.params if each.name == setting.param)
        show = numbers.worded(self.words, param)
        changed = {change.name: values for change, values in param.value.changed if not change.meaning}
        here = numbers.values(changed.get(variant.name, param.value.usual), show)
        if variant.name not in changed:
            here += note(
                "no difference" if self.known.is_whole else "not worked out: there are too many variants"
            )
        base = numbers.values(param.value.usual, show)
        return Row([self._param(param), base, here, cited(self.subject, setting.citation)])

    def _compiled(self, variant: Variant) -> Iterator[str]:
        """The rules whose steps differ, with the usual number of players."""
        count = self.subject.usual_players
        base, here = self._base, self._made(variant.name)
        if base is None or here is None:
            yield f"<p>With {players([count])} there is no such game.</p>"
            return
        found = differing(base, here)
        rules = rule_links(self.subject, (*found.rules, *found.new, *found.gone))
        told = f"these rules have other steps: {rules}" if rules else "no rule has other steps"
        yield f"<p>As compiled for {players([count])}, {told}.</p>"

    @cached_property
    def _base(self) -> Compiled | None:
        return self._made()

    def _made(self, *chosen: str) -> Compiled | None:
        wanted = from_typed.configuration(self.book, self.subject.usual_players, chosen)
        core, _ = from_typed.compile(self.book, wanted)
        return None if core is None else Compiled(core)

    # --- small games ----------------------------------------------------------------------------------------

    def scopes(self) -> Iterator[str]:
        if not self.book.scopes:
            return
        yield "## Small games {#all-scopes}"
        yield "Cut down so far that every position can be visited: what is claimed is checked there, too."
        columns = ("Small game", "Players", "Numbers", "Variants and readings")
        yield table("What small games set", columns, map(self._scope, self.book.scopes))

    def _scope(self, scope: Scope) -> Row:
        known = {param.name: param for param in self.known.params}
        found, _ = from_typed.scope_configuration(self.book, scope)
        settings = dict(found.settings) if found else {}
        sets = [self._set(known[name], value, scope.players) for name, value in settings.items()]
        chosen = [f"variant {link(f'#variant-{name}', code(name))}" for name in scope.variants]
        for name, meaning in scope.readings:
            to = address.reading(self.subject.name, name)
            chosen.append(f"reading {link(to, code(f'{name} is {meaning}'))}")
        heading = titled(scope.title, scope.name)
        return Row(
            [heading, str(scope.players), "<br>".join(sets), "<br>".join(chosen)], f"scope-{scope.name}"
        )

    def _set(self, param: Param, value: Value, count: int) -> str:
        show = numbers.worded(self.words, param)
        usual = dict(param.value.usual).get(count)
        was = f" instead of {text(show(usual))}" if usual is not None and usual != value else ""
        return f"{code(param.name)}: {text(show(value))}{was}"

    # --- parts ----------------------------------------------------------------------------------------------

    def _param(self, param: Param) -> str:
        return titled(param.title, param.name, declared(self.subject, param.name, param.span))

    def _quoted(self, title: str, asking: Sequence[Ask]) -> Iterator[str]:
        if not asking:
            return
        yield f"<p><strong>{title}</strong></p>"
        yield from asked_in(self.subject, asking)


def _alike(values: Iterable[Varied]) -> list[list[int]]:
    """Numbers of players with which all the values are the same."""
    found: dict[tuple[Value, ...], list[int]] = {}
    every = [dict(value.usual) for value in values]
    for count in every[0]:
        found.setdefault(tuple(each.get(count) for each in every), []).append(count)
    return list(found.values())
