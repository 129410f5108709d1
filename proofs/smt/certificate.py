"""What a proof rests on: for each claim its obligations, and all facts and paths behind them.

A proof keeps facts at locations. Each fact is kept by every path that comes to its location, under facts at
the path's source; an obligation follows from facts at the place where it comes up. The certificate has each
of these as a question that must have no answer, whether a solver was asked it or intervals were enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulespec.compiler.core.tree import Origin
from rulespec.proofs.smt.houdini import Facts, Step
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.terms import Term, Terms

TOGETHER = 12  # obligations of one path that make one question
Leaning = Callable[[Step, Term], frozenset[Term]]


@dataclass(frozen=True)
class Met:
    """At a location, `goal` follows from `conditions` and the facts that it leans on.

    | kind | |
    |---|---|
    | `obligation` | something that a path has to meet |
    | `path` | the path goes no other way; of no one claim |
    | `measure` | going round a loop makes its measure fall |
    | `never` | the goal is false: the location is not reached |
    | `excluded` | the goal is that what is to be reachable does not hold here |
    | `offer` | two games that look alike do not differ in an offer; the goal is false |

    Of an offer, what it leans on is said of one of two games: `behind` are the facts as they were found.
    """

    claim: str
    kind: str
    location: Location
    conditions: tuple[Term, ...]
    goal: Term
    leans_on: frozenset[Term]
    text: str = ""
    origin: Origin = field(default=Origin(), compare=False)
    behind: tuple[tuple[Location, Term], ...] = ()

    @property
    def needs(self) -> tuple[tuple[Location, Term], ...]:
        """The facts that it leans on, with their locations."""
        if self.kind == "offer":
            return self.behind
        return tuple((self.location, fact) for fact in sorted(self.leans_on))


@dataclass(frozen=True)
class Goal:
    """`term` must follow, under `conditions` besides those of its question.

    `about` is the fact at the path's end that the term stands for, of a step; `met` what it belongs to, of
    everything else.
    """

    term: Term
    conditions: tuple[Term, ...] = ()
    about: Term | None = None
    met: Met | None = None


@dataclass(frozen=True)
class Question:
    """At `source`, `conditions` and `facts` hold, and yet one of the goals does not: this must be impossible.

    `step` is the path whose end the goals are about; None for what must be met at the source itself.
    """

    kind: str
    source: Location
    conditions: tuple[Term, ...]
    facts: tuple[Term, ...]
    goals: tuple[Goal, ...]
    step: Step | None = None

    def only(self, goals: Sequence[Goal]) -> Question:
        """The same question of some of its goals."""
        return replace(self, goals=tuple(goals))

    def broken(self, terms: Terms) -> Term:
        """Some goal does not hold where it comes up."""
        return terms.disj(terms.conj((*goal.conditions, terms.neg(goal.term))) for goal in self.goals)


@dataclass
class Slice:
    """What some claims rest on: what they meet themselves, the facts behind that by location, and by the
    number of a path those facts at its end that it has to keep.
    """

    met: list[Met] = field(default_factory=list)
    facts: dict[Location, set[Term]] = field(default_factory=dict)
    steps: dict[int, set[Term]] = field(default_factory=dict)

    def has(self, question: Question, goal: Goal) -> bool:
        """Whether the claims rest on this goal of a question."""
        if question.step is not None:
            return goal.about in self.steps.get(question.step.number, ())
        return goal.met in self.met


class Certificate:
    """Filled while a proof is made; afterwards it says what each claim rests on.

    `ghosts` are the variables that remember a loop's measure, each with the part that it remembers. `always`
    holds whatever is asked.
    """

    def __init__(self, terms: Terms, always: Iterable[Term] = ()) -> None:
        self.terms = terms
        self.always = tuple(always)
        self.ghosts: dict[int, Term] = {}
        self.met: list[Met] = []
        self.held: dict[str, list[tuple[Location, Term]]] = {}  # facts that a claim is, where it must hold
        self.steps: list[Step] = []
        self.facts: Facts = {}

    def holds(self, claim: str, location: Location, facts: Iterable[Term]) -> None:
        self.held.setdefault(claim, []).extend((location, fact) for fact in sorted(facts))

    def forget(self, claims: Iterable[str]) -> None:
        """Nothing was noted of these claims: they are decided anew."""
        gone = frozenset(claims)
        self.met = [met for met in self.met if met.claim not in gone]
        for claim in gone:
            self.held.pop(claim, None)

    def speaks_of(self, claim: str) -> bool:
        """Whether there is anything to ask for the claim: what is plain from the terms alone is not here."""
        return bool(self.held.get(claim)) or any(met.claim == claim for met in self.met)

    def rests_on(self, claims: Iterable[str], leaning: Leaning | None = None) -> Slice:
        """All that the claims need. `leaning` may know better than the proof what a path needs for a fact."""
        wanted = {*claims, ""}
        found = Slice([met for met in self.met if met.claim in wanted])
        waiting = [pair for claim in sorted(wanted) for pair in self.held.get(claim, ())]
        waiting += [pair for met in found.met for pair in met.needs]
        arriving: dict[Location, list[Step]] = {}
        for step in self.steps:
            arriving.setdefault(step.edge.target, []).append(step)
        while waiting:
            location, fact = waiting.pop()
            here = found.facts.setdefault(location, set())
            if fact in here:
                continue
            here.add(fact)
            for step in arriving.get(location, ()):
                found.steps.setdefault(step.number, set()).add(fact)
                lean = (leaning or self.lean)(step, fact)
                waiting.extend((step.edge.source, other) for other in sorted(lean))
        return found

    def lean(self, step: Step, fact: Term) -> frozenset[Term]:
        """The facts at the path's source that it takes to keep a fact at its end; all, where that is open."""
        known = step.leans_on.get(fact)
        return frozenset(self.facts.get(step.edge.source, ())) if known is None else known

    def background(self, asked: Iterable[Term]) -> list[Term]:
        """What of `always` speaks of the variables of these terms, or of what that speaks of."""
        known: frozenset[int] = frozenset().union(*(term.variables for term in asked))
        found: list[Term] = []
        left = [each for each in self.always if not each.variables.isdisjoint(known)]
        while left:
            found += left
            known = known.union(*(each.variables for each in left))
            left = [e for e in self.always if e not in found and not e.variables.isdisjoint(known)]
        return found

    # --- as questions --------------------------------------------------------------------------------------

    def questions(self, found: Slice) -> list[Question]:
        """Everything that has to have no answer: for each path one, and for what paths have to meet.

        A fact that is said at a path's source in the very words in which it is needed takes no question.
        """
        steps = (
            self._kept(step, found.steps[step.number]) for step in self.steps if step.number in found.steps
        )
        return [*(question for question in steps if question.goals), *_in_groups(found.met)]

    def _kept(self, step: Step, facts: Iterable[Term]) -> Question:
        goals: list[Goal] = []
        needed: set[Term] = set()
        for fact in sorted(facts):
            goal = self.terms.substitute(fact, step.store, step.memo)
            lean = self.lean(step, fact)
            if goal not in lean and goal is not self.terms.true:
                needed |= lean
                goals.append(Goal(goal, about=fact))
        edge = step.edge
        return Question("step", edge.source, edge.conditions, tuple(sorted(needed)), tuple(goals), step)


def _in_groups(met: Sequence[Met]) -> Iterator[Question]:
    """What one path meets in turn makes one question."""
    groups: dict[tuple[str, Location], list[list[Met]]] = {}
    for each in met:
        known = groups.setdefault((each.kind, each.location), [[]])
        before = known[-1][-1].conditions if known[-1] else ()
        fits = each.conditions[: len(before)] == before
        if known[-1] and (not fits or len(known[-1]) == TOGETHER):
            known.append([])
        known[-1].append(each)
    for (kind, location), found in groups.items():
        for group in found:
            first = group[0].conditions
            goals = tuple(Goal(m.goal, m.conditions[len(first) :], met=m) for m in group)
            facts = frozenset().union(*(m.leans_on for m in group))
            yield Question(kind, location, first, tuple(sorted(facts)), goals)
