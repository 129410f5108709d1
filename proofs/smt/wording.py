"""Questions of a certificate in words, and as SMT-LIB text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulespec.compiler.core.tree import Core, Origin
from rulespec.proofs.claims import Claims, rule_of
from rulespec.proofs.smt.certificate import Certificate, Goal, Met, Question
from rulespec.proofs.smt.language import Language
from rulespec.proofs.smt.paths import Location
from rulespec.proofs.smt.smtlib import Assertion, script
from rulespec.proofs.smt.terms import Term

CONTROL = {
    "head": "each time round {}",
    "choice": "where somebody chooses in {}",
    "chance": "where chance decides in {}",
    "end": "where the game is over",
}


class Wording:
    """Words for one certificate."""

    def __init__(self, core: Core, claims: Claims, certificate: Certificate) -> None:
        self.core = core
        self.claims = claims
        self.certificate = certificate
        plain = Language(core, certificate.terms)
        before = {key: f"before({plain.say(part)})" for key, part in certificate.ghosts.items()}
        self.language = Language(core, certificate.terms, names=before)
        self.symbols = {key: self.language.name(key) for key in certificate.terms.names}
        self._titles = {rule.name: rule for rule in core.rules}

    # --- in words ------------------------------------------------------------------------------------------

    def place(self, location: Location, *, apart: bool = True) -> str:
        """`where somebody chooses in `ask` (The ascending auction, @rb(39))`.

        `apart`: with what tells the copies of one place from each other.
        """
        if location.kind == "start":
            return "before the game begins"
        block = self.core.block[location.block]
        text = CONTROL[location.kind].format(f"`{location.block}`")
        told = [f"{slot} {value}" for slot, value in location.stack] if apart else []
        return f"{text}{self._rule(rule_of(block))}{' with ' if told else ''}{', '.join(told)}"

    def rule(self, origin: Origin) -> str:
        """The rule that something comes from, with its citation."""
        cited = f" {origin.citation}" if origin.citation else ""
        info = self._titles.get(origin.rule)
        return f"{info.title or info.name if info else ''}{cited}".strip()

    def rule_named(self, name: str) -> str:
        """`Ascending auction @rb(39)`."""
        info = self._titles.get(name)
        if info is None:
            return name
        return f"{info.title or info.name} {info.citation}" if info.citation else info.title or info.name

    def _rule(self, name: str) -> str:
        info = self._titles.get(name)
        if info is None:
            return ""
        cited = f", {info.citation}" if info.citation else ""
        return f" ({info.title or info.name}{cited})"

    def goal(self, goal: Goal) -> str:
        """What has to follow."""
        if goal.about is not None:
            return self.language.say(goal.about)
        assert goal.met is not None, "a goal is about a fact or met something"
        return self.met(goal.met)

    def met(self, met: Met) -> str:
        title = self.claims.all[met.claim].title if met.claim in self.claims.all else ""
        claim = f"{met.claim} ({title})" if title else met.claim
        rule = self.rule(met.origin)
        text = met.text.replace("leaves its range", "stays in its range")
        text = text.replace("starts outside its range", "starts in its range")
        told = ", ".join(each for each in (text, rule) if each)
        return f"{claim or 'the path goes no other way'}: {told}"

    def about(self, question: Question) -> str:
        """In one line which question it is."""
        if question.step is None:
            return f"what must be met {self.place(question.source)}"
        return f"what is kept from {self.place(question.source)} to {self.place(question.step.edge.target)}"

    def path(self, question: Question) -> str:
        """The blocks that a step goes through."""
        if question.step is None:
            return ""
        edge = question.step.edge
        chosen = f"{edge.label}: " if edge.label else ""
        return chosen + " > ".join(edge.trail)

    # --- as text for a solver ------------------------------------------------------------------------------

    def text(self, question: Question) -> str:
        """What is asked, with no more comments than it takes to find it again."""
        return script([self.about(question)], self._plain(question), self.symbols)

    def told(self, question: Question, claims: Sequence[str]) -> str:
        """What is asked, for people to read; `claims` rest on it."""
        return script(self._comments(question, claims), list(self._explained(question)), self.symbols)

    def broken(self, question: Question) -> Term:
        return question.broken(self.certificate.terms)

    def _plain(self, question: Question) -> list[Assertion]:
        asked = (*question.conditions, *question.facts, self.broken(question))
        return [Assertion(t) for t in (*asked, *self.certificate.background(asked))]

    def _explained(self, question: Question) -> Iterator[Assertion]:
        said = (c for c in question.conditions if c.op != "true")
        for number, condition in enumerate(said):
            yield Assertion(condition, "" if number else "The path is taken:")
        for fact in question.facts:
            yield Assertion(fact, f"Known at its beginning: {self.language.say(fact)}")
        broken = self.broken(question)
        yield Assertion(broken, "And yet one of the things above fails:")
        limits = self.certificate.background((*question.conditions, *question.facts, broken))
        for number, limit in enumerate(limits):
            yield Assertion(limit, "" if number else "Numbers that no source has keep within limits:")

    def _comments(self, question: Question, claims: Sequence[str]) -> Iterator[str]:
        configuration = self.core.configuration
        yield f"{configuration.game}, {configuration.players} players: {self.about(question)}."
        if question.step is not None:
            yield f"Path: {self.path(question)}"
        else:
            yield f"Everything here is said {self.place(question.source)}."
        kept = "What holds at the end of the path" if question.step else "What is met"
        yield f"{kept}, so that the answer must be unsat:"
        for goal in question.goals:
            yield f"- {self.goal(goal)}"
        if claims:
            yield f"Rest on it: {_several(claims)}"


def _several(names: Iterable[str], most: int = 6) -> str:
    found = list(names)
    more = len(found) - most
    return "; ".join(found[:most]) + (f"; and {more} more" if more > 0 else "")
