"""The stage that asks the lock file whether each claim is vouched for and none fails; nothing is proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulespec.ci.finding import Finding, Opened
from rulespec.ci.stage import Told, Work
from rulespec.ci.texts import counted, not_tried, told_by_compiler
from rulespec.proofs.verdicts import WORST_FIRST, Limits, Verdict
from rulespec.verifying import ledger, plan
from rulespec.verifying.before import Before
from rulespec.verifying.details import players_in
from rulespec.verifying.lock import NAME, Unusable
from rulespec.verifying.plan import Part, Wanted
from rulespec.verifying.table import whole
from rulespec.verifying.told import paragraphs
from rulespec.verifying.wording import capital, words

OF_VERDICT = {
    "refuted": "claim-refuted",
    "unknown": "claim-unknown",
    "sampled": "claim-not-proved",
    "bounded": "claim-not-proved",
}


def locked(books: Sequence[Opened], work: Work) -> Told:
    """Verdicts on all claims from the lock files."""
    found: list[Finding] = []
    number: Counter[str] = Counter()
    untried, behind = [], 0
    for opened in books:
        work.tell(f"comparing {opened.name} with its lock file")
        limits = Limits()
        planned = plan.make(opened.book, Wanted(), limits)
        if not planned.parts:
            untried.append(opened.name)
            found += told_by_compiler(opened, work)
            continue
        before = _before(opened, planned.parts, limits)
        if isinstance(before, str):
            behind += 1
            found.append(opened.finding("lock-behind", "error", before, opened.beginning, before))
            continue
        late = list(_behind(opened, before, planned.parts))
        behind += bool(late)
        verdicts = [(part, v) for n, part in enumerate(planned.parts) for v in before.of(n).verdicts.values()]
        number.update(verdict.verdict for _, verdict in verdicts)
        found += [*late, *_of_verdicts(opened, verdicts, work)]
        found += _of_scopes(opened, before, planned.parts, work)
    told = [", ".join(f"{number[word]:,} {word}" for word in reversed(WORST_FIRST) if number[word])]
    told += [f"{counted(behind, 'rulebook')} not vouched for by `{NAME}`"] if behind else []
    return Told("; ".join(filter(None, [*told, *not_tried(untried)])), tuple(found), failed=bool(untried))


def _before(opened: Opened, parts: Sequence[Part], limits: Limits) -> Before | str:
    """What the lock file knows, or why it cannot be used."""
    try:
        return ledger.before(ledger.Ledger(opened.book, limits, writes=False), parts, everything=True)
    except Unusable as error:
        return str(error)


def _behind(opened: Opened, before: Before, parts: Sequence[Part]) -> Iterator[Finding]:
    """Why the lock file does not vouch for all; where it has nothing of the rulebook, that alone."""
    assert before.ledger is not None
    sentences = list(ledger.behind(before, parts, examples=True))
    if not sentences:
        return
    if not any(before.of(n).verdicts for n in range(len(parts))) and not before.ledger.wrong:
        sentences = [f"`{NAME}` has no verdict that holds"]
    for sentence in sentences:
        message = f"{sentence}; `rulespec verify {opened.name}` brings `{NAME}` up to date"
        yield opened.finding("lock-behind", "error", message, opened.beginning, f"{opened.name}: {message}")


def _of_verdicts(opened: Opened, verdicts: Sequence[tuple[Part, Verdict]], work: Work) -> Iterator[Finding]:
    """What is not proved: a finding for each claim and verdict, whatever the number of players."""
    found: dict[tuple[str, str], list[tuple[Part, Verdict]]] = {}
    for part, verdict in verdicts:
        if is_told(part, verdict):
            found.setdefault((verdict.property, verdict.verdict), []).append((part, verdict))
    for (_, word), places in found.items():
        part, verdict = places[0]
        where = players_in([part.players for part, _ in places])
        message = f"{capital(words(verdict).exact)}: {word}, with {where}"
        message += f": {why}" if (why := reason(verdict)) else ""
        shown = paragraphs(part, (verdict,), color=work.color) if word in ("refuted", "unknown") else ""
        yield opened.finding(OF_VERDICT[word], _level(word, work), message, verdict.origin.span, shown)


def _of_scopes(opened: Opened, before: Before, parts: Sequence[Part], work: Work) -> Iterator[Finding]:
    """A finding for each small game that was not visited whole."""
    for number, part in enumerate(parts):
        stands = whole(tuple(before.of(number).verdicts.values())) if part.scope else None
        if stands is not None and stands.verdict in OF_VERDICT and stands.verdict != "refuted":
            message = f"The small game `{part.scope}`: {stands.label}: {stands.reason}"
            rule, level = OF_VERDICT[stands.verdict], _level(stands.verdict, work)
            yield opened.finding(rule, level, message, opened.beginning)


def is_told(part: Part, verdict: Verdict) -> bool:
    """Whether a verdict leaves something to be said.

    Games in both engines are never more than sampled, and of a small game that is not visited whole each
    claim would say so again.
    """
    if verdict.verdict not in OF_VERDICT:
        return False
    return verdict.verdict == "refuted" or (verdict.kind != "agreement" and not part.scope)


def reason(verdict: Verdict) -> str:
    """Why it is so, in one sentence; "" where there is nothing to say."""
    if verdict.play is not None and verdict.play.conjunct:
        return f"a play of {counted(len(verdict.play.steps), 'step')} breaks `{verdict.play.conjunct}`"
    return verdict.reason


def _level(word: str, work: Work) -> str:
    match word:
        case "refuted":
            return "error"
        case "unknown":
            return "note" if work.allow_unknown else "error"
        case _:
            return "warning" if work.strict else "note"
