"""What the rules keep of secrets for later: that a variable still holds what it was once set to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.compiler.core.tree import Block, Choose, Compare, Core, Expr, Read
from rulespec.compiler.core.walk import sets
from rulespec.proofs.smt.syntax import replaced, slots, variables

MOST = 24  # values that are tried for one variable


def remembered(core: Core, blocks: Iterable[Block]) -> Iterator[Expr]:
    """Comparisons of what these choices read, and may be secret, with what it is set to anywhere.

    What is a copy is compared with what it is a copy of, too.
    """
    values: dict[str, list[Expr]] = {}
    waiting = sorted(_kept(core, frozenset().union(*(_asked(block) for block in blocks))))
    while waiting:
        name = waiting.pop(0)
        if name in values:
            continue
        written = (s.value for b in core.blocks for s in sets(b.body) if s.slot == name)
        values[name] = [v for v in dict.fromkeys(written) if not variables(v) and name not in slots(v)]
        waiting += sorted(_kept(core, frozenset().union(*map(slots, values[name]))))
    for name in values:
        for value in _in_full(name, values):
            yield Compare("=", Read(name), value)


def _asked(block: Block) -> frozenset[str]:
    assert isinstance(block.end, Choose)
    asked: list[Expr] = [o.guard for o in block.end.options]
    asked += [e for o in block.end.options for p in o.params for e in (p.low, p.high)]
    return frozenset().union(*map(slots, asked))


def _kept(core: Core, names: frozenset[str]) -> frozenset[str]:
    """Those that the rules keep on the way and that not everybody sees."""
    found = (core.slot[name] for name in names)
    return frozenset(s.name for s in found if s.role != "state" and s.sight != "open" and not s.dims)


def _in_full(name: str, values: dict[str, list[Expr]]) -> list[Expr]:
    """What the variable is set to, and the same with what that is set to itself."""
    found = list(values[name])
    for value in found:
        for copied in sorted(slots(value) & values.keys() - {name}):
            more = (replaced(value, Read(copied), v) for v in values[copied])
            found += [v for v in more if v not in found and name not in slots(v)]
            if len(found) > MOST:
                return found[:MOST]
    return found
