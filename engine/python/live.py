"""Which slots are still read: a value that nothing looks at again need not tell copies of a block apart."""

from __future__ import annotations

from rulespec.compiler.core.liveness import Slots, before, read_by
from rulespec.compiler.core.tree import Block, Branch, Chance, Choose, Core, Switch
from rulespec.engine.python.flow import arrivals


def live_slots(core: Core) -> dict[str, Slots]:
    """For each block, the slots that a random play may read from there on before they are written anew.

    Who is asked, and who sees what chance decides, is not looked at: a play-out does not want to know.
    """
    live: dict[str, Slots] = {b.name: frozenset() for b in core.blocks}
    changed = True
    while changed:
        changed = False
        for block in reversed(core.blocks):
            found = before(core, block.body, _at_end(block, live))
            changed = changed or found != live[block.name]
            live[block.name] = found
    return live


def _at_end(block: Block, live: dict[str, Slots]) -> Slots:
    match block.end:
        case Branch(condition):
            return read_by(condition).union(*(live[t] for t in arrivals(block)))
        case Switch(slot, targets):
            return frozenset({slot}).union(*(live[t] for t in targets))
        case Choose(_, options):
            asked = [read_by(o.guard, *(e for p in o.params for e in (p.low, p.high))) for o in options]
            after = [live[o.target] - {p.slot for p in o.params} for o in options]
            return frozenset[str]().union(*asked, *after)
        case Chance(slot, _, _, weight, _, target):
            return read_by(weight) | (live[target] - {slot})
        case _:
            return frozenset[str]().union(*(live[t] for t in arrivals(block)))
