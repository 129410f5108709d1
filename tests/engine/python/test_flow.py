"""Which blocks stand inside others in generated code."""

from __future__ import annotations

from dataclasses import replace

from samples import changed, sample

from rulespec.compiler.core.tree import Block, Branch, Compare, Const, End, Goto, Read
from rulespec.engine.python.flow import Flow
from rulespec.engine.python.graph import dominates, dominators, on_cycles, search
from rulespec.engine.python.playout import Playout
from rulespec.engine.python.stepper import PythonEngine

# s -> a -> b -> c -> b (loop), c -> d, a -> d
EDGES = {"s": ["a"], "a": ["b", "d"], "b": ["c"], "c": ["b", "d"], "d": []}


def test_search_finds_heads_and_an_order_in_which_nodes_precede_those_they_lead_to() -> None:
    order = search("s", EDGES.__getitem__)

    assert order.heads == {"b"}
    assert order.names[0] == "s"
    assert order.names.index("a") < order.names.index("b") < order.names.index("c") < order.names.index("d")


def test_dominators_are_what_every_way_passes() -> None:
    before = {n: [m for m in EDGES if n in EDGES[m]] for n in EDGES}
    above = dominators(search("s", EDGES.__getitem__), before)

    assert above == {"s": "s", "a": "s", "b": "a", "c": "b", "d": "a"}
    assert dominates(above, "b", "c")
    assert not dominates(above, "c", "d")


def test_only_nodes_on_cycles_are_left() -> None:
    assert on_cycles(EDGES, EDGES.__getitem__) == {"b", "c"}


def test_the_auction_is_a_loop_inside_the_loop_over_lots() -> None:
    flow = Flow(sample("auction"))

    assert flow.entries == ["setup", "lot", "auction"]
    assert flow.nested == {"lot": "setup", "auction": "open_bidding"}
    assert flow.spinning == set()


def test_a_loop_that_asks_nobody_spins() -> None:
    assert Flow(sample("duel")).spinning == {"rounds", "ask"}


def test_a_small_block_is_written_wherever_it_is_reached() -> None:
    flow = Flow(sample("market"))

    assert "evening" in flow.inlined  # reached from three places
    assert "income" in flow.entries


def test_a_block_that_nothing_reaches_is_left_out() -> None:
    core = changed("market", "goto dawn\n", "goto dawn\n\nblock lost:\n    goto dawn\n")

    assert "lost" not in Flow(core).reachable


def test_a_long_row_of_blocks_can_be_written_and_run() -> None:
    core = sample("auction")
    row = [Block(f"b{i}", (), Goto(f"b{i + 1}")) for i in range(2000)]
    core = replace(core, blocks=(*row, Block("b2000", (), End())), start="b0")

    assert PythonEngine(core).start()[-1] == 2000
    assert Playout(core).play(1)[0][-1] == 2000


def test_branches_within_branches_can_be_written_and_run() -> None:
    core = sample("auction")
    blocks = [
        Block(f"b{i}", (), Branch(Compare("=", Read("high"), Const(i)), f"b{i + 1}", f"c{i}"))
        for i in range(300)
    ]
    blocks += [Block(f"c{i}", (), End()) for i in range(300)]
    core = replace(core, blocks=(*blocks, Block("b300", (), End())), start="b0")

    assert PythonEngine(core).start()[-1] == 301
    assert Playout(core).play(1)[0][-1] == 301
