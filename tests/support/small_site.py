"""A rulebook that is small and has all that the site shows of one, and another that means harm."""

from __future__ import annotations

from pathlib import Path

RULES = """
game {name} "{title}"
source rb "{title}" of 9 lines
players 2..3
enum Side "{title}" @rb(1): heads "Heads", tails "{title}"
param most "the most that is drawn": Int = 2 @rb(2)
piece Coin "silver coin" of Side @rb(2): 2 each in bank
reading first "{title}":
    either "{title}" default
    neither "{title}"
state:
    bank "{title}" @rb(3): Bag[Coin]
    turn "whose turn it is": Player
    per player:
        held "coins held": Bag[Coin]
        points "victory points": points in 0..20
"""
PLAY = """
rule setup "Setting up" @rb(4):
    turn := random_seat()
rule random_seat() -> Player "Who begins":
    let p = random player
    return p
rule play "{title}" @rb(5..6):
    for p in players from turn:
        p chooses:
            take c: Side in bank "takes {{c}}":
                move c from bank to p.held
            pass "{phrase}":
                nothing
    for p in players:
        score 1 * size(p.held) to p
ranking for p: p.points
invariant few "{title}": all p in players: size(p.held) <= most
example take_one "{title}":
    players 2
    given:
        turn = p0
    run play
    when:
        p0 take heads
        p1 pass
    then:
        p0.points = 1
"""
HARM = "</title></td><script>alert(1)</script><img src=x onerror=alert(1)> {{ 7 * 7 }} &lt;b&gt; ${x} <!--"


def book(name: str = "small", title: str = "A small game", prose: str = "") -> str:
    """The text of a rulebook; `title` is what everything with a title is called."""
    phrase = title.replace("{", "(").replace("}", ")")
    rules, play = (part.format(name=name, title=title, phrase=phrase) for part in (RULES, PLAY))
    return (
        f"# {title}\n\nTwo people take silver coins from the bank.\n\n{prose}\n\n"
        f"```rules{rules}```\n\n## Setup\n\nEach takes a silver coin; [again](#setup).\n\n```rules{play}```\n"
    )


def write(folder: Path, text: str, name: str = "small") -> Path:
    """A rulebook in a folder of its own."""
    file = folder / name / f"{name}.rules.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file
