"""Where changes are tried: a rulebook in one configuration, with what it has against a change."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rulespec import api, examples, library
from rulespec.compiler.core import from_typed, survey
from rulespec.compiler.core.tree import Configuration, Core
from rulespec.compiler.typed import tree as t
from rulespec.compiler.typed.mutants import Mutant, apply, mutants
from rulespec.engine.python.stepper import PythonEngine
from rulespec.proofs.again import HOLDS, OPEN, SAME, Known, prover, unproved
from rulespec.proofs.claims import Claims
from rulespec.proofs.monitors import Monitor
from rulespec.proofs.plays import Player, chooser
from rulespec.proofs.smt.prove import Prover
from rulespec.proofs.vacuity.plays import differ
from rulespec.proofs.verdicts import Limits

PLAYS = 60
PLAYS_SECONDS = 6.0
MOST_STEPS = 3000  # of one play
BLOCKS = 20_000  # after which an example in which nobody is asked is given up: changes make loops endless
AGAIN_SECONDS = 20.0  # for going through a known proof once more

# What became of a change, in the order in which it is asked.
COMPILER, EXAMPLES, PLAYED, PROOF = "the compiler", "examples", "plays", "the proof"
UNNOTICED = "unnoticed"
UNDECIDED = "undecided"  # the proof did not end in time
ALIKE = "alike"  # the same game in this configuration
VOID = "void"  # nothing that a rulebook could say


@dataclass(frozen=True)
class Tried:
    """What became of one change. `by` is what noticed it, or why it is left out.

    `differs`: random plays go another way than those of the rules as they are. `examples` is how many came by
    the changed place. `proved`: the proof goes through with the change. `seconds` are of one processor.
    """

    id: str
    outcome: str
    by: str = ""
    differs: bool = False
    examples: int = 0
    proved: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class Bench:
    """`limits.proof` is for one change; `proof`: whether to prove at all. `failing` examples say nothing."""

    game: str
    configuration: Configuration
    limits: Limits
    proof: bool = True
    failing: frozenset[str] = frozenset()

    @property
    def seconds(self) -> float:
        """After which a process is given up."""
        return 12 * self.limits.proof + 600


class Work:
    """A bench in use, in one process; what several changes need is made once."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        book = api.open_rulebook(bench.game)
        assert book.checked is not None
        assert book.checked.rulebook is not None
        self.rulebook = book.checked.rulebook
        self.mutants = {m.id: m for m in changes(book)}
        core, _ = from_typed.compile(self.rulebook, bench.configuration)
        assert core is not None
        self.core = core
        self.reach = {e.name: _reached(self.rulebook, e) for e in self.rulebook.examples}

    def look(self, name: str) -> Tried:
        began = time.process_time()
        tried = self._look(self.mutants[name])
        return replace(tried, seconds=time.process_time() - began)

    def _look(self, mutant: Mutant) -> Tried:
        changed = apply(self.rulebook, mutant)
        try:
            core, found = from_typed.compile(changed, self.bench.configuration)
        except Exception as error:  # noqa: BLE001  a changed tree need not be one that the checker lets through
            return Tried(mutant.id, VOID, f"{type(error).__name__}: {error}"[:200])
        if core is None:
            return Tried(mutant.id, COMPILER, found[0].message if found else "")
        asked, failed = self._examples(mutant, changed)
        if failed:
            return Tried(mutant.id, EXAMPLES, failed, examples=asked)
        if core == self.core:
            return Tried(mutant.id, ALIKE, "it compiles to the same", examples=asked)
        broken = self._plays(core)
        if broken:
            return Tried(mutant.id, PLAYED, broken, True, asked)
        return self._proved(mutant, core, asked)

    # --- examples ------------------------------------------------------------------------------------------

    def _examples(self, mutant: Mutant, changed: t.Rulebook) -> tuple[int, str]:
        """How many examples come by the change, up to the first that fails; its name, "" for none."""
        place = (mutant.kind, mutant.owner)
        asked = 0
        for example in changed.examples:
            reach = self.reach[example.name]
            everywhere = mutant.kind not in ("rule", "function", "param")
            if example.name in self.bench.failing or not (everywhere or place in reach):
                continue
            asked += 1
            try:
                if not examples.run(changed, example, BLOCKS).passed:
                    return asked, example.name
            except Exception:  # noqa: BLE001  see above
                return asked, example.name
        return asked, ""

    # --- plays ---------------------------------------------------------------------------------------------

    def _plays(self, core: Core) -> str:
        """A claim that a random play breaks, other than those that it breaks without the change."""
        return next((claim for claim in _broken(core) if claim not in self._known_false), "")

    @cached_property
    def _known_false(self) -> frozenset[str]:
        return frozenset(_broken(self.core))

    # --- proof ---------------------------------------------------------------------------------------------

    def _proved(self, mutant: Mutant, core: Core, asked: int) -> Tried:
        differs = differ(self.core, core, PLAYS, PLAYS_SECONDS)
        left = Tried(mutant.id, UNNOTICED, "", differs, asked)
        if not self.bench.proof or self._known is None:
            return left
        again = self._known.check(core, AGAIN_SECONDS)
        if again == SAME and not differs:
            return replace(left, outcome=ALIKE, by="it is proved that no play can tell")
        if again in (HOLDS, SAME):
            return replace(left, proved=True)
        assert again == OPEN
        made, lost = self._lost(core, by_contract=True)
        if lost and made.proof.contracts and not made.proof.stopped:
            # As `verify` does: with the calls written out more may be proved.
            plain, more = self._lost(core, by_contract=False)
            made, lost = (plain if plain.proof.stopped else made), lost & more
        if made.proof.stopped:
            return replace(left, outcome=UNDECIDED, by=made.proof.stopped)
        gone = [*sorted(lost), *self._impossible(made.claims, made.proof.findings)]
        return replace(left, outcome=PROOF, by=gone[0]) if gone else replace(left, proved=True)

    def _lost(self, core: Core, *, by_contract: bool) -> tuple[Prover, set[str]]:
        """A proof of the changed rules, and which claims it leaves open that were proved before."""
        assert self._known is not None
        made = prover(core, self.bench.limits, by_contract=by_contract)
        made.run()
        lost = unproved(made) - self._known.unproved
        if lost and not made.proof.stopped:
            made.deepen(sorted(lost), self.bench.limits.proof)
            lost = unproved(made) - self._known.unproved
        return made, lost

    def _impossible(self, claims: Claims, findings: Any) -> list[str]:
        """What could happen and cannot any more."""
        assert self._known is not None
        before = self._known.prover.proof.findings
        return [
            name
            for name, claim in claims.all.items()
            if claim.kind == "reachable" and findings[name].excluded and not before[name].excluded
        ]

    @cached_property
    def _known(self) -> Known | None:
        """The proof without a change; None where it did not end in time."""
        made = prover(self.core, self.bench.limits)
        return None if made.run().stopped else Known(made)


def _broken(core: Core) -> Iterator[str]:
    """Claims that random plays break, each once."""
    claims = Claims(core)
    wanted = [c.name for c in claims.all.values() if c.kind != "reachable"]
    monitor = Monitor(core, claims, wanted, None)
    player = Player(core, PythonEngine, MOST_STEPS)
    end = time.process_time() + PLAYS_SECONDS
    seen: set[str] = set()
    for seed in range(PLAYS):
        if time.process_time() > end:
            return
        for broken in monitor.look(player.play(chooser(seed))):
            if broken.claim not in seen:
                seen.add(broken.claim)
                yield broken.claim


def changes(book: api.Book) -> tuple[Mutant, ...]:
    """All changes of the game's own text; the standard library has proofs of its own."""
    assert book.checked is not None
    assert book.checked.rulebook is not None
    rulebook = book.checked.rulebook
    return mutants(rulebook, book.sources, lambda span: not library.is_standard(span.file))


def _reached(rulebook: t.Rulebook, example: t.Example) -> set[tuple[str, str]]:
    """What an example comes by, at most: rules, functions and params, as mutants name them."""
    rules = {rule.name: rule for rule in rulebook.rules}
    functions = {function.name: function for function in rulebook.functions}
    params = {param.name: param for param in rulebook.params}
    found: set[tuple[str, str]] = set()
    waiting: list[Any] = [example, *(v.initial for v in rulebook.state), *_settings(rulebook)]
    while waiting:
        for node in survey.nodes(waiting.pop()):
            for kind, name, known in (
                ("rule", getattr(node, "rule", ""), rules),
                ("function", getattr(node, "function", ""), functions),
                ("param", node.name if isinstance(node, t.ParamRef) else "", params),
            ):
                declared = known.get(name) if isinstance(name, str) else None
                place = (kind, getattr(declared, "base", name))
                if declared is not None and (kind, name) not in found:
                    found |= {(kind, name), place}
                    waiting.append(declared)
    return found


def _settings(rulebook: t.Rulebook) -> Sequence[Any]:
    """What every example begins with."""
    types = [v.type for v in rulebook.state]
    return [*rulebook.currencies, *rulebook.pieces, *rulebook.variants, *rulebook.when_players, *types]
