"""Terms in words of the rules language: what a proof found, ready to be read, or to be pasted as a `hint`.

Elements of the record are said as the rules write them. What is there for each member of a domain alike is
said once: facts as `all p in players: ...`, parts of sums as `size(pile)`, `sum(... for ...)`, `count(...)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from rulespec.compiler.core.tree import Core, Domain, Slot
from rulespec.proofs.smt.families import Family, Member, Named, folded
from rulespec.proofs.smt.terms import Term, Terms, split

# How tightly a text holds together, loosest first.
QUANTIFIED, IMPLIED, EITHER, BOTH, NEGATED, COMPARED, ADDED, TIMES, WHOLE = range(9)
FEW = 3  # values of a member that are said one by one
LONGEST = 3000  # parts of what is said; of a term that shares parts the text may be very much longer
PLAIN = ""  # the unit of what has none
Sum = tuple[int, list[tuple[int, Term]]]


@dataclass(frozen=True)
class Element:
    """An element of the record: its slot, and its index in each dimension."""

    slot: Slot
    index: tuple[int, ...]

    @property
    def is_truth(self) -> bool:
        return self.slot.domain.name == "Bool"

    @property
    def is_member(self) -> bool:
        return bool(self.slot.domain.names) and not self.is_truth


class Language:
    """Says terms of one core.

    `rule` is the rule whose own names are known where the text shall stand, "" for a place outside of rules.
    `names` say variables that are no elements of the record, such as ghosts, better than `terms` does.
    """

    def __init__(
        self, core: Core, terms: Terms, rule: str = "", names: Mapping[int, str] | None = None
    ) -> None:
        self.core = core
        self.terms = terms
        self.names = {**terms.names, **(names or {})}
        self.rule = rule
        self.elements = [Element(slot, index) for slot in core.slots for index in _indices(slot.dims)]
        self.domains = {d.name: d for slot in core.slots for d in (*slot.dims, _bare(slot.domain)) if d.names}
        self._mentioned: dict[Term, frozenset[Member]] = {}
        self._lengths: dict[Term, int] = {}
        self._taken = self._names_taken()

    def say(self, term: Term, named: Named = ()) -> str:
        """A number or truth value, in one line."""
        return _Saying(self, dict(named)).any(term)[0]

    def can_say(self, term: Term, named: Named = ()) -> bool:
        """Whether the text compiles, in the rule or outside of rules, to something with the same value."""
        saying = _Saying(self, dict(named))
        saying.any(term)
        return not saying.faults

    def tell(self, facts: Iterable[Term], *, to_paste: bool = False) -> tuple[str, ...]:
        """Facts that all hold; those that are alike for each member of a domain together. Sorted.

        `to_paste`: only those that compile, as a `hint` or, in a rule, as what a loop `keeps`.
        """
        families = self.families(facts)
        chosen = (f for f in families if not to_paste or self.can_say(f.term, f.named))
        return tuple(sorted(self.quantified("all", family) for family in chosen))

    def families(self, facts: Iterable[Term]) -> list[Family]:
        """The facts, grouped with those that differ from them only in a member."""
        return folded(sorted(facts), self.say, self.mentions, self.variable, self.domains)

    def quantified(self, quantifier: str, family: Family) -> str:
        text = self.say(family.term, family.named)
        return f"{quantifier} {self.binders(family)}: {text}" if family.binders else text

    def binders(self, family: Family) -> str:
        """`p in players, q in others of p`."""
        return ", ".join(f"{name} in {_domain(domain, apart)}" for name, domain, apart in family.binders)

    def mentions(self, term: Term) -> frozenset[Member]:
        """Members that the text names; none of a text that is not written out."""
        found = self._mentioned.get(term)
        if found is None:
            saying = _Saying(self, {})
            saying.any(term)
            found = self._mentioned[term] = frozenset(saying.met)
        return found

    def variable(self, domain: str, used: Iterable[str]) -> str:
        """A name for a member of the domain that nothing else has."""
        letter = domain[:1].lower()
        wanted = ("p", "q") if domain == "Player" else (letter,)
        taken = self._taken | set(used)
        later = (f"{wanted[0]}{n}" for n in range(2, 100) if domain != "Player")
        spare = (f"{domain.lower()}_{n}" for n in range(1, 1000))
        for name in chain(wanted, later, spare):
            if name not in taken:
                return name
        raise ValueError(f"no name is left for {domain}")

    def length(self, term: Term) -> int:
        """How many parts the text has."""
        found = self._lengths.get(term)
        if found is None:
            found = self._lengths[term] = 1 + sum(self.length(kid) for kid in term.kids)
        return found

    def unit(self, term: Term) -> frozenset[str]:
        """The units of what a number is made of."""
        match term.op:
            case "var":
                element = self.element(term)
                if element is None or element.slot.domain.names or not element.slot.said:
                    return frozenset()
                return frozenset((element.slot.domain.name,)) - {"Int"}
            case "int" | "ind":
                return frozenset()
            case "ite":
                return self.unit(term.kids[1]) | self.unit(term.kids[2])
        return frozenset().union(*(self.unit(kid) for kid in term.kids))

    def name(self, key: int) -> str:
        """What a variable is called."""
        if key < len(self.elements):
            return _Saying(self, {}).element(self.elements[key])
        return self.names.get(key, f"v{key}")

    def element(self, variable: Term) -> Element | None:
        key = variable.number
        return self.elements[key] if 0 <= key < len(self.elements) else None

    def _names_taken(self) -> set[str]:
        slots = {part for slot in self.core.slots if slot.role == "state" for part in slot.name.split(".")}
        local = {slot.name.split(".")[1] for slot in self.core.slots if slot.name.startswith(f"{self.rule}.")}
        others = {rule.name for rule in self.core.rules} | {name for name, _ in self.core.params}
        members = {name for domain in self.domains.values() for name in domain.names}
        return (
            slots | local | others | members | set(self.domains) | {table.name for table in self.core.tables}
        )


@dataclass
class _Saying:
    """One text in the making. `named` are members that have a variable instead, `met` those that were named;
    `faults` say why it would not compile, or not to the same.
    """

    language: Language
    named: dict[Member, str]
    met: set[Member] = field(default_factory=set)
    faults: set[str] = field(default_factory=set)

    def any(self, term: Term) -> tuple[str, int]:
        if self.language.length(term) > LONGEST:
            self.faults.add("it is too long")
            return "...", WHOLE
        if term.op in ("int", "var", "lin", "ind", "ite", "div", "mod", "mul"):
            return self.number(term, self.unit_of((term,)))
        return self.truth(term)

    # --- truth values --------------------------------------------------------------------------------------

    def truth(self, term: Term) -> tuple[str, int]:
        match term.op:
            case "true" | "false":
                return term.op, WHOLE
            case "and":
                return self._all_of(term.kids)
            case "or":
                return self._some_of(term.kids)
        return self._comparison(term)

    def _opposite(self, term: Term) -> Term:
        return self.language.terms.neg(term)

    def _all_of(self, parts: Sequence[Term]) -> tuple[str, int]:
        return _joined(" and ", BOTH, [self._each("all", family) for family in self._folded(parts)])

    def _some_of(self, parts: Sequence[Term]) -> tuple[str, int]:
        """As an implication where some parts are plain tests, which are then its premises."""
        premises = [p for p in parts if p.op in ("ne", "le") and len(p.variables) == 1]
        rest = [p for p in parts if p not in premises]
        if premises and rest:
            first = _joined(" and ", BOTH, [self.truth(self._opposite(p)) for p in premises])
            second = self._some_of(rest) if len(rest) > 1 else self.truth(rest[0])
            return f"{_within(*first, IMPLIED)} implies {_within(*second, IMPLIED - 1)}", IMPLIED
        return _joined(" or ", EITHER, [self._each("any", family) for family in self._folded(parts)])

    def _each(self, quantifier: str, family: Family) -> tuple[str, int]:
        inner = self._under(family)
        text, level = inner.truth(family.term)
        self._heard(inner)
        if not family.binders:
            return text, level
        return f"{quantifier} {self.language.binders(family)}: {text}", QUANTIFIED

    def _comparison(self, term: Term) -> tuple[str, int]:
        const, atoms = split(term.kids[0])
        items = sorted(((c, a) for a, c in atoms.items()), key=lambda item: item[1].id)
        if len(items) == 1:
            return self._of_one(term, const, items[0][0], items[0][1])
        if len(items) == 2:
            found = self._of_two(term.op, const, items)
            if found is not None:
                return found
        return self._sides(term.op, const, items)

    def _of_one(self, term: Term, const: int, c: int, atom: Term) -> tuple[str, int]:
        """A comparison of one atom with a number."""
        element = self.language.element(atom) if atom.op == "var" else None
        if self._is_truth(atom):
            return self._flag(atom, _holds(term.op, const + c))
        if element is not None and element.is_member:
            low, high = _ends(atom)
            passing = [v for v in range(low, high + 1) if _holds(term.op, const + c * v)]
            return self._one_of(element, passing, low, high)
        return self._sides(term.op, const, [(c, atom)])

    def _of_two(self, op: str, const: int, items: Sequence[tuple[int, Term]]) -> tuple[str, int] | None:
        """Two truth values, or two members of one domain, compared with each other."""
        (c, a), (d, b) = items
        if abs(c) != 1 or abs(d) != 1:
            return None
        if self._is_truth(a) and self._is_truth(b):
            return self._two_truths(op, const, items)
        first, second = (self.language.element(x) if x.op == "var" else None for x in (a, b))
        if const or c + d or first is None or second is None or not (first.is_member and second.is_member):
            return None
        domains = (first.slot.domain, second.slot.domain)
        if _bare(domains[0]).name != _bare(domains[1]).name:
            return None
        if op == "le" and any(domain.low < 0 for domain in domains):
            return None
        if c < 0 and op == "le":
            first, second = second, first
        texts = [self.element(first), self.element(second)]
        return f"{texts[0]} {SIGNS[op]} {texts[1]}", COMPARED

    def _two_truths(self, op: str, const: int, items: Sequence[tuple[int, Term]]) -> tuple[str, int] | None:
        (c, a), (d, b) = items
        if op != "le":
            if const or c + d:
                return None
            texts = sorted((self._flag(a, True)[0], self._flag(b, True)[0]))
            return f"({texts[0]}) {SIGNS[op]} ({texts[1]})", COMPARED
        if const == 0 and c + d == 0:
            premise, then = (a, b) if c > 0 else (b, a)
            first, second = self._flag(premise, True), self._flag(then, True)
            return f"{_within(*first, IMPLIED)} implies {_within(*second, IMPLIED)}", IMPLIED
        if const == 1 and c == d == -1:
            return _joined(" or ", EITHER, [self._flag(x, True) for x in (a, b)])
        if const == -1 and c == d == 1:
            return f"not ({_joined(' and ', BOTH, [self._flag(x, True) for x in (a, b)])[0]})", NEGATED
        return None

    def _sides(self, op: str, const: int, items: Sequence[tuple[int, Term]]) -> tuple[str, int]:
        """What is added on the left, what is taken away on the right."""
        unit = self.unit_of([a for _, a in items])
        left = [(c, a) for c, a in items if c > 0]
        right = [(-c, a) for c, a in items if c < 0]
        sign = SIGNS[op]
        if op == "le" and not right and const == 0 and all(a.low == 0 for _, a in left):
            sign = "="
        if not left and op == "le":
            first, second, sign = self._sum(0, right, unit), str(const), ">="
            return f"{first} {sign} {second}", COMPARED
        if not left:
            left, right, const = right, left, -const
        if op == "le" and const == 1 and right:
            const, sign = 0, "<"
        first = self._sum(max(const, 0) if right else 0, left, unit)
        second = self._sum(max(-const, 0), right, unit) if right else str(-const)
        if unit != PLAIN and not any(self.language.unit(a) for _, a in left):
            first, second, sign = second, first, TURNED.get(sign, sign)
        return f"{first} {sign} {second}", COMPARED

    def _is_truth(self, atom: Term) -> bool:
        element = self.language.element(atom) if atom.op == "var" else None
        return atom.op == "ind" or (element is not None and element.is_truth)

    def _flag(self, atom: Term, value: bool) -> tuple[str, int]:
        """That a truth value in a slot, or one counted, is as `value` says."""
        if atom.op == "ind":
            return self.truth(atom.kids[0] if value else self._opposite(atom.kids[0]))
        element = self.language.element(atom)
        assert element is not None
        text = self.element(element)
        if text.startswith("not "):
            return (text, NEGATED) if value else (text.removeprefix("not "), COMPARED)
        level = COMPARED if " in " in text else WHOLE
        if value:
            return text, level
        parts = text.split(" in ")
        return (f"{parts[0]} not in {parts[1]}", COMPARED) if len(parts) == 2 else (f"not {text}", NEGATED)

    def _one_of(self, element: Element, passing: Sequence[int], low: int, high: int) -> tuple[str, int]:
        """A member is one of those with these numbers."""
        text = self.element(element)
        rest = [v for v in range(low, high + 1) if v not in passing]
        if len(passing) == 1:
            return self._is(text, element, passing[0], True)
        if len(rest) == 1:
            return self._is(text, element, rest[0], False)
        if passing and element.slot.domain.low == 0 and min(len(passing), len(rest)) > FEW:
            for sign, end, at in (("<=", low, passing[-1]), (">=", high, passing[0])):
                if end in passing and passing[-1] - passing[0] + 1 == len(passing):
                    return f"{text} {sign} {self.member(element.slot.domain, at)}", COMPARED
        if len(passing) <= len(rest):
            return _joined(" or ", EITHER, [self._is(text, element, v, True) for v in passing])
        return _joined(" and ", BOTH, [self._is(text, element, v, False) for v in rest])

    def _is(self, text: str, element: Element, value: int, truth: bool) -> tuple[str, int]:
        name = self.member(element.slot.domain, value)
        if name == "none":
            return (f"{text} is none", COMPARED) if truth else (f"not {text} is none", NEGATED)
        return f"{text} {'=' if truth else '!='} {name}", COMPARED

    # --- numbers -------------------------------------------------------------------------------------------

    def unit_of(self, terms: Iterable[Term]) -> str:
        found: frozenset[str] = frozenset().union(*(self.language.unit(t) for t in terms))
        if len(found) > 1:
            self.faults.add(f"{' and '.join(sorted(found))} do not mix")
        return min(found, default=PLAIN)

    def number(self, term: Term, unit: str) -> tuple[str, int]:
        match term.op:
            case "int":
                return str(term.number), WHOLE if term.number >= 0 else ADDED
            case "lin":
                const, atoms = split(term)
                items = [(c, a) for a, c in atoms.items()]
                return self._sum(const, items, unit), ADDED
        text, level = self._atom(term)
        if unit != PLAIN and not self.language.unit(term):
            return f"1 * {_within(text, level, TIMES)}", TIMES
        return text, level

    def _atom(self, term: Term) -> tuple[str, int]:
        unit = self.unit_of((term,))
        if self._is_truth(term):
            return f"(1 if {_within(*self._flag(term, True), QUANTIFIED)} else 0)", WHOLE
        match term.op:
            case "var":
                return self._variable(term)
            case "ite":
                test, then, other = term.kids
                extreme = extreme_of(self.language.terms, test, then, other)
                if extreme:
                    return self._extreme(extreme, (then, other), unit)
                if unit != PLAIN and not self.language.unit(then):
                    test, then, other = self._opposite(test), other, then
                first, second = self.number(then, unit)[0], self.number(other, unit)[0]
                return f"({first} if {_within(*self.truth(test), QUANTIFIED)} else {second})", WHOLE
            case "div" | "mod":
                text, level = self.number(term.kids[0], unit)
                return f"{text if level >= WHOLE else f'({text})'} {term.op} {term.number}", TIMES
        texts = [self.number(kid, self.unit_of((kid,))) for kid in term.kids]
        return " * ".join(text if level > TIMES else f"({text})" for text, level in texts), TIMES

    def _extreme(self, name: str, parts: Sequence[Term], unit: str) -> tuple[str, int]:
        """The greatest or least of several; of all members alike, `max(p.purse for p in players)`."""
        families = self._folded(sorted(set(_parts_of(self.language.terms, name, parts))))
        texts: list[str] = []
        for family in families:
            inner = self._under(family)
            text = inner.number(family.term, unit)[0]
            self._heard(inner)
            texts.append(f"{name}({text} for {self.language.binders(family)})" if family.binders else text)
        # By what has a unit the rest is read; a number alone is what it is compared with.
        texts.sort(key=lambda text: (text.lstrip("-").isdigit(), "1 * " in text, text))
        said = texts.pop()
        while texts:
            said = f"{name}({texts.pop()}, {said})"
        return said, WHOLE

    def _variable(self, term: Term) -> tuple[str, int]:
        element = self.language.element(term)
        if element is None:
            self.faults.add("the rules have no name for it")
            return self.language.names.get(term.number, f"v{term.number}"), WHOLE
        text = self.element(element)
        if element.is_member:
            low, high = _ends(term)
            tests = [(v, self._is(text, element, v, True)[0]) for v in range(low, high)]
            return "(" + "".join(f"{v} if {test} else " for v, test in tests) + f"{high})", WHOLE
        return text, WHOLE

    def _sum(self, const: int, items: Sequence[tuple[int, Term]], unit: str) -> str:
        pieces: list[tuple[bool, bool, str]] = []
        for factor in sorted({c for c, _ in items}):
            for family in self._folded([a for c, a in items if c == factor]):
                text, level = self._summed(family)
                plain = unit != PLAIN and not self.language.unit(family.term)
                if abs(factor) != 1 or plain:
                    text, level = f"{abs(factor)} * {_within(text, level, TIMES)}", TIMES
                pieces.append((plain, factor < 0, _within(text, level, ADDED)))
        # What has the unit comes first: it is by that that the rest is read.
        pieces.sort(key=lambda piece: (piece[0], piece[2].startswith("("), *piece[1:]))
        if const or not pieces:
            pieces.append((True, const < 0, str(abs(const))))
        joined = " ".join(f"{'-' if negative else '+'} {text}" for _, negative, text in pieces)
        return joined.removeprefix("+ ") if joined.startswith("+ ") else "-" + joined[2:]

    def _summed(self, family: Family) -> tuple[str, int]:
        inner = self._under(family)
        text, level = self._whole_container(family, inner) or inner._counted(family) or inner._added(family)
        self._heard(inner)
        return text, level

    def _whole_container(self, family: Family, inner: _Saying) -> tuple[str, int] | None:
        """`size(...)` where the last index of a set or a place of pieces goes through all there is."""
        element = self.language.element(family.term) if family.term.op == "var" else None
        if element is None or not family.binders:
            return None
        last = len(element.slot.dims) - 1
        bag = bool(element.slot.keeps) and element.slot.domain.name != element.slot.keeps
        found = re.fullmatch(rf"\{{{last}\}} in (.+)|(.+)\[\{{{last}\}}\]", element.slot.said)
        own = (element.slot.dims[last].name, element.index[last]) if last >= 0 else None
        name = dict(family.named).get(own) if own else None
        if found is None or not (found[1] or bag) or name is None or family.names.count(name) != 1:
            return None
        if any((d.name, i) == own for d, i in zip(element.slot.dims[:last], element.index, strict=False)):
            return None
        size = f"size({inner.element(element, found[1] or found[2])})"
        rest = [binder for binder in family.binders if binder[0] != name]
        if any(apart == name for _, _, apart in rest):
            return None
        if not rest:
            return size, WHOLE
        return f"sum({size} for {self.language.binders(family.keeping(rest))})", WHOLE

    def _counted(self, family: Family) -> tuple[str, int] | None:
        if not family.binders or not self._is_truth(family.term):
            return None
        return f"count({self.language.binders(family)} where {self._flag(family.term, True)[0]})", WHOLE

    def _added(self, family: Family) -> tuple[str, int]:
        text, level = self._atom(family.term)
        if not family.binders:
            return text, level
        return f"sum({text} for {self.language.binders(family)})", WHOLE

    # --- names ---------------------------------------------------------------------------------------------

    def element(self, element: Element, said: str = "") -> str:
        """As the rules write it; `said` is the container alone."""
        slot = element.slot
        form = said or slot.said
        self._judge(slot)
        if not form:
            places = ", ".join(f"{{{n}}}" for n in range(len(slot.dims)))
            form = f"{slot.name}[{places}]" if places else slot.name
        elif slot.role != "state" and self.language.rule:
            form = re.sub(rf"\b{re.escape(self.language.rule)}\.(\w+)(\.\d+)?", r"\1", form)
        indices = [(d, i) for n, (d, i) in enumerate(zip(slot.dims, element.index, strict=True))]
        texts = [self.member(d, i) if f"{{{n}}}" in form else "" for n, (d, i) in enumerate(indices)]
        return form.format(*texts)

    def _judge(self, slot: Slot) -> None:
        rule = self.language.rule
        own = rule and slot.name.startswith(f"{rule}.") and not slot.name.startswith(f"{rule}.result")
        if not slot.said or (slot.role != "state" and not (slot.role == "local" and own)):
            self.faults.add(f"`{slot.name}` has no name there")

    def member(self, domain: Domain, value: int) -> str:
        """The member's name, or the variable that stands for it."""
        bare = _bare(domain)
        place = value - domain.low
        if value < bare.low or not domain.names:
            return domain.names[place] if domain.names else str(value)
        if not domain.is_of_positions:
            key = (bare.name, value)
            self.met.add(key)
            if key in self.named:
                return self.named[key]
            if bare.name == "Player":
                self.faults.add("rules do not name single seats")
        name = domain.names[place]
        if not re.fullmatch(r"\w+", name):
            self.faults.add(f"`{name}` is no name")
        return name

    # --- what is alike -------------------------------------------------------------------------------------

    def _folded(self, terms: Sequence[Term]) -> list[Family]:
        """Terms grouped with those that differ only in a member that has no variable yet."""
        if len(terms) == 1:
            return [Family(terms[0], (), (), (terms[0],))]
        outer = tuple(self.named.items())

        def say(term: Term, named: Named) -> str:
            return self.language.say(term, (*outer, *named))

        def mentions(term: Term) -> frozenset[Member]:
            return self.language.mentions(term) - self.named.keys()

        def variable(domain: str, used: Iterable[str]) -> str:
            return self.language.variable(domain, (*used, *self.named.values()))

        return folded(sorted(terms), say, mentions, variable, self.language.domains)

    def _under(self, family: Family) -> _Saying:
        return _Saying(self.language, {**self.named, **dict(family.named)})

    def _heard(self, inner: _Saying) -> None:
        self.met |= inner.met - (inner.named.keys() - self.named.keys())
        self.faults |= inner.faults


SIGNS = {"le": "<=", "eq": "=", "ne": "!="}
TURNED = {"<=": ">=", "<": ">"}


def extreme_of(terms: Terms, test: Term, then: Term, other: Term) -> str:
    """`max` or `min` where that is what a number by cases is, else ""."""
    if test.op != "le":
        return ""
    gap = terms.sub(then, other)
    for name, sign in (("min", 1), ("max", -1)):
        signed = terms.total(((sign, gap),))
        if test.kids[0] in (signed, terms.add(signed, terms.one)):
            return name
    return ""


def _parts_of(terms: Terms, name: str, parts: Iterable[Term]) -> Iterator[Term]:
    """What the extreme is of, with those inside it that are of the same kind."""
    for part in parts:
        if part.op == "ite" and extreme_of(terms, *part.kids) == name:
            yield from _parts_of(terms, name, part.kids[1:])
        else:
            yield part


def _indices(dims: Sequence[Domain]) -> Iterator[tuple[int, ...]]:
    """In row-major order."""
    if not dims:
        yield ()
        return
    for first in range(len(dims[0].names)):
        for rest in _indices(dims[1:]):
            yield (first, *rest)


def _bare(domain: Domain) -> Domain:
    """The domain of what an option may hold."""
    if not domain.name.endswith("?"):
        return domain
    return Domain(domain.name[:-1], 0, domain.names[1:], domain.labels[1:])


def _domain(name: str, apart: str) -> str:
    if name != "Player":
        return name
    return f"others of {apart}" if apart else "players"


def _holds(op: str, value: int) -> bool:
    return value <= 0 if op == "le" else (value == 0) is (op == "eq")


def _ends(variable: Term) -> tuple[int, int]:
    assert variable.low is not None
    assert variable.high is not None
    return variable.low, variable.high


def _within(text: str, own: int, level: int) -> str:
    """The text as part of something that holds together as `level` says."""
    return text if own > level else f"({text})"


def _joined(word: str, level: int, parts: Sequence[tuple[str, int]]) -> tuple[str, int]:
    if len(parts) == 1:
        return parts[0]
    return word.join(sorted(_within(*part, level) for part in parts)), level
