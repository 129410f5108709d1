"""A small rulebook whose claims are all proved, some of them with the help of others."""

HALVES = """
game halves "Halves"
players 2

state:
    round: Int in 0..5
    per player:
        purse: Int in 0..10
        bought: Int in 0..10
        points: points in 0..1

rule setup "Setting up":
    nothing

rule play "Playing":
    while round < 5:
        decreasing 5 - round
        for p in players:
            p.purse += 2
        round += 1
        let p = random player
        p may choose:
            buy n: Int in 1..p.purse when n <= 2 "buys {n}":
                p.purse -= n
                p.bought += n

ranking "Most points" for p: p.points

invariant earned "What was earned is there": all p in players: p.purse + p.bought = 2 * round
invariant steady "Nobody gets rich": all p in players: p.purse <= 2 * round
"""
