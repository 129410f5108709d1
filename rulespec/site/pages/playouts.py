"""Statistics of play-outs: how long random games are, what is scored, who wins, how much there is to choose
from, and how often each rule and option happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulespec.reference.firings import Fired, PlayOuts
from rulespec.simulation.bars import edges_of, heights_of, quantile
from rulespec.simulation.tally import interval
from rulespec.site.page import Page, plain, text
from rulespec.site.pages import plots
from rulespec.site.pages.badges import rule_links, unseen
from rulespec.site.pages.beside import percent
from rulespec.site.pages.body import Body
from rulespec.site.pages.plots import Box, Interval
from rulespec.site.subject import Subject

PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
BARS = 40


def page(subject: Subject) -> Page:
    """A section for each number of players, then rules and options with a column for each."""
    found = [subject.play_outs(players) for players in subject.players]
    body = Body()
    body.markdown(f"# {plain(subject.title)}: play-outs")
    body.markdown("\n".join(_opening(found)))
    for outs in found:
        body.markdown(f"## With {outs.players} player{'s' * (outs.players != 1)}")
        body.html("".join(_statistics(outs)))
    body.markdown("## How often each rule happens")
    body.html(_rules(subject, found))
    body.markdown("## How often each option is chosen")
    body.html(_options(subject, found))
    return body.page(f"{subject.name}/playouts.md", "Play-outs", subject.title)


def _opening(found: Sequence[PlayOuts]) -> Iterator[str]:
    first = found[0]
    yield (
        f"{first.played:,} random games for each number of players, from seed {first.seed} on, with the"
        " default readings and without variants. **Everybody chooses each legal move with the same chance**:"
        " this shows what the rules lead to by themselves, and not how people play."
    )
    yield ""
    short = [outs for outs in found if outs.late]
    if short:
        told = "; ".join(f"{outs.played:,} with {outs.players} players" for outs in short)
        yield f"Time was short for some: {told}."
        yield ""


# --- one number of players ---------------------------------------------------------------------------------


def _statistics(outs: PlayOuts) -> Iterator[str]:
    finished = len(outs.games)
    yield f"<p>{_finished(outs)}</p>"
    if not finished:
        return
    yield '<div class="plots">'
    yield from _wins(outs)
    if all(game.scores for game in outs.games):
        yield from _scores(outs)
    yield from _lengths(outs)
    yield from _choices(outs)
    yield "</div>"


def _finished(outs: PlayOuts) -> str:
    last = outs.seed + outs.played - 1
    told = f"{outs.played:,} games, seeds {outs.seed} to {last}: "
    if not outs.stopped:
        return told + "all came to an end."
    reasons = "; ".join(f"{number:,} times: {text(why)}" for why, number in outs.stopped.items())
    return f"{told}{len(outs.games):,} came to an end; the others did not ({reasons})."


def _wins(outs: PlayOuts) -> Iterator[str]:
    number = len(outs.games)
    rows = []
    for seat in range(outs.players):
        rate = interval(sum(seat in game.winners for game in outs.games), number)
        assert rate is not None
        rows.append((f"p{seat}", Interval(rate.share, rate.low, rate.high)))
    shared = sum(len(game.winners) > 1 for game in outs.games)
    together = f" Several win together in {percent(shared / number)} of the games." if shared else ""
    even = sum(each.share for _, each in rows) / outs.players
    told = "Games won by each seat: " + ", ".join(f"{n} {100 * each.share:.0f} %" for n, each in rows)
    plot = plots.intervals(rows, even, "games won, with 95 % interval", told)
    table = _table(
        ("seat", "wins", "95 % interval"),
        [(n, f"{100 * i.share:.1f} %", f"{100 * i.low:.1f} to {100 * i.high:.1f} %") for n, i in rows],
    )
    yield _figure("Games won by each seat", f"The broken line is where all win alike.{together}", plot, table)


def _scores(outs: PlayOuts) -> Iterator[str]:
    by_seat = [(f"p{seat}", [game.scores[seat] for game in outs.games]) for seat in range(outs.players)]
    ranked = [sorted(game.scores, reverse=True) for game in outs.games]
    by_rank = [
        (PLACES[place], [scores[place] for scores in ranked])
        for place in range(min(outs.players, len(PLACES)))
    ]
    yield _boxes("Score of each seat", "seat", by_seat)
    if outs.players > 1:
        yield _boxes("Score of each place", "place", by_rank)


def _boxes(title: str, of: str, rows: Sequence[tuple[str, Sequence[int]]]) -> str:
    found = [(name, _box(numbers)) for name, numbers in rows]
    told = f"{title}, medians: " + ", ".join(f"{name} {box.median:g}" for name, box in found)
    plot = plots.boxes(found, "score: least, middle half, median, most", told)
    cells = [
        (name, *(f"{n:g}" for n in (box.least, box.quarter, box.median, box.three_quarters, box.most)))
        for name, box in found
    ]
    table = _table((of, "least", "a quarter below", "median", "a quarter above", "most"), cells)
    return _figure(title, "", plot, table)


def _box(numbers: Sequence[int]) -> Box:
    ordered = sorted(numbers)
    return Box(*(quantile(ordered, share) for share in (0.0, 0.25, 0.5, 0.75, 1.0)))


def _lengths(outs: PlayOuts) -> Iterator[str]:
    yield _histogram("Length of a game", "moves of all players", [game.moves for game in outs.games])


def _choices(outs: PlayOuts) -> Iterator[str]:
    numbers = [moves for moves, times in sorted(outs.choices.items()) for _ in range(times)]
    if numbers:
        more = f"Over the {len(numbers):,} decisions of {outs.watched} games."
        yield _histogram("Legal moves at a decision", "legal moves", numbers, more)


def _histogram(title: str, counts: str, numbers: Sequence[int], more: str = "") -> str:
    ordered = sorted(numbers)
    edges = edges_of(ordered[0], ordered[-1], BARS)
    heights = heights_of(ordered, edges)
    box, mean = _box(ordered), sum(ordered) / len(ordered)
    told = f"{title}: {box.least:g} to {box.most:g} {counts}, median {box.median:g}, mean {mean:.1f}"
    rows = [
        (_span(left, right), f"{100 * height:.1f} %")
        for left, right, height in zip(edges, edges[1:], heights, strict=False)
        if height
    ]
    summary = f"{box.least:g} to {box.most:g}, median {box.median:g}, mean {mean:.1f}. {more}"
    return _figure(title, summary, plots.bars(edges, heights, counts, told), _table((counts, "share"), rows))


def _span(left: float, right: float) -> str:
    low, high = round(left + 0.5), round(right - 0.5)
    return str(low) if low == high else f"{low} to {high}"


def _figure(title: str, more: str, plot: str, table: str) -> str:
    caption = f"<strong>{text(title)}.</strong> {text(more)}"
    numbers = f"<details><summary>{unseen(f'{title}: ')}The numbers</summary>{table}</details>"
    return f"<figure><figcaption>{caption}</figcaption>{plot}{numbers}</figure>"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{text(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f'<table class="numbers"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>'


# --- rules and options -------------------------------------------------------------------------------------


def _rules(subject: Subject, found: Sequence[PlayOuts]) -> str:
    names = [rule.base for rule in subject.rulebook.rules]
    rows = [
        (rule_links(subject, (name,)), [_fired(outs, outs.rules.get(name)) for outs in found])
        for name in dict.fromkeys(names)
        if any(name in outs.rules for outs in found)
    ]
    never = [name for name in dict.fromkeys(names) if not any(name in outs.rules for outs in found)]
    more = ""
    if never:
        more = f"<p>No part of these games, with any number of players: {rule_links(subject, never)}.</p>"
    return _often(["rule"], found, [([link], cells) for link, cells in rows]) + more


def _options(subject: Subject, found: Sequence[PlayOuts]) -> str:
    names = dict.fromkeys(name for outs in found for name in outs.options)
    rows = [
        (
            [rule_links(subject, (rule,)) or text(rule), f"<code>{text(option)}</code>"],
            [_fired(outs, outs.options.get((rule, option))) for outs in found],
        )
        for rule, option in names
    ]
    return _often(["rule", "option"], found, rows) if rows else "<p>Nobody ever chooses.</p>"


def _often(
    first: Sequence[str], found: Sequence[PlayOuts], rows: Sequence[tuple[list[str], list[str]]]
) -> str:
    head = "".join(f'<th scope="col">{text(name)}</th>' for name in first)
    head += "".join(f'<th scope="col">{outs.players} players</th>' for outs in found)
    body = "".join(
        "<tr>"
        + "".join(f'<th scope="row">{name}</th>' for name in names)
        + "".join(f"<td>{cell}</td>" for cell in cells)
        + "</tr>"
        for names, cells in rows
    )
    return (
        "<p>Times a game, and in brackets the share of games in which it happens at all.</p>"
        '<div class="wide"><table class="often">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _fired(outs: PlayOuts, fired: Fired | None) -> str:
    if fired is None:
        return '<span class="unseen">no part of it</span>'
    if not fired.times:
        return '<span class="never">never</span>'
    times = outs.times_a_game(fired)
    shown = f"{times:.1f}" if times >= 1 else f"{times:.2f}" if times >= 0.01 else f"{times:.4f}"
    return f"{shown} ({percent(outs.share_of_games(fired))})"
