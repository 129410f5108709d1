"""What the grammar cannot say: the order of lines, what must be there, and how deep a tree may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulespec.compiler.spans import Citation, Span
from rulespec.compiler.surface import tree
from rulespec.compiler.surface.findings import Findings

# Those who read the tree go down it by recursion, which Python ends at a thousand calls.
DEEPEST = 100
_LEAVES = frozenset({str, int, bool, type(None), Span, Citation, tree.Name})


def check(declaration: tree.Declaration, found: Findings) -> None:
    """Reports what is wrong with a declaration that was read; goes through its nodes without recursion."""
    waiting: list[tuple[Any, int]] = [(declaration, 0)]
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, tuple):
            waiting += [(item, depth) for item in node if type(item) not in _LEAVES]
        elif depth > DEEPEST:
            help = ("name the inner parts with `let`, or make a `function` or a `rule` of them",)
            found.add("R0121", f"this is nested more than {DEEPEST} deep", node.span, help=help)
            return
        else:
            _node(node, found)
            parts = [getattr(node, name) for name in node.__slots__]
            waiting += [(part, depth + 1) for part in parts if type(part) not in _LEAVES]


def _node(node: Any, found: Findings) -> None:
    match node:
        case tree.Rule():
            _first(node.requires, node.body, "requires", found)
            _first(node.ensures, node.body, "ensures", found)
        case tree.While():
            _first(node.decreasing, node.body, "decreasing", found)
            _first(node.keeps, node.body, "keeps", found)
        case tree.For():
            _first(node.keeps, node.body, "keeps", found)
        case tree.Scope() | tree.Example() if not node.players:
            kind = type(node).__name__.lower()
            message = f"the {kind} `{node.name.text}` does not say how many play"
            found.add("R0126", message, node.name.span, help=("add a line such as `players 2`",))
        case tree.Fold(operator="map"):
            _key(node, found)
        case tree.RandomExpr(generator=None) if not (1 <= node.dice <= 100 and 1 <= node.sides <= 1000):
            help = ("at most 100 dice of at most 1000 sides can be rolled, and at least one of each",)
            found.add("R0122", f"`{node.dice}d{node.sides}` cannot be rolled", node.span, help=help)
        case _:
            pass


def _first(lines: Sequence[tree.Expr], body: Sequence[tree.Statement], word: str, found: Findings) -> None:
    """These lines say something of the moment before the body, and must not seem to be part of it."""
    for expression in lines:
        if body and expression.span > body[0].span:
            help = ("put it before the other lines, as it holds where they begin",)
            found.add("R0125", f"`{word}` stands after a statement", expression.span, help=help)


def _key(fold: tree.Fold, found: Findings) -> None:
    name = fold.generators[0].name.text
    if not (isinstance(fold.key, tree.Ref) and fold.key.name.text == name) and fold.key is not None:
        help = (f"write `{{{name}: ... for {name} in ...}}`",)
        found.add(
            "R0123", f"the key of a map made with `for` is its variable `{name}`", fold.key.span, help=help
        )
