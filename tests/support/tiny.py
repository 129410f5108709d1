"""A rulebook small enough to be changed by a test in one place."""

from __future__ import annotations

TINY = """\
game tiny "Tiny"
source rb "A leaflet" of 9 lines
players 2..3 @rb(1)

currency coin "coins": unlimited in bank
param share "coins for each": coin = 3 @rb(2)

variant rich "More coins" @rb(8):
    share = 5

reading first "Who begins?" @rb(3) Q1:
    youngest "the first seat" default
    oldest "the second seat" @rb(3)

reading end "When is it over?" @rb(4):
    once "after one turn" default

state:
    eldest "the first seat": Player
    per player:
        purse "coins": coin in 0..5
        points "points": points in 0..5

rule setup "Setting up" @rb(2):
    for p in players:
        pay share from bank to p.purse

function opener() -> Player @rb(3) = left of eldest if reading first is oldest else eldest

rule play "A turn" @rb(3..5):
    for p in players from opener():
        spend(p)

rule spend(p: Player) "Spending" @rb(5):
    p chooses:
        spend n: coin in 1..p.purse "spends {n}":
            pay n from p.purse to bank
            score 1 to p
        keep "keeps all":
            nothing

ranking "Most points" for p @rb(6): p.points

scope pocket "One coin each":
    players 2
    share = 1

invariant thrift "Points cost coins": all p in players: p.purse <= share

example spending "A coin for a point" @rb(5):
    players 2
    given:
        p1.purse = 3
    run spend(p1)
    when:
        p1 cannot spend 4
        p1 spend 2
    then:
        p1.points = 1
        p1.purse = 1
"""


def changed(old: str, new: str) -> str:
    """The rulebook with one passage replaced; it must be there exactly once."""
    assert TINY.count(old) == 1, old
    return TINY.replace(old, new)
