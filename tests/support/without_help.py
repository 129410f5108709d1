"""Rulebooks that say nothing to help with their proofs, which need facts and measures all the same."""

from __future__ import annotations

SALE = """\
game sale "A sale"
players 2

currency gold "gold": unlimited in bank

state:
    per player:
        purse "gold": gold in 0..50
        points: points in 0..1

rule setup "Any purses":
    for p in players:
        p chooses:
            have n: gold in 0..50 "has {n}":
                pay n from bank to p.purse

rule play "Whoever bids most has to pay":
    var live: Set[Player] = players
    var leader: Player? = none
    var high: gold in 0..50 = 0
    let begins = random player
    var turn: Player = begins
    repeat:
        let next = first q in players from turn where q in live and leader != q
        if next is some asked:
            asked chooses:
                bid n: gold in high + 1..asked.purse "bids {n}":
                    high := n
                    leader := asked
                pass "passes":
                    remove asked from live
            turn := left of asked
        else:
            stop
    if leader is some w:
        pay high from w.purse to bank
        score 1 to w

ranking "Points" for p: p.points
"""

PUSHING = """\
game pushing "Pushing one's luck"
players 2

state:
    best "the most that anybody has kept": Int in 0..9999
    per player:
        points: points in 0..9999

rule setup "Setting up":
    nothing

rule play "One after the other":
    for p in players:
        let kept = turn_of(p)
        score 1 * kept to p
        best := max(best, kept)

rule turn_of(p: Player) -> Int in 0..400 "What was thrown lies on the table, then in the hand":
    var throws: Int in 0..60 = 0
    var table: Int in 0..400 = 0
    var hand: Int in 0..400 = 0
    var kept: Int in 0..400 = 0
    var left: Int = 60
    while left > 0:
        left -= 1
        p chooses:
            throw n: Int in 1..6 when throws < 60 "throws {n}":
                throws += 1
                table += n
            take "takes what lies on the table":
                hand += table
                table := 0
            keep "keeps what is in the hand":
                kept += hand
                hand := 0
            lose "loses what lies on the table":
                table := 0
    assert kept <= 6 * throws "nobody keeps more than six for each throw"
    return kept

ranking "Points" for p: p.points
"""
