"""The list of deliberate bugs: slips of the pen that make the verifier say too much, and what catches each.

Facts that are proposed need not be right, so there is none in how they are found; and none that only makes
the verifier prove less.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bugs import Bug

from rulespec.proofs.smt import locations, measures
from rulespec.proofs.smt.bounds import Bounds
from rulespec.proofs.smt.encode import Encoder
from rulespec.proofs.smt.houdini import Houdini, Step
from rulespec.proofs.smt.paths import Walker
from rulespec.proofs.smt.prove import Prover
from rulespec.proofs.smt.solver import Solver
from rulespec.proofs.smt.terms import Terms

_OPTIONS = "for option in choose.options:"
_LESS_ONE = "for option in choose.options[: max(1, len(choose.options) - 1)]:"
_FIRST = "self.encoder.sound_truth(option.guard, scope.store, scope.names)"
_HEAD = 'self._arrive(name, "head", state)'
_ORDER = "self.terms.disj((fails, self.terms.conj((*between, result))))"
_LAST = "fails if result is self.terms.false else self.terms.conj((*between, result))"
_NOTED = "self._obligations.append("

_WALKING: list[tuple[str, Callable[..., Any], str, str, str]] = [
    (
        "a condition is not turned round on the other way of a branch",
        Walker._branch,
        "test if value else self.terms.neg(test)",
        "test",
        "combination_lock",
    ),
    (
        "a way that is open is taken for closed",
        Walker._branch,
        "known is not (not value)",
        "known is value or (known is None and value)",
        "nobody_asked",
    ),
    (
        "what one side of an `if` alone sets is lost",
        Walker._if,
        "taken.keys() | state.store.keys()",
        "taken.keys() & state.store.keys()",
        "lock.core",
    ),
    (
        "both sides of an `if` leave what the first does",
        Walker._if,
        "self.terms.ite(test, a, b)",
        "a",
        "ways.core",
    ),
    (
        "what is set at an index that is not known is lost",
        Walker.write,
        "hit is not self.terms.false",
        "hit is self.terms.true",
        "double_in_a_tie",
    ),
    (
        "what is set at an index is set before it too",
        Walker._is_at,
        "self.terms.eq(index,",
        "self.terms.le(index,",
        "nobody_asked",
    ),
    (
        "one more than the most is let through",
        Walker._set,
        "slot.low, slot.high)",
        "slot.low, slot.high + 1)",
        "one_step_too_far",
    ),
    (
        "no range is asked for",
        Walker._set,
        "inside = self.encoder.within(value, slot.low, slot.high)",
        "inside = self.terms.true",
        "empty_purse.core",
    ),
    (
        "what must hold is assumed before it is asked for",
        Walker._note,
        _NOTED,
        f"state.assume(found.claim); {_NOTED}",
        "least_of_nothing.core",
    ),
    (
        "inside an `if`, what must hold is asked for where its condition fails",
        Walker._claim,
        "self.terms.neg(g) for g in scope.guards",
        "g for g in scope.guards",
        "looks.core",
    ),
    (
        "a check is taken for granted",
        Walker._statement,
        "self._claim(kind, block.name, text, test, state, scope, self._origin, block)",
        "state.assume(test)",
        "half_down.core",
    ),
    (
        "the last round of a `for` is left out",
        Walker._statement,
        "range(low, high + 1)",
        "range(low, high)",
        "rounded_up_twice",
    ),
    (
        "a rule goes back to where another was called from",
        Walker._switch,
        "self.terms.integer(number)",
        "self.terms.integer(len(targets) - 1 - number)",
        "ways.core",
    ),
    (
        "every slot begins with its least",
        Walker._begin,
        "[v for slot in self.core.slots for v in slot.initial]",
        "[slot.low for slot in self.core.slots for v in slot.initial]",
        "nobody_asked",
    ),
    (
        "a way straight back to a loop's head is missed",
        Walker._enter,
        _HEAD,
        f"self._source.block == name or {_HEAD}",
        "stalled_measure.core",
    ),
]

_ASKING: list[tuple[str, Callable[..., Any], str, str, str]] = [
    (
        "a guard is forgotten where a move is looked for",
        Walker._opening,
        f"return {_FIRST}",
        "return self.terms.true",
        "empty_choice.core",
    ),
    (
        "a guard that no parameter is in is forgotten there",
        Walker._opening,
        "self.terms.conj((self.terms.le(low, high), guard))",
        "self.terms.le(low, high)",
        "ways.core",
    ),
    (
        "a parameter's limits are forgotten there",
        Walker._opening,
        "self.terms.conj((self.terms.le(low, chosen), self.terms.le(chosen, high)))",
        "self.terms.true",
        "ways.core",
    ),
    ("the last option is not looked at", Walker._choices, _OPTIONS, _LESS_ONE, "stalled_measure.core"),
    (
        "a parameter never takes its most",
        Walker._option,
        "self.terms.le(value, high)",
        "self.terms.lt(value, high)",
        "late_bound.core",
    ),
    (
        "a guard is turned round",
        Walker._option,
        "state.assume(guard)",
        "state.assume(self.terms.neg(guard))",
        "equal_bids",
    ),
    (
        "what a player names is not kept",
        Walker._option,
        "self.write(state.store, slot, (), value)",
        "pass",
        "late_bound.core",
    ),
    (
        "a seat beyond the last may be asked",
        Walker._choices,
        "self.core.configuration.players - 1",
        "self.core.configuration.players",
        "wrong_seat.core",
    ),
    (
        "an outcome with weight 1 is left out",
        Walker._outcome,
        "self.terms.lt(self.terms.zero, weight)",
        "self.terms.lt(self.terms.one, weight)",
        "rolled_for_ever",
    ),
    (
        "no outcome is as good as one",
        Walker._outcomes,
        "self.terms.lt(zero, self.terms.total(",
        "self.terms.le(zero, self.terms.total(",
        "no_outcome.core",
    ),
    (
        "a weight below 0 is let through",
        Walker._outcomes,
        "*(self.terms.le(zero, w) for w in weights.values()),",
        "",
        "ways.core",
    ),
    (
        "the last of many outcomes never happens",
        Walker._outcomes,
        'fresh("outcome", chance.low, chance.high)',
        'fresh("outcome", chance.low, chance.high - 1)',
        "ways.core",
    ),
]

_READING: list[tuple[str, Callable[..., Any], str, str, str]] = [
    (
        "an element reads as it was before the path",
        Encoder.element,
        "scope.store.get(position)",
        "None",
        "late_bound.core",
    ),
    (
        "an index of one too many is let through",
        Encoder.indices,
        "len(dim.names) - 1",
        "len(dim.names)",
        "looks.core",
    ),
    (
        "an index below 0 is let through",
        Encoder.indices,
        "self.within(at, 0,",
        "self.within(at, -1,",
        "looks.core",
    ),
    (
        "an index finds the element beside its own",
        Encoder._pick,
        "self.terms.le(at, self.terms.integer(value))",
        "self.terms.lt(at, self.terms.integer(value))",
        "double_in_a_tie",
    ),
    (
        "a table's element is the one before it",
        Encoder.cell,
        "table.values[position]) if",
        "table.values[max(0, position - 1)]) if",
        "numbers.core",
    ),
    (
        "the right side of an `or` is taken to be looked at where the left holds",
        Encoder._in_turn,
        "value if neutral else terms.neg(value)",
        "terms.neg(value) if neutral else value",
        "looks.core",
    ),
    (
        "the other case is taken to be looked at under the condition",
        Encoder.number,
        "with under(scope, terms.neg(c)):",
        "with under(scope, c):",
        "looks.core",
    ),
    (
        "a sum leaves out the last",
        Encoder._fold_number,
        "range(fold.low, fold.high + 1)",
        "range(fold.low, fold.high)",
        "equal_bids",
    ),
    (
        "a sum forgets its `where`",
        Encoder._fold_number,
        "terms.ite(where, value, terms.zero)",
        "value",
        "numbers.core",
    ),
    (
        "`all` leaves out the last",
        Encoder._fold_in_order,
        "range(fold.low, fold.high + 1)",
        "range(fold.low, fold.high)",
        "only_three_players",
    ),
    (
        "`any` forgets its `where`",
        Encoder._fold_in_order,
        "self.terms.conj((where, body))",
        "body",
        "numbers.core",
    ),
    (
        "the greatest is the least",
        Encoder._extreme,
        'fold.operator == "min"',
        'fold.operator != "min"',
        "numbers.core",
    ),
    (
        "the least of nothing is something",
        Encoder._extreme,
        'self.need(scope, "empty", some, f"{fold.operator} over nothing")',
        "pass",
        "blamed_elsewhere",
    ),
    (
        "a fold over some remainders is one over all",
        Encoder._turned,
        "len(set(shifted)) != 1 or shifted[0].right != Const(fold.high + 1)",
        "len(set(shifted)) != 1",
        "numbers.core",
    ),
]

_RECKONING: list[tuple[str, Callable[..., Any], str, str, str]] = [
    ("less is at most", Terms.compare, "return self.lt(a, b)", "return self.le(a, b)", "lock.core"),
    ("the lesser is the greater", Terms.minimum, "self.le(a, b)", "self.le(b, a)", "numbers.core"),
    ("the greater is the lesser", Terms.maximum, "self.le(a, b)", "self.le(b, a)", "numbers.core"),
    (
        "a quotient is rounded up",
        Terms._quotient,
        "self.integer(k * q)",
        "self.integer(k * q - k + 1)",
        "half_below_nothing",
    ),
    (
        "a quotient is rounded towards 0",
        Terms.div,
        "self.linear(const // k,",
        "self.linear(int(const / k),",
        "numbers.core",
    ),
    (
        "a remainder has the sign of what is divided",
        Terms.mod,
        "-k * (inside.low // k)",
        "-k * int(inside.low / k)",
        "numbers.core",
    ),
    (
        "the interval of a difference is that of a sum",
        Terms.linear,
        "(a.low, a.high) if c > 0 else (a.high, a.low)",
        "(a.low, a.high)",
        "half_down.core",
    ),
    (
        "what may be 1 is below 1",
        Terms._below,
        "t.high <= 0",
        "t.high <= 1",
        "late_bound.core",
    ),
    (
        "a product forgets the least of its factor",
        Terms.mul,
        "range(a.high - 1, a.low - 1, -1)",
        "range(a.high - 1, a.low, -1)",
        "numbers.core",
    ),
    (
        "what two cases have in common is lost",
        Terms.ite,
        "(1, self.linear(0, common))",
        "(0, self.linear(0, common))",
        "lock.core",
    ),
    (
        "a lower limit is rounded up once more",
        Bounds._bound,
        "-(-least // c)",
        "least // c + 1",
        "stalled_measure.core",
    ),
    (
        "what one way of a branch learns, the other knows too",
        Bounds.copy,
        "dict(self._known)",
        "self._known",
        "late_bound.core",
    ),
    (
        "one of several that may hold is taken to hold",
        Bounds._learn,
        "if len(left) == 1:",
        "if left:",
        "lock.core",
    ),
    (
        "a number is never the most of its range",
        Solver._variable,
        "self._number(term.high)",
        "self._number(term.high - 1)",
        "numbers.core",
    ),
]

_PROVING: list[tuple[str, Callable[..., Any], str, str, str]] = [
    (
        "what leant on a fact that fell stays",
        Step.reopen,
        "self.open |= shaken",
        "pass",
        "combination_lock",
    ),
    (
        "facts lean on nothing nearby",
        Houdini._not_near,
        "(fact, near) for fact in stands_for",
        "(fact, _NOTHING) for fact in stands_for",
        "combination_lock",
    ),
    (
        "a fact about what a path sets is taken to stay",
        Houdini._open_goals,
        "if not changed.isdisjoint(fact.variables):",
        "if fact.variables <= changed:",
        "two_majors",
    ),
    (
        "what intervals do not refute counts as shown",
        Houdini._open_goals,
        "self._conditions(step).truth(goal) is True",
        "self._conditions(step).truth(goal) is not False",
        "late_bound.core",
    ),
    (
        "a measure may go below 0",
        Prover._falls_on,
        "self.terms.le(self.terms.zero, part) for part in now",
        "self.terms.true for part in now",
        "measure_goes_below",
    ),
    (
        "a measure may stay as it is",
        measures.falls,
        "terms.lt(a, b)",
        "terms.le(a, b)",
        "stalled_measure.core",
    ),
    (
        "only one way round a loop is looked at",
        locations._loops,
        "tuple(e for e in inner if e.target == head)",
        "tuple(e for e in inner if e.target == head)[:1]",
        "stalled_measure.core",
    ),
    (
        "nothing is asked of the end",
        Prover._stated,
        "location.kind not in WAITING",
        'location.kind not in ("choice", "chance")',
        "ways.core",
    ),
    (
        "a claim holds here because it holds elsewhere",
        Prover._missing,
        "here - self.proof.facts[location]",
        "here - set().union(*self.proof.facts.values())",
        "going_backwards",
    ),
    (
        "of what must hold one after the other only the last is asked",
        Prover._one_fails,
        _ORDER,
        _LAST,
        "empty_purse.core",
    ),
    (
        "what cannot be at one place cannot be at all",
        Prover._reachable,
        "finding.excluded = all(",
        "finding.excluded = any(",
        "odd_after_all",
    ),
]

BUGS = tuple(Bug(*each) for each in (*_WALKING, *_ASKING, *_READING, *_RECKONING, *_PROVING))
