"""What is offered depends only on what is seen: proved where it is so, and shown with two plays where not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import books
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rulespec import api
from rulespec.compiler.core.check import check
from rulespec.compiler.core.tree import (
    TRUE,
    Arith,
    Block,
    Chance,
    Choose,
    Compare,
    Configuration,
    Const,
    Core,
    Domain,
    End,
    Expr,
    Fold,
    Goto,
    Option,
    Param,
    Read,
    Set,
    Slot,
    Var,
)
from rulespec.engine.interpreter.evaluate import evaluate
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.observation import slots
from rulespec.engine.sight import sight
from rulespec.engine.stepper import Record
from rulespec.proofs.claims import NOTHING_TOLD, Claims
from rulespec.proofs.counterexample import Replayer
from rulespec.proofs.evidence import Task
from rulespec.proofs.information.flow import Flow
from rulespec.proofs.saved import from_data, replayed, to_data
from rulespec.proofs.verdicts import Limits, Verdict, as_json
from rulespec.proofs.verify import run_task, verify
from tests.proofs.generate import LIMITS, NUMBER, SLOTS, TABLE, clamped, numbers, truths

QUICK = Limits(total=15.0, proof=8.0, question=1.0, sampling=0.5, plays=50, machine=0, shrinking=0.2)

BOOK = """\
game cards "Cards"
players 3

enum Rank "a rank": low, high
piece Card "card" of Rank: 4 each in stock

state:
    stock hidden: Deck[Card]
    row: Bag[Card]
    shown: Bool
    per player:
        hand private unless shown: Bag[Card]
        points: points in 0..9

rule setup "Dealing":
    draw 1 from stock to row
    for p in players:
        draw 2 from stock to p.hand

rule play "A turn each":
    for p in players:
        p chooses:
            take when GUARD "takes":
                score 1 to p
            pass "passes":
                nothing
        shown := true

ranking "Points" for p: p.points
"""
CHOICE = "choice play.choice.1 offers only what its player sees"


@cache
def card_game(guard: str, folder: Path) -> Core:
    path = folder / "cards.rules"
    path.write_text(BOOK.replace("GUARD", guard), encoding="utf-8")
    book = api.Book(path)
    assert book.diagnostics == ()
    return book.core(book.configuration(players=3))


def verdicts(core: Core, limits: Limits = QUICK) -> dict[str, Verdict]:
    return {v.property: v for v in verify(core, ("information",), limits)}


@pytest.mark.parametrize(
    ("guard", "verdict", "method"),
    [
        ("true", "proved", "flow"),
        ("p.hand[low] > 0", "proved", "flow"),
        ("row[high] > 0", "proved", "flow"),
        ("size((left of p).hand) > 1 and size(stock) > 0", "proved", "flow"),
        ("any q in players: size(q.hand) > size(p.hand)", "proved", "flow"),
        ("shown and (left of p).hand[low] > 0", "proved", "two runs"),
        ("sum(q.hand[low] for q in players) + stock[low] + row[low] > 3", "proved", "two runs"),
        ("(left of p).hand[low] > 0", "refuted", "two plays"),
        ("not shown and any q in players: q.hand[low] > p.hand[low]", "refuted", "two plays"),
        ("stock[low] > 0", "refuted", "two plays"),
        ("sum(q.hand[low] for q in players) + stock[low] > 3 and stock[high] > 0", "refuted", "two plays"),
    ],
)
def test_a_guard_may_ask_for_what_is_seen(guard: str, verdict: str, method: str, tmp_path: Path) -> None:
    found = verdicts(card_game(guard, tmp_path))

    assert (found[CHOICE].verdict, found[CHOICE].method) == (verdict, method), found[CHOICE]
    assert found[NOTHING_TOLD].verdict == verdict


def test_the_same_plays_are_shown_in_every_run(tmp_path: Path) -> None:
    core = card_game("stock[low] > 0", tmp_path)

    first, second = (verdicts(core)[CHOICE] for _ in range(2))
    assert first.verdict == "refuted"
    assert (first.play, first.reason) == (second.play, second.reason)


def test_a_leak_comes_with_both_plays_and_what_is_not_seen(tmp_path: Path) -> None:
    found = verdicts(card_game("(left of p).hand[low] > 0", tmp_path))[CHOICE]

    assert found.play is not None
    assert found.play.other is not None
    assert set(found.play.other.offered + found.play.other.offered_there) == {"take"}
    assert any(each.startswith("hand[p1, low] is ") for each in found.play.other.secret)
    assert not any("hand[p0" in each for each in found.play.other.secret)
    data = as_json(found)
    assert data["other"]["seat"] == found.play.other.seat
    assert len(data["other"]["play"]) == len(found.play.other.steps)
    assert "example" not in data


def test_a_leak_that_was_kept_is_told_anew_while_it_is_there(tmp_path: Path) -> None:
    core = card_game("(left of p).hand[low] > 0", tmp_path)
    claims = Claims(core)
    found = verdicts(core)[CHOICE]
    kept = from_data(to_data(found), core.configuration, claims.all[CHOICE], "")

    assert replayed(kept, Replayer(core, claims, None), claims.all[CHOICE]) == replace(
        found, seconds=kept.seconds
    )
    mended = card_game("p.hand[low] > 0", tmp_path)
    assert replayed(kept, Replayer(mended, Claims(mended), None), claims.all[CHOICE]) is None


def test_who_draws_a_card_knows_it(tmp_path: Path) -> None:
    """It is not seen any more which of the cards in hand was drawn, but by then it has been."""
    text = BOOK.replace("        p chooses:", "        let c = draw from stock to p.hand\n        p chooses:")
    path = tmp_path / "drawn.rules"

    def found(guard: str) -> Verdict:
        path.write_text(text.replace("draw 2", "draw 1").replace("GUARD", guard), encoding="utf-8")
        book = api.Book(path)
        return verdicts(book.core(book.configuration(players=3)))[CHOICE]

    assert (found("c = low").verdict, found("c = low").method) == ("proved", "flow")
    assert found("(left of p).hand[high] > 0 and c = low").verdict == "refuted"


def test_a_rule_that_is_told_of_a_card_knows_it_from_every_caller(tmp_path: Path) -> None:
    turns = """\
        let c = draw from stock to p.hand
        told(p, c)
        let d = draw from stock to p.hand
        told(p, d)

rule told(p: Player, c: Rank) "Told of a card":
    p may choose:
        show when c = low "shows it":
            score 1 to p

"""
    before, _, rest = BOOK.replace("draw 2", "draw 0").partition("        p chooses:\n")
    path = tmp_path / "told.rules"
    path.write_text(before + turns + rest[rest.index("ranking") :], encoding="utf-8")
    book = api.Book(path)
    assert book.diagnostics == ()
    found = verdicts(book.core(book.configuration(players=3)))

    assert found["choice told.choice.1 offers only what its player sees"].method == "flow"


# --- cores written out -------------------------------------------------------------------------------------

PLAYER = Domain("Player", 0, ("p0", "p1"))
KIND = Domain("Kind", 0, ("red", "blue"))
SECOND = Const(1)


def asked_twice(guard: Expr, actor: Expr = SECOND) -> Core:
    """Seat 0 answers in secret with 0 or 1, seat 1 too, and then somebody may call if `guard` holds."""
    number = Param("n", "given", Const(0), Const(1), 0, 1, Domain("Int"))
    blocks = [Block("start", (), Goto("ask0"))]
    for seat in (0, 1):
        answer = Option("answer", (number,), Compare("=", Const(0), Const(0)), ("answers",), f"keep{seat}")
        blocks.append(Block(f"ask{seat}", (), Choose(Const(seat), (answer,), secret=True)))
        kept = (Set("answer", (Const(seat),), Read("given")), Set("given", (), Const(0)))
        blocks.append(Block(f"keep{seat}", kept, Goto("ask1" if seat == 0 else "call")))
    call = Option("call", (), guard, ("calls",), "end")
    silent = Option("silent", (), Compare("=", Const(0), Const(0)), ("is silent",), "end")
    blocks += [Block("call", (), Choose(actor, (call, silent))), Block("end", (), End())]
    core = Core(
        Configuration("asked", 2),
        "Asked",
        (
            Slot("given", 0, 1, role="local", sight="hidden"),
            Slot("answer", 0, 1, (PLAYER,), role="control", sight="seat", initial=(0, 0)),
            Slot("hand", 0, 2, (PLAYER, KIND), sight="private", counted=True, initial=(1, 1, 1, 1)),
        ),
        (),
        tuple(blocks),
        "start",
        (),
        (Const(0),),
        (),
    )
    assert check(core) == ()
    return core


def answer_of(seat: int) -> Expr:
    return Compare("=", Read("answer", (Const(seat),)), Const(1))


def held(index: Expr, low: int, high: int) -> Expr:
    return Compare(">", Fold("sum", "k", low, high, None, Read("hand", (index, Var("k")))), Const(1))


@pytest.mark.parametrize(
    ("guard", "actor", "verdict"),
    [
        (answer_of(1), Const(1), "proved"),
        (answer_of(0), Const(0), "proved"),
        (answer_of(0), Const(1), "refuted"),
        # Who is asked is decided by a secret, which is none to the one who is asked.
        (Compare("=", Read("answer", (Const(0),)), Const(1)), Read("answer", (Const(0),)), "proved"),
        (Compare("=", Read("answer", (Const(1),)), Const(1)), Read("answer", (Const(0),)), "refuted"),
    ],
)
def test_no_offer_depends_on_an_answer_that_is_not_shown(guard: Expr, actor: Expr, verdict: str) -> None:
    found = verdicts(asked_twice(guard, actor))

    assert found["choice call offers only what its player sees"].verdict == verdict
    assert found["choice ask1 offers only what its player sees"].method == "flow"


def test_only_the_number_of_all_that_lies_there_is_seen() -> None:
    def doubts(guard: Expr, actor: Expr = SECOND) -> tuple[str, ...]:
        core = asked_twice(guard, actor)
        return Flow(core).doubts(core.block["call"])

    secret = Read("answer", (Const(0),))
    assert doubts(held(Const(0), 0, 1)) == ()
    assert doubts(held(Const(0), 0, 0)) == ("hand[0, $k]",)
    assert doubts(held(Const(0), 1, 1)) == ("hand[0, $k]",)
    assert doubts(held(Const(1), 0, 0)) == ()
    assert doubts(held(secret, 0, 1)) == ("answer[0]",)
    assert doubts(held(secret, 0, 1), secret) == ()
    # A seat's own place, at an index that it does not know.
    assert doubts(Compare("=", Read("hand", (Const(1), secret)), Const(1))) == ("answer[0]",)


def test_what_can_only_be_remembered_is_no_leak_and_not_proved() -> None:
    """What was drawn lies open while somebody is asked, and is taken away before the other choice."""
    stay = Option("stay", (), TRUE, ("stays",), "cover")
    call = Option("call", (), Compare("=", Read("card"), Const(1)), ("calls",), "end")
    silent = Option("silent", (), TRUE, ("is silent",), "end")
    blocks = (
        Block("draw", (), Chance("card", 0, 1, Const(1), Const(-2), "show", NUMBER)),
        Block("show", (Set("row", (), Read("card")),), Choose(Const(0), (stay,))),
        Block("cover", (Set("row", (), Const(0)),), Choose(Const(0), (call, silent))),
        Block("end", (), End()),
    )
    card, row = Slot("card", 0, 1, sight="hidden"), Slot("row", 0, 1)
    core = Core(Configuration("c", 2), "C", (card, row), (), blocks, "draw", (), (Const(0),), ())
    name = "choice cover offers only what its player sees"
    visited = {v.property: v for v in run_task(Task(core, "whole", limits=QUICK))}

    for verdict in (verdicts(core)[name], visited[name]):
        assert verdict.verdict == "unknown"
        assert verdict.reason.startswith("it depends on what is not seen any more: p0 sees no difference")
    covered = replace(core, blocks=(blocks[0], replace(blocks[1], body=()), *blocks[2:]))
    assert verdicts(covered)[name].verdict == "refuted"


# --- what is seen ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["raises_as_high_as_the_other", "digs_where_it_is", "il_principe"])
def test_what_is_seen_in_numbers_is_what_is_observed(name: str) -> None:
    """Two records are alike in the one just where they are in the other."""
    book = api.Book("il_principe") if name == "il_principe" else books.opened(books.read(name).path)
    core = book.core(book.configuration(players=3 if name != "digs_where_it_is" else 2))
    rng = random.Random(5)
    engine = Interpreter(core)
    alike = {True: 0, False: 0}
    for record in walk(engine, rng, 40):
        other = changed(core, record, rng)
        for seat in range(core.configuration.players):
            sees = sight(core, seat)
            same = sees.view(record) == sees.view(other)
            assert same == (slots(core, record, seat) == slots(core, other, seat))
            alike[same] += 1
            hidden = {n for n in range(len(record) - 1) if record[n] != other[n]}
            assert not same or hidden <= sees.unseen(record)
    assert min(alike.values()) > 10


def walk(engine: Interpreter, rng: random.Random, number: int) -> Iterator[Record]:
    record = engine.start()
    for _ in range(number):
        yield list(record)
        match engine.kind(record):
            case "choice":
                engine.play(record, rng.choice(engine.moves(record)))
            case "chance":
                engine.happen(record, rng.choice(engine.outcomes(record))[0])
            case _:
                record = engine.start()


def changed(core: Core, record: Record, rng: random.Random) -> Record:
    """The record with one element, or two of one slot, put to other values."""
    other = list(record)
    slot = rng.choice([s for s in core.slots if s.low < s.high])
    at = [core.offset[slot.name] + rng.randrange(slot.size) for _ in range(2)]
    first, second = other[at[0]], other[at[1]]
    if rng.random() < 0.5:
        other[at[0]], other[at[1]] = second, first
    else:
        other[at[0]] = rng.randint(slot.low, slot.high)
    return other


# --- random cores ------------------------------------------------------------------------------------------

SEATS = Domain("Player", 0, ("p0", "p1"))
ROUNDS = 3  # choices, at most


@st.composite
def secretive(draw: st.DrawFn) -> Core:
    """A short game in which some numbers are drawn, of which not all are seen by all, and some choices."""
    seers: list[Expr] = [Const(-2), Const(-2), Const(-1), Const(0), Const(1), Read("side")]
    seen_by = [draw(st.sampled_from(seers)) for _ in range(3)]
    blocks = [
        Block("draw", (), Chance("a", 0, 2, Const(1), seen_by[0], "first", NUMBER)),
        Block("first", (), Chance("c", 0, 1, Const(1), seen_by[1], "second", NUMBER)),
        Block("second", (kept(0),), Chance("c", 0, 2, Const(1), seen_by[2], "ask0", NUMBER)),
    ]
    rounds = draw(st.integers(1, ROUNDS))
    for number in range(rounds):
        body = [kept(1)] if number == 0 else draw(st.lists(plain_statements(), max_size=2))
        after = f"ask{number + 1}" if number + 1 < rounds else "over"
        blocks.append(Block(f"ask{number}", tuple(body), draw(asking(after))))
    blocks.append(Block("over", (), End()))
    core = Core(
        Configuration("secrets", 2),
        "Secrets",
        draw(slots_seen()),
        (TABLE,),
        tuple(blocks),
        "draw",
        (),
        (Read("b"),),
        (),
        limits=LIMITS,
    )
    assert check(core) == ()
    return core


def kept(seat: int) -> Set:
    return Set("pile", (Const(seat),), Read("c"))


@st.composite
def slots_seen(draw: st.DrawFn) -> tuple[Slot, ...]:
    """The slots of random cores, with sights of their own, and a flag that opens some."""
    found: list[Slot] = []
    for slot in SLOTS[:5]:
        sight_of = draw(st.sampled_from(["hidden", "hidden", "open"])) if slot.name in ("a", "c") else "open"
        if slot.name == "pile":
            sight_of = draw(st.sampled_from(["private", "private", "hidden"]))
            slot = replace(slot, dims=(SEATS,))
        flag = "flag" if sight_of != "open" and slot.role == "state" and draw(st.booleans()) else ""
        counted = slot.name == "pile" and draw(st.booleans())
        found.append(replace(slot, sight=sight_of, unless=flag, counted=counted))
    return (*found, Slot("flag", 0, 1))


@st.composite
def plain_statements(draw: st.DrawFn) -> Set:
    """An assignment that stays in its range."""
    slot = draw(st.sampled_from([*SLOTS[:4], Slot("flag", 0, 1)]))
    return Set(slot.name, (), clamped(slot, draw(numbers(1))))


@st.composite
def asking(draw: st.DrawFn, after: str) -> Choose:
    """Somebody is asked; what is offered may depend on anything, and something always is."""
    high: Expr = draw(st.one_of(st.just(Const(2)), numbers(1)))
    slot = draw(st.sampled_from(["b", "c"]))
    param = Param("x", slot, Const(0), Arith("min", Const(2), high), 0, 2, NUMBER)
    guard = draw(truths(1, ("x",)))
    options = (
        Option("take", (param,), guard, ("takes ", 0), after),
        Option("call", (), draw(truths(1)), ("calls",), after),
        Option("pass", (), TRUE, ("passes",), after),
    )
    actors: list[Expr] = [Const(0), Const(1), Read("side"), Arith("min", Read("a"), Const(1))]
    return Choose(draw(st.sampled_from(actors)), options, secret=slot == "c" and draw(st.booleans()))


class Plays:
    """Every play of a game, with all that each seat sees of it.

    `lately` are choices that offer different moves at the ends of two plays that look alike to the one who is
    asked; `all_along` those where they looked alike on the way as well.
    """

    def __init__(self, core: Core) -> None:
        self.core = core
        self.engine = Interpreter(core)
        self.offers: dict[tuple[str, object], object] = {}
        self.lately: set[str] = set()
        self.all_along: set[str] = set()
        self.play(self.engine.start(), ("", ""))

    def play(self, record: Record, seen: tuple[str, ...]) -> None:
        """All that can follow; `seen` is what each seat has seen so far."""
        engine = self.engine
        seen = tuple(f"{seen[s]}; {record[-1]} {slots(self.core, record, s)}" for s in (0, 1))
        match engine.kind(record):
            case "choice":
                moves, seat = engine.moves(record), engine.actor(record)
                block, choose = self.core.blocks[record[-1]].name, self.core.blocks[record[-1]].end
                assert isinstance(choose, Choose)
                now = f"{block} {slots(self.core, record, seat)}"
                if self.offers.setdefault((f"now {seat}", now), moves) != moves:
                    self.lately.add(block)
                if self.offers.setdefault((f"along {seat}", seen[seat]), moves) != moves:
                    self.all_along.add(block)
                for move in moves:
                    after = list(record)
                    engine.play(after, move)
                    told = [s == seat or not choose.secret for s in (0, 1)]
                    self.play(after, tuple(f"{seen[s]}, {move if told[s] else ''}" for s in (0, 1)))
            case "chance":
                chance = self.core.blocks[record[-1]].end
                assert isinstance(chance, Chance)
                seer = evaluate(self.core, chance.seen_by, record, {})
                for outcome, _ in engine.outcomes(record):
                    after = list(record)
                    engine.happen(after, outcome)
                    told = [seer in (s, -1) for s in (0, 1)]
                    self.play(after, tuple(f"{seen[s]}, {outcome if told[s] else ''}" for s in (0, 1)))


def agrees(core: Core) -> tuple[int, int]:
    """Fails where verdicts and all plays differ; how many were proved, how many refuted where what is read
    alone does not tell.
    """
    plays, flow = Plays(core), Flow(core)
    proved = refuted = 0
    claims = Claims(core)
    for found in (verdicts(core), {v.property: v for v in run_task(Task(core, "whole", limits=QUICK))}):
        for block in core.blocks:
            if block.kind == "choice":
                verdict = found[claims.information(block.name)]
                assert "fault in the verifier" not in verdict.reason
                good = verdict.verdict in ("proved", "exhaustive", "vacuous")
                assert not good or block.name not in plays.all_along, verdict
                assert not good or block.name not in plays.lately or flow.witnessed(block.name), verdict
                assert verdict.verdict != "refuted" or block.name in plays.all_along, verdict
                proved += good and verdict.method != "flow"
                refuted += verdict.verdict == "refuted"
    return proved, refuted


RELAXED = list(HealthCheck)
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)


def compared(examples: int, *, fixed: bool) -> tuple[int, int]:
    """How many verdicts were held against all plays: what more than flow proved, and what was refuted."""
    counts = [0, 0]

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=fixed,
        database=None,
        suppress_health_check=RELAXED,
        phases=UNSHRUNK,
    )
    @given(secretive())
    def compare(core: Core) -> None:
        for number, found in enumerate(agrees(core)):
            counts[number] += found

    compare()
    return counts[0], counts[1]


@pytest.mark.slow
def test_what_is_said_of_offers_agrees_with_all_positions() -> None:
    proved, refuted = compared(12, fixed=True)

    assert proved > 0
    assert refuted > 0


@pytest.mark.deep
def test_what_is_said_of_many_offers_agrees_with_all_positions() -> None:
    proved, refuted = compared(500, fixed=False)

    assert proved > 50
    assert refuted > 50
