"""A proof's questions once more, to a solver that had no part in it: cvc5, by text that is written here.

The certificate of a proof has every question that it rests on, also those that intervals decided. Each is
written as SMT-LIB and given to cvc5, which must find that it has no answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from rulespec.compiler.core.tree import Core
from rulespec.proofs.claims import Claims
from rulespec.proofs.smt.certificate import Certificate, Goal, Question, Slice
from rulespec.proofs.smt.second import SecondSolver
from rulespec.proofs.smt.wording import Wording
from rulespec.proofs.verdicts import AGREES, DISAGREES, GAVE_UP

Decide = Callable[[str], str]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Doubt:
    """A goal on which the second solver does not agree: `answer` is `sat`, `unknown` or what it said."""

    claims: tuple[str, ...]
    text: str
    answer: str

    @property
    def disagrees(self) -> bool:
        return self.answer == "sat"

    def __str__(self) -> str:
        if self.disagrees:
            return f"cvc5 finds an answer where none may be: {self.text}"
        return f"cvc5 gave up ({self.answer}) on {self.text}"


@dataclass
class Rechecked:
    """What came of it: how many `questions` were asked, with how many `goals` in all."""

    solver: str
    claims: frozenset[str] = frozenset()
    questions: int = 0
    goals: int = 0
    doubts: list[Doubt] = field(default_factory=list)
    seconds: float = 0.0

    def and_also(self, other: Rechecked) -> Rechecked:
        """What came of both; they are about different claims."""
        return Rechecked(
            self.solver,
            self.claims | other.claims,
            self.questions + other.questions,
            self.goals + other.goals,
            [*self.doubts, *other.doubts],
            self.seconds + other.seconds,
        )

    def of(self, claim: str) -> tuple[str, str]:
        """What it says of a claim that was proved, and why it does not agree, where that is so; "" of a claim
        about which nothing was asked.
        """
        if claim not in self.claims:
            return "", ""
        doubts = [doubt for doubt in self.doubts if claim in doubt.claims]
        worst = next((doubt for doubt in doubts if doubt.disagrees), doubts[0] if doubts else None)
        if worst is None:
            return AGREES, ""
        return (DISAGREES if worst.disagrees else GAVE_UP), str(worst)


class Recheck:
    """Asks all that the given claims rest on. `seconds` is the most that it may take, of one processor;
    `decide` is cvc5.
    """

    def __init__(
        self,
        core: Core,
        claims: Claims,
        certificate: Certificate,
        solver: SecondSolver,
        *,
        seconds: float,
        progress: Progress = lambda text, done, whole: None,
        decide: Decide | None = None,
    ) -> None:
        self.certificate = certificate
        self.wording = Wording(core, claims, certificate)
        self.progress = progress
        self.result = Rechecked(f"cvc5 {solver.version}")
        self._decide = decide or solver.decide
        self._end = time.process_time() + seconds
        self._slices: dict[str, Slice] = {}

    def run(self, claims: Iterable[str]) -> Rechecked:
        began = time.process_time()
        wanted = tuple(claim for claim in claims if self.certificate.speaks_of(claim))
        self.result.claims = frozenset(wanted)
        questions = self.certificate.questions(self.certificate.rests_on(wanted))
        for number, question in enumerate(questions):
            self.progress("asking cvc5 again", number, len(questions))
            self._ask(question, wanted)
        self.result.seconds = time.process_time() - began
        return self.result

    def _ask(self, question: Question, claims: Sequence[str]) -> None:
        """All its goals at once, and each by itself if cvc5 does not agree."""
        self.result.questions += 1
        self.result.goals += len(question.goals)
        if self._answer(question) == "unsat":
            return
        answers = [(goal, self._answer(question.only([goal]))) for goal in question.goals]
        doubted = [(goal, answer) for goal, answer in answers if answer != "unsat"]
        for goal, answer in doubted:
            self._doubt(question, goal, answer, claims)

    def _answer(self, question: Question) -> str:
        if time.process_time() > self._end:
            return "its time was over"
        return self._decide(self.wording.text(question))

    def _doubt(self, question: Question, goal: Goal, answer: str, claims: Sequence[str]) -> None:
        resting = tuple(claim for claim in claims if self._slice(claim).has(question, goal))
        path = self.wording.path(question)
        by = f" by {path}" if path else ""
        text = f"`{self.wording.goal(goal)}`, {self.wording.about(question)}{by}"
        self.result.doubts.append(Doubt(resting, text, answer))

    def _slice(self, claim: str) -> Slice:
        found = self._slices.get(claim)
        if found is None:
            found = self._slices[claim] = self.certificate.rests_on([claim])
        return found
