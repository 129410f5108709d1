"""What a play is worth to each seat: the score that the rules rank by, or what follows from the ranking."""

from __future__ import annotations

from rulespec.compiler.core.tree import Core
from rulespec.engine.python.intervals import Facts
from rulespec.engine.state import State

# `score`: the first key of the ranking. `difference`: by how much it is above the mean of all scores.
# `win_loss`: those who win share 1, the others share -1; all have 0 where all of them win.
UTILITIES = ("score", "difference", "win_loss")


def worth(state: State, utility: str) -> tuple[float, ...]:
    """What the play would be worth to each seat if it ended here; 0 in a game without a ranking."""
    seats = state.game.players
    if not state.game.core.ranking:
        return (0.0,) * seats
    match utility:
        case "score":
            return tuple(map(float, state.scores))
        case "difference":
            total = sum(state.scores)
            # One division by a whole number, so that equal scores give exactly 0.
            return tuple((score * seats - total) / seats for score in state.scores)
        case "win_loss":
            best = state.ranking[0]
            if len(best) == seats:
                return (0.0,) * seats
            won, lost = 1 / len(best), -1 / (seats - len(best))
            return tuple(won if seat in best else lost for seat in range(seats))
    raise ValueError(f"there is no utility `{utility}`; there are {', '.join(UTILITIES)}")


def is_zero_sum(utility: str) -> bool:
    """Whether what a play is worth adds up to 0 whatever the rules are. Of scores that is not known."""
    return utility != "score"


def limits(core: Core, utility: str) -> tuple[float, float]:
    """Numbers that no play is worth less, or more, than: from the ranges of what the score is made of."""
    if utility == "win_loss":
        return -1.0, 1.0
    low, high = _scores(core)
    if utility == "difference":
        seats = core.configuration.players
        return (low - high) * (seats - 1) / seats, (high - low) * (seats - 1) / seats
    return float(low), float(high)


def _scores(core: Core) -> tuple[int, int]:
    found: list[tuple[int, int]] = []
    for seat in range(core.configuration.players):
        facts = Facts(core)
        facts.bind("p", (seat, seat))
        found += [facts.interval(score) for score in core.ranking[:1]]
    low, high = min((low for low, _ in found), default=0), max((high for _, high in found), default=0)
    return (low, high) if low < high else (low, low + 1)
