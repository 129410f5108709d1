"""Terms from formulas that a solver wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rulespec.proofs.smt.terms import Term, Terms

Tree = str | list["Tree"]
_TOKENS = re.compile(r"\(|\)|\|[^|]*\||[^\s()]+")
_NUMBERS = ("var", "int", "lin", "ind", "ite", "div", "mod", "mul")


class NotSaid(Exception):
    """Terms have nothing like it."""


def read(text: str, terms: Terms, names: Mapping[str, Term]) -> Term:
    """The truth value that a formula of SMT-LIB says. Raises NotSaid."""
    found = _Reader(terms).term(_tree(text), names)
    if found.op in _NUMBERS:
        raise NotSaid(text)
    return found


def _tree(text: str) -> Tree:
    waiting: list[list[Tree]] = [[]]
    for token in _TOKENS.findall(text):
        if token == "(":
            waiting.append([])
        elif token != ")":
            waiting[-1].append(token)
        elif len(waiting) > 1:
            done = waiting.pop()
            waiting[-1].append(done)
    if len(waiting) != 1 or len(waiting[0]) != 1:
        raise NotSaid(text)
    return waiting[0][0]


class _Reader:
    def __init__(self, terms: Terms) -> None:
        self.terms = terms

    def term(self, tree: Tree, names: Mapping[str, Term]) -> Term:
        if isinstance(tree, str):
            return self._word(tree, names)
        if not tree or not isinstance(tree[0], str):
            raise NotSaid(str(tree))
        if tree[0] == "let" and len(tree) == 3:
            bound = {str(pair[0]): self.term(pair[1], names) for pair in tree[1]}
            return self.term(tree[2], {**names, **bound})
        return self._made(tree[0], [self.term(part, names) for part in tree[1:]])

    def _word(self, word: str, names: Mapping[str, Term]) -> Term:
        if word in names:
            return names[word]
        if word.isdigit():
            return self.terms.integer(int(word))
        if word in ("true", "false"):
            return self.terms.truth(word == "true")
        raise NotSaid(word)

    def _made(self, operator: str, parts: Sequence[Term]) -> Term:
        terms = self.terms
        numbers = [part.op in _NUMBERS for part in parts]
        match operator, len(parts):
            case (("and" | "or"), _) if not any(numbers):
                return terms.conj(parts) if operator == "and" else terms.disj(parts)
            case "not", 1 if not any(numbers):
                return terms.neg(parts[0])
            case "=>", 2 if not any(numbers):
                return terms.implies(*parts)
            case "ite", 3 if numbers == [False, True, True]:
                return terms.ite(*parts)
            case "ite", 3 if not any(numbers):
                return terms.choose(*parts)
        if not all(numbers):
            raise NotSaid(operator)
        match operator, len(parts):
            case (("<" | "<=" | ">" | ">=" | "="), 2):
                return terms.compare(operator, *parts)
            case "+", _:
                return terms.total((1, part) for part in parts)
            case "-", 1:
                return terms.total(((-1, parts[0]),))
            case "-", _:
                return terms.total((1 if number == 0 else -1, part) for number, part in enumerate(parts))
            case "*", 2:
                return terms.mul(*parts)
            case "mod" | "div", 2 if parts[1].op == "int" and parts[1].number > 1:
                return (terms.mod if operator == "mod" else terms.div)(parts[0], parts[1].number)
        raise NotSaid(operator)
