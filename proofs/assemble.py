"""Puts verdicts together: one for each claim, of what is known from proofs, plays and visits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rulespec.proofs import verdicts
from rulespec.proofs.assumed import settles, told
from rulespec.proofs.claims import GAME_ENDS, Claim
from rulespec.proofs.evidence import Evidence
from rulespec.proofs.information.search import remembered
from rulespec.proofs.smt.prove import Finding
from rulespec.proofs.verdicts import WORST_FIRST, Verdict, of


def assembled(evidence: Evidence) -> Iterator[Verdict]:
    """A verdict on each claim that was chosen, in their order."""
    judging = _Judging(evidence)
    looked_at = [c for c in evidence.claims.all.values() if not c.parts and evidence.is_wanted(c)]
    single = {**evidence.task.known, **{c.name: judging.verdict(c) for c in looked_at}}
    for claim in evidence.chosen():
        yield judging.summary(claim, single) if claim.parts else single[claim.name]


class _Judging:
    def __init__(self, evidence: Evidence) -> None:
        self.of = evidence
        self.core = evidence.task.core

    def verdict(self, claim: Claim) -> Verdict:
        finding = self.of.proof.findings.get(claim.name, Finding())
        base = of(
            self.core.configuration,
            property=claim.name,
            kind=claim.kind,
            verdict="unknown",
            method="",
            seconds=finding.seconds + self.of.proof.shared_seconds / max(1, len(self.of.claims.all)),
            title=claim.title,
            origin=claim.origin,
            assumed=told(self.core, for_any=not self.of.distrust and settles(self.of.for_any, claim)),
        )
        if claim.name in self.of.found.plays:
            return self._shown(claim, base)
        if self.of.settled(claim):
            return self._twice(claim, base, self._proved(claim, base, finding))
        reason = self._reason(finding)
        if claim.kind == "reachable" and self.of.whole_visit is not None:
            reason = "it holds in no position of the game"
            return replace(base, verdict="refuted", method="every position visited", reason=reason)
        if claim.kind == "reachable":
            reason = f"no play out of {self.of.sampled} came to it"
            return replace(base, method="plays", reason=reason, assumed="")
        return self._unbroken(base, reason)

    def _unbroken(self, base: Verdict, reason: str) -> Verdict:
        """Not proved, but nothing speaks against it."""
        if base.kind == "information":
            return self._alike_so_far(base, reason)
        if (visit := self.of.whole_visit) is not None:
            method = "every position visited"
            return replace(base, verdict="exhaustive", method=method, count=visit.states, reason=reason)
        if self.of.found.finished and self.of.sampled:
            return replace(base, verdict="sampled", method="plays", count=self.of.sampled, reason=reason)
        return replace(base, method="induction", reason=reason, assumed="")

    def _alike_so_far(self, base: Verdict, reason: str) -> Verdict:
        told, block = self.of.told, self.of.doubted.get(base.property, "")
        if block in told.lately:
            return replace(base, method="two plays", reason=remembered(told.lately[block]))
        if told.exhausted(block):
            method = "every position compared"
            return replace(base, verdict="exhaustive", method=method, count=told.positions, reason=reason)
        if told.made:
            return replace(base, verdict="sampled", method="plays compared", count=told.made, reason=reason)
        return replace(base, method="two runs", reason=reason, assumed="")

    def _shown(self, claim: Claim, base: Verdict) -> Verdict:
        play = self.of.found.plays[claim.name]
        verdict = "proved" if claim.kind == "reachable" else "refuted"
        return replace(
            base,
            verdict=verdict,
            method="two plays" if play.other else "play",
            play=play,
            reason=play.conjunct,
            assumed=told(self.core, for_any=False),
        )

    def _proved(self, claim: Claim, base: Verdict, finding: Finding) -> Verdict:
        local = claim.kind in ("range", "checks", "choice", "chance") and not finding.asked
        method = "intervals" if local else "induction"
        if claim.kind == "information":
            method = "two runs" if claim.name in self.of.doubted else "flow"
        if claim.kind == "reachable":
            reason = "it is proved that no play comes to it"
            return replace(base, verdict="refuted", method=method, reason=reason)
        if finding.places and finding.places <= self.of.proof.unreachable:
            reason = "no play comes to the place it is about"
            for_any = self.of.for_any.findings.get(claim.name, Finding())
            if not for_any.places <= self.of.for_any.unreachable:
                base = replace(base, assumed=told(self.core, for_any=False))
            return replace(base, verdict="vacuous", method=method, reason=reason)
        return replace(
            base, verdict="proved", method=method, found=self._told(claim), facts=self._facts(claim)
        )

    def _told(self, claim: Claim) -> tuple[str, ...]:
        """What the proof needed and the rulebook does not say."""
        number = 0 if settles(self.of.for_any, claim) else -1
        return self.of.tellings[number].of(claim.name) if self.of.tellings else ()

    def _facts(self, claim: Claim) -> tuple[str, ...]:
        return self.of.facts.get(claim.name, ())

    def _twice(self, claim: Claim, base: Verdict, proved: Verdict) -> Verdict:
        """With what the second solver says; where it disagrees, nothing is proved."""
        if self.of.rechecked is None:
            return proved
        second, why = self.of.rechecked.of(claim.name)
        if second == verdicts.DISAGREES:
            return replace(base, reason=f"a fault in the verifier: {why}", second=second)
        return replace(proved, second=second, reason=why or proved.reason)

    def _reason(self, finding: Finding) -> str:
        if self.of.distrust or self.of.proof.stopped:
            return self.of.distrust or self.of.proof.stopped
        more = len(finding.failures) - 1
        first = str(finding.failures[0]) if finding.failures else ""
        return f"{first} (and {more} more)" if more > 0 else first

    def summary(self, claim: Claim, single: Mapping[str, Verdict]) -> Verdict:
        """As good as the worst of its parts, and its own finding."""
        parts = [self._as_part(single[p]) for p in claim.parts]
        own = self.verdict(replace(claim, parts=()))
        worst = min([*parts, own], key=lambda v: WORST_FIRST.index(v.verdict))
        if worst.verdict == "vacuous":
            worst = own
        reason = worst.reason
        if reason and worst is not own:
            reason = f"{worst.property}: {reason}"
        if claim.kind == "information" and worst.verdict == "proved":
            worst = replace(worst, method=", ".join(sorted({p.method for p in parts if p.method})))
        said = {each.second for each in (*parts, own)}
        second = next(
            (each for each in (verdicts.DISAGREES, verdicts.GAVE_UP, verdicts.AGREES) if each in said), ""
        )
        given = worst.assumed and any(v.assumed == verdicts.GIVEN for v in (*parts, own))
        return replace(
            worst,
            property=claim.name,
            kind=claim.kind,
            title=claim.title,
            seconds=sum(p.seconds for p in parts),
            reason=reason,
            origin=worst.origin if reason else claim.origin,
            locked="",
            facts=(),
            second=second,
            assumed=verdicts.GIVEN if given else worst.assumed,
        )

    def _as_part(self, verdict: Verdict) -> Verdict:
        """A loop whose measure does not do may end all the same: only a play that goes on is against that."""
        if verdict.kind != "loop" or verdict.verdict != "refuted" or GAME_ENDS in self.of.found.plays:
            return verdict
        base = replace(verdict, verdict="unknown", method="", play=None)
        return self._unbroken(base, "the measure that is stated does not do")
