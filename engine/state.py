"""One play of a game, move by move: what a person, a program or a search holds in its hand."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulespec.compiler.core.tree import Chance, Choose
from rulespec.engine import observation
from rulespec.engine.interpreter.evaluate import evaluate
from rulespec.engine.layout import value_label, value_name
from rulespec.engine.moves import Move
from rulespec.engine.rng import decide
from rulespec.engine.stepper import RawMove, Record

if TYPE_CHECKING:
    from rulespec.engine.game import Game


class IllegalMove(ValueError):
    """What was asked for is not possible now; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What chance may decide."""

    number: int
    name: str
    label: str
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Played:
    """A step of a play: the seat `actor` made a move. `secret`: the others do not see which."""

    actor: int
    move: Move
    secret: bool

    def is_witnessed(self, seat: int | None) -> bool:
        """Whether a seat saw which move it was; None is a spectator."""
        return not self.secret or self.actor == seat


@dataclass(frozen=True, slots=True)
class Happened:
    """A step of a play: chance decided. `seen_by`: a seat, -1 for everybody, -2 for nobody."""

    outcome: Outcome
    seen_by: int

    def is_witnessed(self, seat: int | None) -> bool:
        """Whether a seat saw what was decided; None is a spectator."""
        return self.seen_by == -1 or self.seen_by == seat


Step = Played | Happened


@dataclass(frozen=True, slots=True)
class _Waiting:
    """What a record waits for, worked out once when it is come to."""

    kind: str
    actor: int = -1
    moves: tuple[RawMove, ...] = ()
    weights: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """Where a play waits, or waited. Points are never changed, and copies of a state share them.

    `told` keeps what was worked out of a point and of the step that led to it, by who asked.
    """

    record: Record
    waiting: _Waiting
    told: dict[object, Any] = field(default_factory=dict, compare=False)


class State:
    """A play in progress. Made by `Game.start`; `play` and the rest move it on in place, `copy` branches it.

    With `auto_chance` chance is decided from the seed as soon as it comes up, so that the state always waits
    for a player or is over. Without, `chance` tells what may happen and `happen` or `resolve` lets it.
    `first` is the record before any step.
    """

    def __init__(self, game: Game, seed: int, auto_chance: bool = True) -> None:
        self.game = game
        self.seed = seed
        self.auto_chance = auto_chance
        self._put(game.stepper.start())
        self._settle()

    def __repr__(self) -> str:
        return f"<State after {len(self._steps)} steps, waiting: {self.waiting_text(None)}>"

    def _put(self, record: Record) -> None:
        self.first = record
        self._here = Point(record, self._look(record))
        self._past: list[Point] = []  # before each step
        self._steps: list[Step] = []
        self._marks: list[int] = []  # how many steps there were before each that can be taken back

    @classmethod
    def at(cls, game: Game, record: Record, seed: int, auto_chance: bool = True) -> State:
        """A state that stands at `record`, without history."""
        state = object.__new__(cls)
        state.game, state.seed, state.auto_chance = game, seed, auto_chance
        state._put(record)
        state._settle()
        return state

    @classmethod
    def retrace(cls, game: Game, seed: int, auto_chance: bool, steps: Iterable[tuple[str, int]]) -> State:
        """The state after `steps`: `("move", number)`, and `("chance", outcome)` as it was decided then."""
        state = cls(game, seed, auto_chance=False)
        for kind, number in steps:
            if kind == "move":
                state.play(number)
            else:
                state.happen(number)
        if auto_chance:
            state.auto_chance = True
            state._marks = [n for n, step in enumerate(state._steps) if isinstance(step, Played)]
            state._settle()
        return state

    # --- what is asked --------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """What the state waits for: `choice`, `chance` or `end`."""
        return self._here.waiting.kind

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._here.waiting.kind == "end"

    @property
    def actor(self) -> int | None:
        """The seat that is asked; None where chance decides or the game is over."""
        return self._here.waiting.actor if self.kind == "choice" else None

    @property
    def secret(self) -> bool:
        """Whether the answer to the present choice stays hidden from the other seats."""
        end = self._block_end
        return isinstance(end, Choose) and end.secret

    def moves(self) -> list[Move]:
        """The legal moves in a fixed order; none where nobody is asked."""
        return [move for _, move in self._offers().values()]

    def mask(self) -> list[bool]:
        """For each of the game's `num_moves` whether it is legal now."""
        mask = [False] * self.game.num_moves
        for number in self.numbers():
            mask[number] = True
        return mask

    def numbers(self) -> list[int]:
        """The numbers of the legal moves, in the order of `moves`."""
        return list(self._offers())

    def chance(self) -> list[Outcome]:
        """What chance may decide now, with exact probabilities; empty where it does not decide."""
        return [self._outcome(number) for number, _ in self._here.waiting.weights]

    @property
    def weights(self) -> tuple[tuple[int, int], ...]:
        """(outcome, weight) of all that chance may decide now."""
        return self._here.waiting.weights

    # --- going on -------------------------------------------------------------------------------------------

    def play(self, move: Move | int | str) -> None:
        """Make a legal move of the seat that is asked, given as such, by its number, or by its text.

        Raises `IllegalMove` or, where the rules fail, `Fault`; either way nothing has changed.
        """
        raw, found = self._find(move)
        step = Played(self._here.waiting.actor, found, self.secret)
        record = self.record
        self.game.stepper.play(record, raw)
        self._go(record, step)

    def happen(self, outcome: Outcome | int | str) -> None:
        """Let chance decide for this outcome, given as such, by its number, or by its name."""
        if self.kind != "chance":
            raise IllegalMove("chance does not decide here")
        if isinstance(outcome, Outcome):
            outcome = outcome.number
        if isinstance(outcome, str):
            named = (option.number for option in self.chance() if option.name == outcome)
            number = next(named, None)
        else:
            number = outcome
        if all(number != possible for possible, _ in self.weights):
            names = ", ".join(option.name for option in self.chance())
            raise IllegalMove(f"chance cannot decide for {outcome}: it may be {names}")
        assert number is not None
        record = self.record
        self.game.stepper.happen(record, number)
        self._go(record, Happened(self._outcome(number), self._seen_by()))

    def resolve(self) -> Outcome:
        """Let chance decide by the seed; what it decided."""
        if self.kind != "chance":
            raise IllegalMove("chance does not decide here")
        outcome = self._outcome(decide(self.seed, self._chances, self._here.waiting.weights))
        self.happen(outcome)
        return outcome

    def undo(self) -> None:
        """Take back the last `play`, `happen` or `resolve`, with the chance that followed by itself."""
        if not self._marks:
            raise IllegalMove("there is nothing to take back")
        self._return(self._marks.pop())

    def copy(self, seed: int | None = None) -> State:
        """An independent state at the same point; with `seed`, chance goes on differently from here."""
        twin = object.__new__(State)
        twin.game = self.game
        twin.seed = self.seed if seed is None else seed
        twin.auto_chance = self.auto_chance
        twin.first = self.first
        # Points are replaced, never changed, once a state holds them.
        twin._here, twin._past = self._here, list(self._past)
        twin._steps, twin._marks = list(self._steps), list(self._marks)
        return twin

    # --- what there is to see -------------------------------------------------------------------------------

    @property
    def history(self) -> tuple[Step, ...]:
        """All steps so far, those of chance among them."""
        return tuple(self._steps)

    @property
    def points(self) -> tuple[Point, ...]:
        """Where the play has waited, the present point last; step n of the history leads from point n on."""
        return (*self._past, self._here)

    @property
    def record(self) -> Record:
        """A copy of the record: the core's slots in layout order, then the index of the waiting block."""
        return list(self._here.record)

    @property
    def keys(self) -> tuple[tuple[int, ...], ...]:
        """For each seat its score and what breaks ties; higher is better, earlier counts first."""
        return self.game.stepper.scores(self._here.record)

    @property
    def scores(self) -> tuple[int, ...]:
        """For each seat its score as things stand; empty in a game without ranking."""
        return tuple(keys[0] for keys in self.keys if keys)

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats from best to worst as things stand; those that share a place stand together."""
        keys = self.keys
        places = sorted(set(keys), reverse=True)
        return tuple(tuple(p for p, own in enumerate(keys) if own == place) for place in places)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; empty until the game is over, or if nothing ranks the seats."""
        return self.ranking[0] if self.over and self.game.core.ranking else ()

    def observation(self, player: int | None) -> dict[str, Any]:
        """What a seat may see, as plain values that JSON can hold; None is a spectator.

        `player`: the seat; `asked`: what is waited for; `moves`: the numbers of the legal moves, for the seat
        that is asked; `slots`: see `observation.slots`.
        """
        if player is not None:
            self.game.check_seat(player)
        observed: dict[str, Any] = {"player": player, "asked": self._asked(player)}
        if player is not None and player == self.actor:
            observed["moves"] = [move.number for move in self.moves()]
        observed["slots"] = observation.slots(self.game.core, self._here.record, player)
        return observed

    def observation_text(self, player: int | None) -> str:
        """The same for people, without what only steers the rules."""
        observed = self.observation(player)
        lines = observation.lines(self.game.core, observed["slots"])
        return "\n".join([*lines, f"waiting: {self.waiting_text(player)}"])

    def information_state(self, player: int | None) -> str:
        """All that a seat has seen and done so far, as text; None is a spectator.

        A seat cannot tell two plays apart exactly if their texts are the same. See `engine.information`.
        """
        return self.game.knowledge(player).text(self)

    def waiting_text(self, player: int | None) -> str:
        """What the game waits for, as far as a seat may know."""
        asked = self._asked(player)
        match asked["kind"]:
            case "choice":
                return f"{self.game.seat_name(asked['actor'])} ({', '.join(asked['options'])})"
            case "secret":
                return "a secret answer"
            case "chance":
                return f"chance ({asked['about']})"
            case _:
                return "the game is over"

    def fingerprint(self) -> str:
        """32 hex digits that are the same for equal states of the same game, everywhere and always."""
        return hashlib.sha256(self.pack()).hexdigest()[:32]

    def pack(self) -> bytes:
        """The state without its history in `Game.state_bytes` bytes; `Game.unpack` is the inverse."""
        return self.game.layout.pack(self._here.record)

    def to_json(self) -> str:
        """The play as text for a file: seed, steps, a hash of the rules. `Game.from_json` is the inverse."""
        return self.game.save(self)

    # --- inside ---------------------------------------------------------------------------------------------

    @property
    def _block_end(self) -> object:
        return self.game.core.blocks[self._here.record[-1]].end

    @property
    def _chances(self) -> int:
        return sum(isinstance(step, Happened) for step in self._steps)

    def _look(self, record: Record) -> _Waiting:
        stepper = self.game.stepper
        match stepper.kind(record):
            case "choice":
                return _Waiting("choice", stepper.actor(record), tuple(stepper.moves(record)))
            case "chance":
                return _Waiting("chance", weights=tuple(stepper.outcomes(record)))
            case "end":
                return _Waiting("end")
            case kind:
                raise ValueError(f"nothing waits at a block that is a {kind}")

    def _go(self, record: Record, step: Step) -> None:
        """Take up a new record. Should the rules fail on the way, all is as it was before."""
        before = len(self._steps)
        self._come_to(Point(record, self._look(record)), step)
        try:
            self._settle()
        except BaseException:
            self._return(before)
            raise
        self._marks.append(before)

    def _come_to(self, point: Point, step: Step) -> None:
        self._past.append(self._here)
        self._steps.append(step)
        self._here = point

    def _return(self, steps: int) -> None:
        """To where there were so many steps, fewer than now."""
        if steps < len(self._past):
            self._here = self._past[steps]
            del self._past[steps:], self._steps[steps:]

    def _settle(self) -> None:
        """With `auto_chance`, let chance decide until somebody is asked or the game is over."""
        while self.auto_chance and self.kind == "chance":
            outcome = self._outcome(decide(self.seed, self._chances, self._here.waiting.weights))
            step = Happened(outcome, self._seen_by())
            record = self.record
            self.game.stepper.happen(record, outcome.number)
            self._come_to(Point(record, self._look(record)), step)

    def _offers(self) -> dict[int, tuple[RawMove, Move]]:
        """The legal moves by their numbers, as the engine takes them and as people see them."""
        told = self._here.told
        if "offers" not in told:
            block, encoding = self._here.record[-1], self.game.encoding
            pairs = [(raw, encoding.move(block, raw)) for raw in self._here.waiting.moves]
            told["offers"] = {move.number: (raw, move) for raw, move in pairs}
        found: dict[int, tuple[RawMove, Move]] = told["offers"]
        return found

    def _find(self, move: Move | int | str) -> tuple[RawMove, Move]:
        if self.kind != "choice":
            raise IllegalMove("the game is over" if self.over else "chance decides here, nobody is asked")
        offers = self._offers()
        if isinstance(move, str):
            text = " ".join(move.split())
            found = next((pair for pair in offers.values() if pair[1].text == text), None)
        else:
            found = offers.get(move.number if isinstance(move, Move) else move)
        if found is None or (isinstance(move, Move) and found[1] != move):
            raise IllegalMove(self._refusal(move, [offered for _, offered in offers.values()]))
        return found

    def _refusal(self, move: Move | int | str, legal: Sequence[Move]) -> str:
        if isinstance(move, int) and not 0 <= move < self.game.num_moves:
            return f"there is no move number {move}: they go from 0 to {self.game.num_moves - 1}"
        text = self.game.encoding.decode(move).text if isinstance(move, int) else str(move)
        close = difflib.get_close_matches(text, [m.text for m in legal], n=3)
        hint = f", did you mean {' or '.join(f'`{c}`' for c in close)}?" if close else ""
        return f"`{text}` is not offered to {self.game.seat_name(self._here.waiting.actor)} now{hint}"

    def _outcome(self, number: int) -> Outcome:
        end = self._block_end
        assert isinstance(end, Chance)
        total = sum(weight for _, weight in self._here.waiting.weights)
        weight = dict(self._here.waiting.weights)[number]
        name, label = value_name(end.domain, number), value_label(end.domain, number)
        return Outcome(number, name, label, Fraction(weight, total))

    def _seen_by(self) -> int:
        end = self._block_end
        assert isinstance(end, Chance)
        return evaluate(self.game.core, end.seen_by, self._here.record, {})

    def _asked(self, player: int | None) -> dict[str, Any]:
        end = self._block_end
        match end:
            case Choose():
                if end.secret and player != self._here.waiting.actor:
                    return {"kind": "secret"}
                options = [option.name for option in end.options]
                return {"kind": "choice", "actor": self._here.waiting.actor, "options": options}
            case Chance():
                return {"kind": "chance", "about": end.domain.name}
            case _:
                return {"kind": "end"}
