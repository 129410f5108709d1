"""What is true of a game: each claim, how it stands with how many players, how that is known, since when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rulespec.compiler.spans import Span
from rulespec.proofs.explained import HERE
from rulespec.reference.verdicts import ABSENT, STALE, WORST_FIRST, Claimed, Place, Standing, Verdicts
from rulespec.site import address
from rulespec.site.page import Found, Page, plain, text
from rulespec.site.pages.badges import (
    MEANINGS,
    SIGNS,
    badge,
    cited,
    column,
    play,
    rule_links,
    unseen,
)
from rulespec.site.pages.body import Body
from rulespec.site.pages.cells import prose
from rulespec.site.subject import Subject
from rulespec.verifying.details import players_in
from rulespec.verifying.lock import NAME, Run
from rulespec.verifying.wording import GROUPS, capital

LEAST = 0.01  # seconds below which they are not told
GIVEN = {
    "any": "whatever the numbers are that no source has, within what is assumed of them",
    "given": "with the numbers as assumed, of those that no source has",
}


def page(subject: Subject) -> Page:
    """All claims in the groups of `rulespec verify`'s table."""
    known = subject.verdicts
    body = Body()
    body.markdown(f"# {plain(subject.title)}: what is true of it")
    body.markdown("\n".join(_opening(known)))
    body.html(_legend(known))
    for group, claims in groupby(known.claims, key=lambda claimed: claimed.words.group):
        body.markdown(f"## {GROUPS[group]}")
        body.html(_group(subject, known, list(claims)))
    _runs(known, body)
    found = tuple(
        Found(claimed.title, claimed.word, address.claim_anchor(claimed.name))
        for claimed in known.claims
        if claimed.declared
    )
    return body.page(f"{subject.name}/properties.md", "What is true", subject.title, found)


# --- what it all comes to ----------------------------------------------------------------------------------


def _opening(known: Verdicts) -> Iterator[str]:
    if known.problem:
        yield f"The file of verdicts cannot be used: {plain(known.problem)}."
        yield ""
    if known.wrong:
        number = f"{len(known.wrong)} line{'s' * (len(known.wrong) != 1)}"
        yield f"Of `{NAME}`, {number} could not be used, because somebody has changed what was written."
        yield ""
    if all(claimed.word == ABSENT for claimed in known.claims):
        yield (
            "Nothing of this has been verified yet. These are the claims that every game has to meet, and"
            " those that the rulebook makes itself; `rulespec verify` tries to prove them."
        )
        yield ""
        return
    numbers = Counter(claimed.word for claimed in known.claims)
    usual = players_in([place.players for place in known.places if place.usual])
    told = ", ".join(f"{numbers[word]} {word}" for word in reversed(WORST_FIRST) if numbers[word])
    yield f"{len(known.claims)} claims with {usual}: {told}."
    if known.examples_held:
        held = known.examples_held
        yield "1 worked example holds." if held == 1 else f"{held} worked examples hold."
    yield (
        f"All of this was found by `rulespec verify` and is kept in `{NAME}` beside the rulebook; a verdict"
        " counts only as long as nothing has changed that it depends on."
    )
    yield ""
    if known.left_out:
        yield f"{known.left_out} more configurations in that file are not shown here."
        yield ""


def _legend(known: Verdicts) -> str:
    """What the words mean."""
    there = {standing.word for claimed in known.claims for standing in claimed.standings}
    items = "".join(
        f"<dt>{badge(word)}</dt><dd>{text(MEANINGS[word])}</dd>"
        for word in (
            *(word for word in SIGNS if word in there),
            *(word for word in SIGNS if word not in there),
        )
    )
    return f'<details class="legend"><summary>What the words mean</summary><dl>{items}</dl></details>'


# --- claims ------------------------------------------------------------------------------------------------


def _group(subject: Subject, known: Verdicts, claims: Sequence[Claimed]) -> str:
    """The claims of a group, those that are alike and stand alike together."""
    columns = [place for place in known.places if place.usual or place.scope]
    folds: dict[tuple[object, ...], list[Claimed]] = {}
    for claimed in claims:
        folded = claimed.words.fold and claimed.word == "proved" and not claimed.refuted_elsewhere
        key = (claimed.words.fold, _words(claimed, columns)) if folded else (claimed.name,)
        folds.setdefault(key, []).append(claimed)
    head = "".join(f"<span>{text(column(place))}</span>" for place in columns)
    style = f' style="--columns: {len(columns)}"'
    parts = [
        f'<div class="claims" data-search-exclude{style}>',
        f'<div class="claim-head" aria-hidden="true">{head}</div>',
    ]
    called = Counter(claimed.title for claimed in claims)
    for members in folds.values():
        inner = "".join(_claim(subject, claimed, columns, called[claimed.title] > 1) for claimed in members)
        parts.append(_folded(members, columns, inner) if len(members) > 2 else inner)
    return "".join([*parts, "</div>"])


def _words(claimed: Claimed, columns: Sequence[Place]) -> tuple[str, ...]:
    return tuple(standing.word if (standing := claimed.at(place)) else "" for place in columns)


def _folded(members: Sequence[Claimed], columns: Sequence[Place], inner: str) -> str:
    words = members[0].words
    label = f"{words.line or words.label}: {len(members)} {words.noun or 'claims'}"
    return (
        f'<details class="claim-fold"><summary><span class="claim-title">{text(capital(label))}'
        f"</span>{_cells(members[0], columns)}</summary>{inner}</details>"
    )


def _claim(subject: Subject, claimed: Claimed, columns: Sequence[Place], exact: bool) -> str:
    """`exact`: its title is not enough to tell it from others."""
    told = capital(claimed.words.exact) if exact else claimed.title
    title = f'<span class="claim-title">{text(told)}</span>'
    return (
        f'<details class="claim" id="{text(address.claim_anchor(claimed.name))}">'
        f"<summary>{title}{_cells(claimed, columns)}</summary>"
        f'<div class="claim-body">{"".join(_body(subject, claimed))}</div></details>'
    )


def _cells(claimed: Claimed, columns: Sequence[Place]) -> str:
    return "".join(_cell(claimed.at(place), place) for place in columns)


def _cell(standing: Standing | None, place: Place) -> str:
    name = unseen(f"{column(place)}: ")
    shown = "–" if standing is None else badge(standing.word)
    return f'<span class="claim-cell" data-place="{text(column(place))}">{name}{shown}</span>'


def _body(subject: Subject, claimed: Claimed) -> Iterator[str]:
    """All that is known of a claim."""
    yield from _statement(subject, claimed)
    if claimed.rules:
        yield f"<p>It is about {rule_links(subject, claimed.rules)}.</p>"
    if claimed.touching:
        yield f"<p>What it speaks of is changed by {rule_links(subject, claimed.touching)}.</p>"
    if claimed.parts:
        yield f"<p>It holds where {len(claimed.parts)} other claims do: one for each place.</p>"
    if any(standing.verdict for standing in claimed.standings):
        yield _standings(claimed)
    yield from _assumed(claimed)
    yield from reasons(claimed)
    yield from facts(claimed)
    yield from _found_besides(claimed)
    yield from plays(claimed)


def _statement(subject: Subject, claimed: Claimed) -> Iterator[str]:
    if claimed.stated is None:
        yield f"<p><code>{text(claimed.name)}</code> {cited(subject, claimed.citation)}</p>"
        return
    there = address.declared_apart(subject.name, "property", claimed.declared)
    yield f'<pre class="rules"><code>{text(source_text(subject, claimed.stated))}</code></pre>'
    yield f'<p><a href="{there}">In the rulebook</a> {cited(subject, claimed.citation)}</p>'


def source_text(subject: Subject, span: Span) -> str:
    """The lines that a declaration stands on, without the indentation that they share."""
    lines = subject.book.sources[span.file].splitlines()[span.line - 1 : span.end_line]
    return "\n".join(line.rstrip() for line in lines).rstrip()


def _standings(claimed: Claimed) -> str:
    """A row for each configuration in which anything is known, those that are alike together."""
    known = [standing for standing in claimed.standings if standing.verdict]
    rows = [_standing_row(list(same)) for _, same in groupby(known, key=_alike)]
    head = "".join(
        f'<th scope="col">{name}</th>' for name in ("with", "verdict", "method", "seconds", "found")
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _alike(standing: Standing) -> tuple[object, ...]:
    """What those have in common that share a row."""
    method = standing.verdict.method if standing.verdict else ""
    return standing.word, method, standing.run.date if standing.run else "", standing.place.usual


def _standing_row(same: Sequence[Standing]) -> str:
    first = same[0]
    assert first.verdict is not None
    usual = first.place.usual
    where = players_in([s.place.players for s in same]) if usual else "; ".join(s.place.label for s in same)
    seconds = sum(s.verdict.seconds for s in same if s.verdict)
    counts = sorted({s.verdict.count for s in same if s.verdict and s.verdict.count})
    times = f" {' to '.join(f'{n:,}' for n in dict.fromkeys((counts[0], counts[-1])))}" if counts else ""
    second = f"<br>cvc5 {text(first.verdict.second)}" if first.verdict.second else ""
    run = "" if first.run is None else f'<a href="#run-{first.run.id}">{text(first.run.date)}</a>'
    cells = (
        text(where),
        badge(first.word, first.word + times),
        text(first.verdict.method) + second,
        f"{seconds:.2f}" if seconds >= LEAST else f"under {LEAST}",
        run,
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _assumed(claimed: Claimed) -> Iterator[str]:
    """Of which assumed numbers the verdicts are."""
    told: dict[str, list[Standing]] = {}
    for standing in claimed.standings:
        if standing.verdict is not None and standing.verdict.assumed in GIVEN:
            told.setdefault(standing.verdict.assumed, []).append(standing)
    for assumed, standings in told.items():
        where = f" ({_places(standings)})" if len(told) > 1 else ""
        yield f"<p>This is so {GIVEN[assumed]}{text(where)}.</p>"


def reasons(claimed: Claimed) -> Iterator[str]:
    """Why it is stale, unknown or no more than sampled."""
    told: dict[str, list[Standing]] = {}
    for standing in claimed.standings:
        if standing.word == STALE and standing.verdict is not None:
            told.setdefault(f"It was {standing.verdict.verdict}: {standing.why}.", []).append(standing)
        elif standing.word == STALE:
            told.setdefault(f"There was a verdict: {standing.why}.", []).append(standing)
        elif standing.verdict is not None and standing.verdict.reason and not standing.verdict.play:
            told.setdefault(standing.verdict.reason, []).append(standing)
    for reason, where in told.items():
        yield f"<p>{badge(where[0].word)} with {text(_places(where))}: {text(reason)}</p>"


def _places(standings: Sequence[Standing]) -> str:
    """Numbers of players together, and what is not only a number of players by its name."""
    usual = players_in([each.place.players for each in standings if each.place.usual])
    return "; ".join([usual] * bool(usual) + [each.place.label for each in standings if not each.place.usual])


def facts(claimed: Claimed) -> Iterator[str]:
    """What its proof rests on, with the fewest players of whom that is known."""
    known = [s for s in claimed.standings if s.word == "proved" and s.verdict and s.verdict.facts]
    if not known:
        return
    least = min(known, key=lambda standing: standing.place.players)
    assert least.verdict is not None
    yield f"<p>What the proof rests on, with {text(least.place.label)}:</p>"
    yield f'<ul class="facts">{"".join(map(_fact, least.verdict.facts))}</ul>'


def _fact(said: str) -> str:
    fact, _, where = said.partition(HERE)
    told = f' <span class="fact-places">{prose(where)}</span>' if where else ""
    return f"<li><code>{text(fact)}</code>{told}</li>" if where else f"<li>{text(fact)}</li>"


def _found_besides(claimed: Claimed) -> Iterator[str]:
    lines = dict.fromkeys(line for s in claimed.standings if s.verdict for line in s.verdict.found)
    if lines:
        code = "\n".join(map(text, lines))
        yield "<p>What the proof needed besides the rulebook:</p>"
        yield f'<pre class="rules"><code>{code}</code></pre>'


def plays(claimed: Claimed, words: Sequence[str] = ("refuted", "proved")) -> Iterator[str]:
    """The play that refutes it, or that reaches what it says can happen, where that is shortest."""
    for word in words:
        shown = [s for s in claimed.standings if s.word == word and s.verdict and s.verdict.play]
        if not shown:
            continue
        best = min(shown, key=_length)
        assert best.verdict is not None
        assert best.verdict.play is not None
        what = "A play that breaks it" if word == "refuted" else "A play that comes to it"
        failed = best.verdict.play.conjunct if word == "refuted" else ""
        yield f"<p><strong>{what}, with {text(best.place.label)}</strong></p>"
        yield f"<p>What fails: {text(failed)}</p>" if failed else ""
        yield play(best.verdict.play)


def _length(standing: Standing) -> tuple[bool, int]:
    play_found = standing.verdict.play if standing.verdict else None
    return bool(standing.place.scope), len(play_found.steps) if play_found else 0


# --- runs --------------------------------------------------------------------------------------------------


def _runs(known: Verdicts, body: Body) -> None:
    """What found the verdicts."""
    runs = {s.run.id: s.run for claimed in known.claims for s in claimed.standings if s.run is not None}
    if not runs:
        return
    body.markdown("## When and by what")
    body.markdown(
        "The limits are seconds of one processor and counts of what was tried: with more, what is unknown"
        " might be settled."
    )
    body.html("".join(_run(run) for run in sorted(runs.values(), key=lambda run: (run.date, run.id))))


def _run(run: Run) -> str:
    limits: Iterable[str] = (f"{name.replace('_', ' ')} {value:g}" for name, value in run.limits.items())
    return (
        f'<p id="run-{run.id}"><time datetime="{text(run.date)}">{text(run.date)}</time>: '
        f"rulespec {text(run.rulespec)}, edition {run.verifier} of its verifier, solver {text(run.solver)}; "
        f"limits: {text(', '.join(limits))}</p>"
    )
