"""What catches a verifier that says too much, with the verifier's own plays left out of it.

Plays that find a fault hide a proof that is wrong, so these look at what is proved from one play alone.
"""

from __future__ import annotations

from pathlib import Path

import books

from rulespec.compiler.core.from_text import parse
from rulespec.compiler.core.tree import Core
from rulespec.proofs.claims import Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.sampled import Search
from rulespec.proofs.samples import Samples
from rulespec.proofs.smt.prove import Finding, Proof, Prover

CORES = Path(__file__).parents[1] / "proofs" / "wrong"
Told = tuple[Core, tuple[str, ...], tuple[str, ...]]  # a core, what is false of it, and what is true


def told(name: str) -> list[Told]:
    """What a wrong rulebook, or a wrong core (`lock.core`), says of itself."""
    if name.endswith(".core"):
        text = (CORES / name).read_text(encoding="utf-8")
        said = [
            line.removeprefix("# ").partition(": ") for line in text.splitlines() if line.startswith("# ")
        ]
        false, true = (tuple(claim for kind, _, claim in said if kind == k) for k in ("false", "true"))
        return [(parse(text), false, true)]
    book = books.read(name)
    return [(book.core(said), said.false, said.true) for said in book.said]


def said_wrongly(core: Core, false: tuple[str, ...], true: tuple[str, ...]) -> list[str]:
    """Claims known to be false against which the prover has nothing, with one play to go by, and `reachable`
    ones known to be true that it excludes.
    """
    claims, samples = Claims(core), Samples(core)
    Search(core, claims, Replayer(core, claims, None)).gather(1, 1000, 0, samples)
    prover = Prover(core, claims, samples, seconds=4.0, question=0.5, progress=lambda *_: None)
    proof = prover.run()
    assert not proof.stopped
    return sorted(
        [name for name in false if _unopposed(proof, claims, name)]
        + [name for name in true if name in claims.all and _finding(proof, name).excluded]
    )


def _unopposed(proof: Proof, claims: Claims, name: str) -> bool:
    """A claim about faults that is not there at all has nothing against it either."""
    claim = claims.all.get(name)
    if claim is None:
        return True
    if claim.kind == "reachable":
        return False  # its exclusion would be right
    return all(_finding(proof, each).proved for each in (name, *claim.parts))


def _finding(proof: Proof, name: str) -> Finding:
    return proof.findings.get(name, Finding())
