"""A rulebook whose claims a test chooses: true, false, or beyond what can be decided."""

from __future__ import annotations

COUNTER = """\
game counter "Counter"
players {players}

currency coin "coins": 30 in bank

state:
    turns "turns taken": Int in 0..9
    first "who takes all turns": Player
{unforeseen}    per player:
        purse "coins": coin in 0..30

rule setup "Setting up":
    for p in players:
        pay 1 from bank to p.purse

rule play "Turns":
    while turns < 9:
        decreasing 9 - turns
        turns += 1
        take(first)

rule take(p: Player) "Taking a coin":
    p chooses:
        take when bank > 0 "takes a coin":
            pay 1 from bank to p.purse
        leave "leaves it":
            nothing
{guess}

ranking "Most coins" for p: p.purse

example taking "Taking one":
    players 2
    run take(p1)
    when:
        p1 take
    then:
        p1.purse = {taken}
"""

TRUE = 'invariant pace "A coin in a turn": all p in players: p.purse <= 1 * (turns + 1)'
FALSE = 'invariant poor "Nobody has four coins": all p in players: p.purse <= 3'
# It may happen or not: nobody finds out by playing, nor by visiting what is near, nor by induction.
OPEN = 'reachable lucky "The number is 777": code = 777 and turns = 9'
# Nothing short of a visit of all positions shows what it says of five.
VISITED = """\
game orbit "Orbit"
players 2

state:
    x "the number": Int in 0..96
    turns "turns taken": Int in 0..20
    per player:
        points "points": points in 0..1

rule setup "Setting up":
    x := 1

rule play "Playing":
    while turns < 20:
        turns += 1
        go_on()

rule go_on "Going on":
    let p = random player
    p may choose:
        go "goes on":
            x := (x * 27) mod 97

ranking "Most points" for p: p.points

invariant never_five "It is never five": x != 5
reachable fifty "It comes to fifty": x = 50
reachable five "It comes to five": x = 5
reachable soon "It is 96 at once": x = 96 and turns = 0
"""
SMALL = 'scope pocket "Two turns in all":\n    players 2'


UNFORESEEN = '    code "a number that nobody foresees": Int in 0..1000002\n'
GUESS = """\
        guess n: Int in 0..99 "guesses {n}":
            code := (code * 31 + n * 17 + 5) mod 1000003
"""


def counter(*claims: str, players: str = "2", taken: int = 1) -> str:
    """The rulebook with these claims; in its example, player p1 is said to end with `taken` coins.

    Only where `OPEN` is claimed there is the number that it is about.
    """
    unforeseen, guess = (UNFORESEEN, GUESS) if OPEN in claims else ("", "")
    text = COUNTER.format(players=players, taken=taken, unforeseen=unforeseen, guess=guess)
    return "\n\n".join([text.rstrip(), *claims]) + "\n"
