"""Scores, lengths and wins as a picture."""

from __future__ import annotations

import io
import warnings
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator, PercentFormatter

from rulespec.simulation.bars import edges_of, heights_of, quantile
from rulespec.simulation.report import Setting
from rulespec.simulation.tally import Tally

# Told apart by people who see colors otherwise, too. Source: M. Okabe and K. Ito, Color universal design.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442", "#000000")
QUIET = "#555555"
_STYLE: Any = {
    "text.parse_math": False,  # titles come from rulebooks
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": QUIET,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "axes.labelcolor": QUIET,
}


def png(setting: Setting, tally: Tally) -> bytes:
    """A PNG picture, 1650 by 975 pixels; at least one game must have come to its end."""
    with mpl.rc_context(_STYLE):
        spaces = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12, hspace=0.06, wspace=0.04)
        figure = Figure(figsize=(11, 6.5), layout=spaces)
        FigureCanvasAgg(figure)
        figure.suptitle(_title(setting, tally), x=0.01, ha="left", fontsize=13, fontweight="bold")
        axes = figure.subplot_mosaic([["scores", "wins"], ["scores", "lengths"]], width_ratios=(1.35, 1))
        _scores(axes["scores"], setting, tally)
        _wins(axes["wins"], setting, tally)
        _lengths(axes["lengths"], tally)
        out = io.BytesIO()
        with warnings.catch_warnings():
            # A letter that the font lacks is shown as a box; no reason to say more.
            warnings.simplefilter("ignore", UserWarning)
            figure.savefig(out, format="png", dpi=150, metadata={"Software": "rulespec"})
    return out.getvalue()


def _title(setting: Setting, tally: Tally) -> str:
    number = len(tally.finished)
    configuration = setting.core.configuration
    title = f"{setting.core.title}: {number:,} random games of {configuration.players} players"
    return f"{title} ({', '.join(configuration.variants)})" if configuration.variants else title


def _scores(axes: Any, setting: Setting, tally: Tally) -> None:
    """A row for each seat: how often it reached each score, its middle half, and its median."""
    seats = range(len(setting.seats))
    scores = {seat: sorted(game.scores[seat] for game in tally.finished) for seat in seats}
    least, most = min(s[0] for s in scores.values()), max(s[-1] for s in scores.values())
    edges = edges_of(least, most)
    heights = {seat: heights_of(scores[seat], edges) for seat in seats}
    tallest = max(max(h) for h in heights.values())
    for seat in seats:
        base = len(setting.seats) - 1 - seat
        color = COLORS[seat % len(COLORS)]
        axes.axhline(base, color="#dddddd", linewidth=0.8, zorder=0)
        tops = [base + 0.7 * height / tallest for height in heights[seat]]
        axes.stairs(tops, edges, baseline=base, fill=True, color=color, alpha=0.35)
        axes.stairs(tops, edges, baseline=base, color=color, linewidth=1.2)
        low, middle, high = (quantile(scores[seat], share) for share in (0.25, 0.5, 0.75))
        axes.plot([low, high], [base, base], color=color, linewidth=4, solid_capstyle="butt")
        axes.plot(middle, base, "o", color="white", markeredgecolor=color, markeredgewidth=2, markersize=7)
        axes.annotate(
            f"{middle:g}", (middle, base), (0, -9), textcoords="offset points",
            ha="center", va="top", color=color, fontweight="bold", fontsize=9, zorder=9,
        )  # fmt: skip
    axes.set_yticks([len(setting.seats) - 1 - seat for seat in seats], setting.seats)
    axes.set_ylim(-0.35, len(setting.seats))
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title("Final score by seat")
    axes.set_xlabel("score; dot: median, thick line: middle half of the games")


def _wins(axes: Any, setting: Setting, tally: Tally) -> None:
    """The share of games that each seat wins, with its interval, and what an even game would give."""
    rates = [tally.wins(seat) for seat in range(len(setting.seats))]
    for seat, rate in enumerate(rates):
        assert rate is not None
        base = len(rates) - 1 - seat
        color = COLORS[seat % len(COLORS)]
        axes.errorbar(
            rate.share, base, xerr=[[rate.share - rate.low], [rate.high - rate.share]],
            fmt="o", color=color, markersize=7, capsize=4, linewidth=2,
        )  # fmt: skip
        axes.annotate(
            f"{100 * rate.share:.1f} %", (rate.high, base), (8, 0), textcoords="offset points",
            va="center", color=color, fontweight="bold", fontsize=9,
        )  # fmt: skip
    even = 1 / len(rates)
    axes.axvline(even, color=QUIET, linewidth=1, linestyle=(0, (4, 3)), zorder=0)
    axes.annotate(
        "even", (even, 1), (0, 2), xycoords=("data", "axes fraction"), textcoords="offset points",
        ha="center", va="bottom", color=QUIET, fontsize=8,
    )  # fmt: skip
    axes.set_yticks([len(rates) - 1 - seat for seat in range(len(rates))], setting.seats)
    axes.set_ylim(-0.6, len(rates) - 0.4)
    axes.set_xlim(0, min(1.0, 1.35 * max(rate.high for rate in rates if rate)))
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_title("Games won by seat")
    axes.set_xlabel("95 % interval; shared wins count for each")


def _lengths(axes: Any, tally: Tally) -> None:
    lengths = sorted(game.decisions for game in tally.finished)
    edges = edges_of(lengths[0], lengths[-1])
    axes.stairs(heights_of(lengths, edges), edges, fill=True, color=QUIET, alpha=0.45)
    middle = quantile(lengths, 0.5)
    axes.axvline(middle, color="black", linewidth=1.2)
    axes.annotate(
        f"median {middle:g}", (middle, 1), (4, 0), xycoords=("data", "axes fraction"),
        textcoords="offset points", va="top", fontsize=9, fontweight="bold",
    )  # fmt: skip
    axes.set_ylim(0, 1.18 * max(heights_of(lengths, edges)))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.set_title("Length of a game")
    axes.set_xlabel("moves of all players")
    axes.set_ylabel("games")
