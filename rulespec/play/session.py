"""A play at the keyboard, from its first question to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from rulespec.engine.faults import Fault
from rulespec.engine.moves import Move
from rulespec.engine.state import Played, State
from rulespec.play import menu, show, storing
from rulespec.play.events import Event, option_citation, retold, seat_names
from rulespec.play.opponents import Opponent, luck
from rulespec.play.screen import Screen
from rulespec.play.table import table
from rulespec.play.working import Workings
from rulespec.whole_file import Unwritable

ME = "me"
# Characters that the titles of rows take, beside what each player's column needs.
WIDE = 50
# Lines of moves that are shown without being asked for.
LISTED = 40

HELP = (
    ("a number", "the move of that number in the list"),
    ("a move", "as it stands in the list, such as `bid 5`; a beginning that fits one move will do"),
    ("Enter", "the only move, where there is just one"),
    ("moves [WORD]", "all moves, or those that begin so"),
    ("undo", "take back the last move of anybody at this keyboard, and all that followed"),
    ("state", "show the table and the moves again"),
    ("log", "all that has happened, as far as you may know it"),
    ("hint", "what the greedy opponent would do in your place"),
    ("rules", "which rule asks, and where the rulebook says so"),
    ("save [FILE]", "save the play; `rulespec play --resume FILE` takes it up again"),
    ("quit", "stop, and save if a file was given"),
    ("help", "this list"),
)
COMMANDS = tuple(name.split()[0] for name, _ in HELP[3:])


class Ending(Enum):
    """How a session ended."""

    OVER = "over"
    QUIT = "quit"
    INTERRUPTED = "interrupted"
    FAULT = "fault"


class _Quit(Exception):
    """The person wants to stop."""


@dataclass(frozen=True)
class Seating:
    """Who sits where: `seats` holds `me`, or the name of a kind of opponent."""

    seats: tuple[str, ...]
    opponents: dict[str, Opponent]

    def is_person(self, seat: int) -> bool:
        return self.seats[seat] == ME

    @property
    def people(self) -> int:
        return self.seats.count(ME)


class Session:
    """Plays a state without `auto_chance` to its end, or until the people stop.

    `keep` makes the text of a save file of a state; with `path` every move of a person is saved there.
    """

    def __init__(
        self,
        state: State,
        seating: Seating,
        screen: Screen,
        keep: Callable[[State], storing.Saved],
        path: Path | None = None,
    ) -> None:
        self.state = state
        self.seating = seating
        self.screen = screen
        self.keep = keep
        self.path = path
        self.names = seat_names(state.game.core)
        self.workings = Workings(state.game.core)
        self.events: list[Event] = retold(state, self.workings)
        self.viewer: int | None = None
        self.told = [self._last_move_of(seat) for seat in range(len(seating.seats))]

    def begin(self) -> None:
        """Say what is played, and that there is help."""
        core = self.state.game.core
        players = core.configuration.players
        self.screen.say(f"{core.title}, {players} players, seed {self.state.seed}", "bold")
        if self.events:
            self.screen.say(f"taken up after {len(self.events)} steps")
        self.screen.say("`help` lists what can be typed besides moves")
        self.screen.say()

    def run(self) -> Ending:
        """Play. Nothing is lost however it ends, if there is a file to save to."""
        try:
            while not self.state.over:
                self._step()
        except _Quit:
            return self._stopped(Ending.QUIT)
        except EOFError:
            self.screen.say()
            return self._stopped(Ending.QUIT)
        except KeyboardInterrupt:
            self.screen.say()
            return self._stopped(Ending.INTERRUPTED)
        except Fault as fault:
            self.screen.say(f"the rules cannot go on from here: {fault}", "bold red")
            self._stopped(Ending.QUIT)
            return Ending.FAULT
        self._finish()
        return Ending.OVER

    def _step(self) -> None:
        actor = self.state.actor
        if actor is None:
            self._take(None)
        elif self.seating.is_person(actor):
            self._turn(actor)
        else:
            opponent = self.seating.opponents[self.seating.seats[actor]]
            with self.screen.waiting(f"{self.names[actor]} thinks"):
                move = opponent.choose(self.state, luck(self.state))
            self._take(move)

    def _take(self, move: Move | None) -> None:
        place = self.workings.where(self.state.record)
        if move is None:
            self.state.resolve()
        else:
            self.state.play(move)
        self.events.append(Event(self.state.history[-1], place))

    # --- a person's turn ------------------------------------------------------------------------------------

    def _turn(self, seat: int) -> None:
        self._give_keyboard(seat)
        self._tell_news(seat)
        self._show(seat)
        while self.state.actor == seat:
            typed = self.screen.ask(f"{self.names[seat]}> ").strip()
            move = self._read(typed)
            if move is not None:
                try:
                    self._take(move)
                except Fault as fault:
                    self.screen.say(f"the rules fail on this move: {fault}; nothing has changed", "bold red")
                    continue
                self._autosave()
                return
            if typed and self._command(seat, typed):
                return

    def _read(self, typed: str) -> Move | None:
        """The move that was typed; None when it was a command, or nothing that fits."""
        moves = self.state.moves()
        if not typed and len(moves) == 1:
            return moves[0]
        if _is_command(typed):
            return None
        try:
            found = menu.read(typed, moves)
            return found if isinstance(found, Move) else self._ask_number(found)
        except menu.Unclear as unclear:
            self.screen.say(str(unclear), "yellow")
            return None

    def _ask_number(self, entry: menu.Entry) -> Move | None:
        """The move of a line of several, once its number is known; None for an empty line."""
        while True:
            typed = self.screen.ask(f"{entry.text} (which? Enter: none of them) ").strip()
            if not typed:
                return None
            try:
                return menu.with_last(entry, typed)
            except menu.Unclear as unclear:
                self.screen.say(str(unclear), "yellow")

    def _command(self, seat: int, typed: str) -> bool:
        """Carry out a command; whether the turn begins anew."""
        if not _is_command(typed):
            return False
        name, _, rest = typed.removeprefix("/").partition(" ")
        match name.lower():
            case "help" | "?":
                self._help()
            case "quit":
                raise _Quit
            case "undo":
                return self._undo()
            case "save":
                self._save(Path(rest.strip()) if rest.strip() else self.path)
            case "moves":
                self._show_moves(rest)
            case "state":
                self._show(seat)
            case "log":
                self._show_story(self.events, seat)
            case "hint":
                self._hint()
            case "rules":
                self._rules()
            case _:
                self.screen.say(f"there is no command `{typed}`; `help` lists them", "yellow")
        return False

    def _give_keyboard(self, seat: int) -> None:
        if self.seating.people > 1 and self.viewer != seat:
            self.screen.clear()
            self.screen.ask(f"hand the keyboard to {self.names[seat]}, who presses Enter ")
            self.screen.clear()
        self.viewer = seat

    def _last_move_of(self, seat: int) -> int:
        """The number of events up to a seat's last move: what came later it may not have seen."""
        moves = (
            number
            for number, event in reversed(list(enumerate(self.events, 1)))
            if isinstance(event.step, Played) and event.step.actor == seat
        )
        return next(moves, 0)

    def _tell_news(self, seat: int) -> None:
        self._show_story(self.events[self.told[seat] :], seat)
        self.told[seat] = len(self.events)

    def _show_story(self, events: Sequence[Event], seat: int | None) -> None:
        lines = list(show.story(events, self.names, seat))
        for line in lines:
            self.screen.show(line)
        if lines:
            self.screen.say()

    def _show(self, seat: int) -> None:
        core = self.state.game.core
        seen, record = self.state.observation(seat)["slots"], self.state.record
        self.screen.say(f"{self.names[seat]} to move: {self.workings.where(record, seen)}", "bold")
        self.screen.say()
        workings = self.workings.lines(record, seen)
        wide = self.screen.console.width >= WIDE + 12 * len(self.names)
        self.screen.show(show.seen(table(core, seen), workings, self.names, seat, wide=wide))
        self._show_moves()

    def _show_moves(self, beginning: str | None = None) -> None:
        """List the moves that begin like that, or as many of all as fit the screen."""
        numbered = list(enumerate(menu.entries(self.state.moves()), 1))
        if beginning is not None:
            numbered = [(number, entry) for number, entry in numbered if menu.begins(entry, beginning)]
        elif len(numbered) > LISTED:
            more = len(numbered) - LISTED
            self.screen.show(show.menu(numbered[:LISTED]))
            self.screen.say(f"and {more} more: `moves` lists all, `moves WORD` those that begin so")
            return
        self.screen.show(show.menu(numbered))

    # --- commands -------------------------------------------------------------------------------------------

    def _help(self) -> None:
        width = max(len(name) for name, _ in HELP)
        for name, text in HELP:
            self.screen.say(f"  {name:<{width}}  {text}")

    def _undo(self) -> bool:
        """Back to before the last move of a person; whether there was one."""
        last = next(
            (at for at in reversed(range(len(self.events))) if self._by_person(self.events[at])), None
        )
        if last is None:
            self.screen.say("there is nothing to take back", "yellow")
            return False
        while len(self.events) > last:
            self.state.undo()
            self.events.pop()
        self.told = [min(told, last) for told in self.told]
        self.screen.say("taken back")
        self._autosave()
        return True

    def _by_person(self, event: Event) -> bool:
        return isinstance(event.step, Played) and self.seating.is_person(event.step.actor)

    def _hint(self) -> None:
        move = self.seating.opponents["greedy"].choose(self.state, luck(self.state))
        self.screen.say(f"greedy would choose `{move.text}`")

    def _rules(self) -> None:
        core, record = self.state.game.core, self.state.record
        place = self.workings.where(record)
        for rule in place.rules:
            self.screen.say(str(rule), "bold")
        if place.line:
            self.screen.say(f"  {place.file}, line {place.line}")
        for name in dict.fromkeys(move.option for move in self.state.moves()):
            citation = option_citation(core, record[-1], name)
            if citation:
                self.screen.say(f"  {name} {citation}")

    # --- files ----------------------------------------------------------------------------------------------

    def _autosave(self) -> None:
        if self.path is not None:
            self._save(self.path, quiet=True)

    def _save(self, path: Path | None, quiet: bool = False) -> bool:
        if path is None:
            self.screen.say("which file? type `save FILE`", "yellow")
            return False
        try:
            storing.save(path, self.keep(self.state))
        except Unwritable as error:
            self.screen.say(f"the play is not saved: {error}", "bold red")
            return False
        if not quiet:
            self.screen.say(f"saved to `{path}`")
        return True

    def _stopped(self, ending: Ending) -> Ending:
        worth_it = self.path is not None or any(map(self._by_person, self.events))
        path = self.path or (self._offered_path() if worth_it else None)
        while path is not None and not self._save(path, quiet=True):
            path = self._offered_path()
        if path is not None:
            self.screen.say(f"saved; go on with `rulespec play --resume {path}`")
        return ending

    def _offered_path(self) -> Path | None:
        """Where to save to, if anybody is there to say."""
        if not self.screen.terminal:
            return None
        try:
            typed = self.screen.ask("save to which file? (Enter: do not save) ").strip()
        except (EOFError, KeyboardInterrupt):
            return None
        return Path(typed) if typed else None

    def _finish(self) -> None:
        self._autosave()
        seat = self.viewer if self.seating.people == 1 else None
        if self.seating.people > 1:
            self.screen.clear()
        since = min((self.told[p] for p in range(len(self.told)) if self.seating.is_person(p)), default=0)
        self._show_story(self.events[since if seat is None else self.told[seat] :], seat)
        self.screen.say("the game is over", "bold")
        self.screen.show(show.ranking(self.state, self.names))
        self.screen.say(show.winners(self.state, self.names), "bold green")


def _is_command(typed: str) -> bool:
    word = typed.split(" ", 1)[0].lower()
    return word.startswith("/") or word == "?" or word in COMMANDS
