"""A game that can be played: a core, an engine that steps it, and names and numbers for its moves."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cached_property

from rulespec.compiler.core.print import digest
from rulespec.compiler.core.tree import Core
from rulespec.engine import saving
from rulespec.engine.information import Knowledge
from rulespec.engine.interpreter.stepper import Interpreter
from rulespec.engine.layout import Layout
from rulespec.engine.moves import Encoding, Move
from rulespec.engine.rng import pick
from rulespec.engine.state import State
from rulespec.engine.stepper import Stepper


class Game:
    """One configuration of a game. Seats are numbered from 0.

    `stepper` is any engine for `core`; without one the interpreter plays.
    """

    def __init__(self, core: Core, stepper: Stepper | None = None) -> None:
        self.core = core
        self.stepper: Stepper = stepper if stepper is not None else Interpreter(core)
        self.layout = Layout(core)
        self.encoding = Encoding(core)
        self._knowledge: dict[int | None, Knowledge] = {}

    def __repr__(self) -> str:
        chosen = self.core.configuration
        named = [*chosen.variants, *(f"{name}={value}" for name, value in chosen.settings)]
        return f"<Game {', '.join([chosen.game, f'{self.players} players', *named])}>"

    @property
    def title(self) -> str:
        """The game's name for people."""
        return self.core.title

    @property
    def players(self) -> int:
        """How many play; their seats go from 0 to one less."""
        return self.core.configuration.players

    @cached_property
    def digest(self) -> str:
        """64 hex digits that name these rules in this configuration."""
        return digest(self.core)

    def start(self, seed: int | None = None, auto_chance: bool = True) -> State:
        """A new play. All that chance decides follows from `seed`; without one it is a random number."""
        return State(self, random.randrange(2**32) if seed is None else seed, auto_chance)

    # --- moves ----------------------------------------------------------------------------------------------

    @property
    def num_moves(self) -> int:
        """How many moves there are in all states together; they are numbered from 0."""
        return self.encoding.size

    def decode(self, number: int) -> Move:
        """The move with this number (`Move.number` is the inverse); `ValueError` if there is none."""
        return self.encoding.decode(number)

    def seat_name(self, seat: int) -> str:
        """What a seat is called in the rules language: `p0`."""
        return f"p{seat}"

    def check_seat(self, seat: int) -> None:
        """Raise `ValueError` if nobody sits there."""
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat}: they go from 0 to {self.players - 1}")

    def knowledge(self, seat: int | None) -> Knowledge:
        """What a seat sees and knows of this game's plays; None is a spectator."""
        if seat not in self._knowledge:
            if seat is not None:
                self.check_seat(seat)
            self._knowledge[seat] = Knowledge(self, seat)
        return self._knowledge[seat]

    # --- whole plays ----------------------------------------------------------------------------------------

    def replay(self, seed: int, moves: Iterable[Move | int | str]) -> State:
        """The play that comes of a seed and the players' moves."""
        state = self.start(seed)
        for move in moves:
            state.play(move)
        return state

    def random_play(self, seed: int, most: int = 100_000) -> State:
        """A random play to the end, or for `most` steps; the same as `rng.playout` with this seed."""
        rng = random.Random(seed)
        state = self.start(seed, auto_chance=False)
        for _ in range(most):
            if state.over:
                break
            random_step(state, rng)
        return state

    # --- bytes and files ------------------------------------------------------------------------------------

    @property
    def state_bytes(self) -> int:
        """How many bytes each state of this game packs into."""
        return self.layout.bytes

    def unpack(self, packed: bytes, seed: int = 0, auto_chance: bool = True) -> State:
        """The state that was packed, without history; `ValueError` for bytes that are no state's.

        What chance decides from here follows from `seed` as in a new play.
        """
        return State.at(self, self.layout.unpack(packed), seed, auto_chance)

    def save(self, state: State) -> str:
        """`state` with its history as text for a file."""
        return saving.save(self, state)

    def from_json(self, text: str) -> State:
        """The play that was saved; `saving.SaveError` if it is damaged or of other rules."""
        return saving.load(self, text)


def random_step(state: State, rng: random.Random) -> None:
    """One step of a state without `auto_chance`, drawn as all engines draw."""
    if state.kind == "chance":
        state.happen(pick(rng, state.weights))
    else:
        moves = state.moves()
        state.play(moves[0] if len(moves) == 1 else moves[int(rng.random() * len(moves))])
