"""Numbers that no source has: which verdicts hold whatever they are, and which with those that were assumed.

A proof is first tried with a symbol for each open cell of a table (`Table.open`), within what `Core.limits`
say. What is not proved so is tried with the numbers themselves. Plays are always played with the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulespec.compiler.core.tree import Core
from rulespec.proofs.claims import Claim
from rulespec.proofs.smt.prove import Finding, Proof
from rulespec.proofs.verdicts import ANY, GIVEN


def has_symbols(core: Core) -> bool:
    """Whether the game looks at numbers of which something can be proved whatever they are."""
    return any(table.open for table in core.tables)


def told(core: Core, *, for_any: bool) -> str:
    """What a verdict says of them: `any`, `any but TABLES` where some had to be known before play, `given`,
    or "" where the game has none.
    """
    if not has_symbols(core) and not core.fixed:
        return ""
    if not for_any:
        return GIVEN
    return f"{ANY} but {', '.join(core.fixed)}" if core.fixed else ANY


def settles(proof: Proof, claim: Claim) -> bool:
    """Whether a claim is decided: proved, or for a `reachable` one excluded."""
    finding = proof.findings.get(claim.name, Finding())
    return not proof.stopped and (finding.excluded if claim.kind == "reachable" else finding.proved)


def together(for_any: Proof, given: Proof, claims: Iterable[Claim]) -> Proof:
    """What either proof shows; of the rest, why the second does not."""
    if given.stopped:
        return for_any
    findings = dict(given.findings)
    for claim in claims:
        if settles(for_any, claim):
            findings[claim.name] = for_any.findings.get(claim.name, Finding())
    return replace(
        given,
        findings=findings,
        unreachable=given.unreachable | (set() if for_any.stopped else for_any.unreachable),
        questions=given.questions + for_any.questions,
        seconds=given.seconds + for_any.seconds,
        shared_seconds=given.shared_seconds + for_any.shared_seconds,
    )
