"""What every game must do, as plain functions that raise `AssertionError`, for any game and any engine.

`check_game` calls them all. Each takes a game and a seed; the seed picks the play that is looked at.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from rulespec.compiler.core.tree import Core, Slot
from rulespec.engine import observation
from rulespec.engine.faults import Fault
from rulespec.engine.game import Game, random_step
from rulespec.engine.interpreter.evaluate import evaluate
from rulespec.engine.moves import Move
from rulespec.engine.rng import playout
from rulespec.engine.state import Happened, IllegalMove, Played, State
from rulespec.engine.stepper import Record

# Points at which the dearer checks look at a play, branches they follow there, steps that count as endless.
_LOOKS = 12
_BRANCHES = 4
_MOST = 20_000


def check_game(game: Game, seeds: range = range(3)) -> None:
    """All checks, for each seed."""
    for seed in seeds:
        for check in CHECKS:
            check(game, seed)


# --- plays --------------------------------------------------------------------------------------------------


def check_play(game: Game, seed: int) -> None:
    """A random play comes to an end without a fault, and what must be true is true at each wait."""
    state = game.start(seed, auto_chance=False)
    rng = random.Random(seed)
    while not state.over and len(state.history) < _MOST:
        _check_true(state)
        try:
            random_step(state, rng)
        except Fault as fault:
            raise AssertionError(
                f"seed {seed}, step {len(state.history) + 1}: the rules fail: {fault}"
            ) from fault
    _check_true(state)
    _claim(state.over, f"seed {seed}: the play is not over after {_MOST} steps")
    _claim(not state.moves() and state.actor is None, f"seed {seed}: somebody is asked after the end")
    _claim(state.record == playout(game.stepper, seed)[0], f"seed {seed}: the engine's own play-out differs")
    best = max(state.keys, default=())
    _claim(all(state.keys[p] == best for p in state.winners), f"seed {seed}: a winner is not the best")


def check_replay(game: Game, seed: int) -> None:
    """The seed and the players' moves give the play again, as do the seed alone and every step."""
    state = _play(game, seed)
    moves = [step.move for step in state.history if isinstance(step, Played)]
    _same(state, game.replay(seed, moves), "replayed from its moves")
    _same(state, game.replay(seed, [move.number for move in moves]), "replayed from the numbers of its moves")
    _same(state, game.replay(seed, [move.text for move in moves]), "replayed from the texts of its moves")
    drawn = game.random_play(seed)
    _same(drawn, game.random_play(seed), "played again at random from the same seed")


def check_chance(game: Game, seed: int) -> None:
    """Probabilities are positive and add up to one, and each outcome can happen."""
    for state in _looks(game, seed, auto_chance=False):
        options = state.chance()
        if state.kind != "chance":
            _claim(not options, "chance has outcomes where it does not decide")
            continue
        _claim(sum(o.probability for o in options) == Fraction(1), "the probabilities do not add up to one")
        for outcome in options:
            _claim(outcome.probability > 0, f"{outcome.name} has no probability")
            step = _happened(state, outcome.name).history[-1]
            _claim(isinstance(step, Happened) and step.outcome == outcome, f"{outcome.name} did not happen")


# --- branching, going back, saving --------------------------------------------------------------------------


def check_copy(game: Game, seed: int) -> None:
    """A copy is the same, and what is played on it leaves the original alone."""
    for state in _looks(game, seed):
        twin, before = state.copy(), _whole(state)
        _same(state, twin, "copied")
        _finish(twin, seed)
        _claim(_whole(state) == before, "a play on a copy changed the original")


def check_undo(game: Game, seed: int) -> None:
    """Taking back leads through the same states to the start, and forward again to the same end."""
    state = game.start(seed)
    rng = random.Random(seed)
    passed = []
    while not state.over:
        passed.append((_whole(state), rng.choice(state.moves())))
        state.play(passed[-1][1])
    end = _whole(state)
    for before, _ in reversed(passed):
        state.undo()
        _claim(_whole(state) == before, "undo leads to another state")
    _refused(state, state.undo, "undo at the start")
    for _, move in passed:
        state.play(move)
    _claim(_whole(state) == end, "the same moves after undo lead elsewhere")


def check_save(game: Game, seed: int) -> None:
    """A saved play is taken up where it was, undo included, and a damaged one is refused."""
    for auto_chance in (True, False):
        for state in _looks(game, seed, auto_chance):
            loaded = game.from_json(state.to_json())
            _same(state, loaded, "saved and loaded")
            twin = state.copy()
            _finish(twin, seed)
            _finish(loaded, seed)
            _same(twin, loaded, "played on after loading")
    changed = json.loads(state.to_json()) | {"rules": "0" * 64}
    try:
        game.from_json(json.dumps(changed))
    except ValueError:
        return
    raise AssertionError("a play of other rules was loaded")


def check_pack(game: Game, seed: int) -> None:
    """A state packs into the game's number of bytes and comes back; equal fingerprints are equal states."""
    seen: dict[str, bytes] = {}
    for state in _states(game, seed):
        packed = state.pack()
        _claim(len(packed) == game.state_bytes, f"a state has {len(packed)} bytes, not {game.state_bytes}")
        back = game.unpack(packed)
        _claim(back.record == state.record, "a state comes back different from its bytes")
        _claim(back.fingerprint() == state.fingerprint(), "a state comes back with another fingerprint")
        _claim(seen.setdefault(state.fingerprint(), packed) == packed, "two states share a fingerprint")


# --- moves --------------------------------------------------------------------------------------------------


def check_numbers(game: Game, seed: int) -> None:
    """Moves and numbers are one to one, over all of the game's moves and over those that are offered."""
    step = max(1, game.num_moves // 500)
    for number in range(0, game.num_moves, step):
        _claim(game.decode(number).number == number, f"move {number} decodes to a move with another number")
    for state in _looks(game, seed):
        moves = state.moves()
        numbers = [move.number for move in moves]
        _claim(len(set(numbers)) == len(moves), "two moves that are offered share a number")
        _claim(len({move.text for move in moves}) == len(moves), "two moves that are offered share a text")
        _claim(
            all(game.decode(n) == m for n, m in zip(numbers, moves, strict=True)), "a number decodes wrongly"
        )
        legal = [n for n, allowed in enumerate(state.mask()) if allowed]
        _claim(legal == sorted(numbers), "the mask is not the moves that are offered")
        for move in moves[:_LOOKS]:
            results = [_played(state, form).record for form in (move, move.number, move.text)]
            _claim(results[0] == results[1] == results[2], f"`{move}` leads elsewhere by number or text")


def check_refusals(game: Game, seed: int) -> None:
    """What is not offered is refused, and nothing changes."""
    rng = random.Random(seed)
    for state in _looks(game, seed):
        offered = {move.number for move in state.moves()}
        wrong: list[Move | int | str] = [-1, game.num_moves, "", "no such move", "\x00"]
        tried = [rng.randrange(game.num_moves) for _ in range(20)] if game.num_moves else []
        for number in tried:
            if number not in offered:
                wrong += [number, game.decode(number)]
        for move in wrong:
            _refused(state, partial(state.play, move), f"move {move}")
        _refused(state, partial(state.happen, 0), "chance where it does not decide")


# --- what is hidden -----------------------------------------------------------------------------------------


def check_observations(game: Game, seed: int) -> None:
    """Observations are plain values; a spectator sees nothing that a seat does not."""
    for state in _looks(game, seed, auto_chance=False):
        outside = state.observation(None)["slots"]
        for seat in range(game.players):
            observed = state.observation(seat)
            _claim(json.loads(json.dumps(observed)) == observed, "an observation does not survive JSON")
            _claim(("moves" in observed) == (state.actor == seat), "moves are shown to somebody else")
            _claim(outside.keys() <= observed["slots"].keys(), "a spectator sees more than a seat")
        _claim(bool(state.observation_text(0)), "an observation has no text")


def check_hidden(game: Game, seed: int) -> None:
    """However what a seat must not see is changed, public sums kept, what it observes stays the same."""
    rng = random.Random(seed)
    for state in _looks(game, seed):
        for seat in range(game.players):
            r = state.record
            shuffled = _scramble(game, r, seat, rng)
            before = observation.slots(game.core, r, seat)
            _claim(
                observation.slots(game.core, shuffled, seat) == before, f"p{seat} sees what is hidden from it"
            )


def check_unseen(game: Game, seed: int) -> None:
    """Whatever chance decides unseen, or is answered in secret, looks the same to the others afterwards."""
    rng = random.Random(seed)
    for state in _states(game, seed, auto_chance=False):
        if state.kind == "chance" and len(state.weights) > 1:
            numbers = [number for number, _ in state.weights]
            _check_alike([_happened(state, n) for n in _some(numbers, rng)])
        elif state.secret and len(state.moves()) > 1:
            numbers = [move.number for move in state.moves()]
            branches = [_played(state, n) for n in _some(numbers, rng)]
            # Answers come in seat order; after the last one the rules go on and may show them all.
            if all(branch.secret and (branch.actor or 0) > (state.actor or 0) for branch in branches):
                _check_alike(branches)


def _some(numbers: list[int], rng: random.Random) -> list[int]:
    return rng.sample(numbers, min(_BRANCHES, len(numbers)))


def _check_alike(branches: list[State]) -> None:
    """Those who were not shown the last step of these branches of one state cannot tell them apart."""
    step = branches[0].history[-1]
    seen_by = step.actor if isinstance(step, Played) else step.seen_by
    for seat in range(branches[0].game.players):
        if seen_by in (-1, seat):
            continue
        first, *others = ({**b.observation(seat), "moves": None} for b in branches)
        for other in others:
            differing = [k for k, seen in other["slots"].items() if seen != first["slots"].get(k)]
            _claim(other == first, f"p{seat} learns from {differing or 'who is asked'} what it was not shown")
        known = {branch.information_state(seat) for branch in branches}
        _claim(len(known) == 1, f"p{seat} knows what it was not shown")


def _scramble(game: Game, r: Record, seat: int, rng: random.Random) -> Record:
    """A record with other content where `seat` sees none: shuffled within sums that are public, else any."""
    result = list(r)
    for slot in game.core.slots:
        for stretch in _unseen(game.core, slot, r, seat):
            content = result[stretch.start : stretch.stop]
            if slot.counted:
                rng.shuffle(content)
            else:
                content = [rng.randint(slot.low, slot.high) for _ in content]
            result[stretch.start : stretch.stop] = content
    return result


def _unseen(core: Core, slot: Slot, r: Record, seat: int) -> Iterator[range]:
    """The stretches of the record that belong to `slot` and that `seat` does not see."""
    offset = core.offset[slot.name]
    if slot.sight == "hidden" and not observation.is_open(core, slot, r):
        yield range(offset, offset + slot.size)
    elif slot.sight in ("private", "seat"):
        owners = len(slot.dims[0].names)
        width = slot.size // owners
        for owner in range(owners):
            if owner != seat and not observation.is_open(core, slot, r, owner):
                yield range(offset + owner * width, offset + (owner + 1) * width)


# --- tools --------------------------------------------------------------------------------------------------


def _claim(holds: bool, text: str) -> None:
    if not holds:
        raise AssertionError(text)


def _check_true(state: State) -> None:
    core = state.game.core
    for p in core.properties:
        if p.kind != "reachable" and not evaluate(core, p.condition, state.record, {}):
            raise AssertionError(f"after {len(state.history)} steps {p.kind} `{p.name}` does not hold")


def _play(game: Game, seed: int) -> State:
    state = game.start(seed)
    _finish(state, seed)
    return state


def _finish(state: State, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(_MOST):
        if state.over:
            return
        random_step(state, rng)
    raise AssertionError(f"seed {seed}: the play is not over after {_MOST} steps")


def _states(game: Game, seed: int, auto_chance: bool = True) -> Iterator[State]:
    """One state, yielded at its start and after each step of a random play."""
    state = game.start(seed, auto_chance)
    rng = random.Random(seed)
    for _ in range(_MOST):
        yield state
        if state.over:
            return
        random_step(state, rng)


def _looks(game: Game, seed: int, auto_chance: bool = True) -> Iterator[State]:
    """The same at about `_LOOKS` points of the play, its start and its end among them."""
    length = sum(1 for _ in _states(game, seed, auto_chance))
    every = max(1, length // _LOOKS)
    for number, state in enumerate(_states(game, seed, auto_chance)):
        if number % every == 0 or state.over:
            yield state


def _whole(state: State) -> tuple[object, ...]:
    return state.record, state.history, state.kind, state.actor, state.moves(), state.chance()


def _same(one: State, other: State, how: str) -> None:
    for a, b, what in zip(_whole(one), _whole(other), _PARTS, strict=True):
        _claim(a == b, f"a play that is {how} differs in its {what}")
    _claim(one.keys == other.keys, f"a play that is {how} differs in its scores")


def _played(state: State, move: Move | int | str) -> State:
    branch = state.copy()
    branch.play(move)
    return branch


def _happened(state: State, outcome: int | str) -> State:
    branch = state.copy()
    branch.happen(outcome)
    return branch


def _refused(state: State, action: Callable[[], None], what: str) -> None:
    before = _whole(state)
    try:
        action()
    except IllegalMove:
        _claim(_whole(state) == before, f"{what} was refused and changed the state")
        return
    raise AssertionError(f"{what} was not refused")


_PARTS = ("record", "history", "kind of wait", "actor", "moves", "outcomes")

CHECKS: tuple[Callable[[Game, int], None], ...] = (
    check_play,
    check_replay,
    check_chance,
    check_copy,
    check_undo,
    check_save,
    check_pack,
    check_numbers,
    check_refusals,
    check_observations,
    check_hidden,
    check_unseen,
)
