"""Diagnostic codes of this stage, R05xx and R06xx: components, configurations, limits, examples."""

from __future__ import annotations

from textwrap import dedent

from rulespec.compiler.diagnostics import Code


def _page(code: str, title: str, *, what: str, why: str, bad: str, good: str) -> Code:
    return Code(code, title, what, why, dedent(bad).strip("\n"), dedent(good).strip("\n"))


_CONSTANTS = (
    _page(
        "R0501",
        "not known before play",
        what="A number that has to be fixed before play has no value then.",
        why="Numbers of pieces, ranges and the like belong to the game, not to a position in it.",
        bad="""
        param fair: Int = max(n for n in 1..3 where n > 5)
        """,
        good="""
        param fair: Int = max(n for n in 1..3 where n > 5 or 0)
        """,
    ),
    _page(
        "R0502",
        "division by nothing",
        what="The right side of `div` or `mod` comes to 0 or less in some configuration.",
        why="There is no such quotient.",
        bad="""
        param share: Int = 0
        function part(p: Player) -> ducat = p.purse div share
        invariant fair: all p in players: part(p) <= 50
        """,
        good="""
        param share: Int = 2
        function part(p: Player) -> ducat = p.purse div share
        invariant fair: all p in players: part(p) <= 50
        """,
    ),
    _page(
        "R0503",
        "range not found",
        what="No end is found to the values that a variable can take.",
        why="Every number needs a range; one that grows in a loop has to be told.",
        bad="""
        rule count:
            var n = 0
            while size(box) > 0:
                decreasing size(box)
                n += 1
        example counting:
            players 2
            run count()
        """,
        good="""
        rule count:
            var n: Int in 0..100 = 0
            while size(box) > 0:
                decreasing size(box)
                n += 1
        example counting:
            players 2
            run count()
        """,
    ),
    _page(
        "R0504",
        "empty range",
        what="A range ends below its beginning in some configuration.",
        why="Nothing can have such a value.",
        bad="""
        param least: Int = 5
        param most: Int = 3
        state:
            level: Int in least..most
        """,
        good="""
        param least: Int = 3
        param most: Int = 5
        state:
            level: Int in least..most
        """,
    ),
    _page(
        "R0524",
        "range too wide",
        what="A range has more than ten million values in some configuration.",
        why="No game counts so far, and whatever goes through the values or keeps them would never be done.",
        bad="""
        state:
            level: Int in 0..1000000000
        """,
        good="""
        state:
            level: Int in 0..1000
        """,
    ),
    _page(
        "R0525",
        "too much at once",
        what="A claim, a choice or the rules between two waits can take more than five million steps.",
        why="Whoever plays would wait for minutes, and whoever checks or proves for ever.",
        bad="""
        invariant far: sum(a * b for a in 1..9999, b in 1..9999) > 0
        """,
        good="""
        invariant far: sum(a * b for a in 1..99, b in 1..99) > 0
        """,
    ),
    _page(
        "R0505",
        "param that is not there",
        what="A configuration sets a param that the rulebook does not have.",
        why="The setting would change nothing.",
        bad="""
        # a program asks for start_mony = 10
        """,
        good="""
        # a program asks for start_money = 10
        """,
    ),
    _page(
        "R0507",
        "value out of range",
        what="A param, a cell of a table or a starting value lies outside its range in some configuration.",
        why="The range is what players and proofs may rely on.",
        bad="""
        param start: Int = 7
        state:
            level: Int in 0..5 = start
        """,
        good="""
        param start: Int = 5
        state:
            level: Int in 0..5 = start
        """,
    ),
    _page(
        "R0509",
        "fewer than no pieces",
        what="The number of pieces of a kind, or the supply of a currency, is below 0 in some configuration.",
        why="There is no box with less than nothing in it.",
        bad="""
        param lost: Int = 6
        piece Token "token" of Color: 5 - lost each in bag
        state:
            bag: Bag[Token]
        """,
        good="""
        param lost: Int = 4
        piece Token "token" of Color: 5 - lost each in bag
        state:
            bag: Bag[Token]
        """,
    ),
)

_LIMITS = (
    _page(
        "R0511",
        "too many values to go through",
        what="A loop, a fold, an option's parameter or dice have more than 100,000 values.",
        why="Each move and each step would take too long.",
        bad="""
        rule count:
            for n in 1..1000000:
                turn := left of turn
        example counting:
            players 2
            run count()
        """,
        good="""
        rule count:
            for n in 1..10:
                turn := left of turn
        example counting:
            players 2
            run count()
        """,
    ),
    _page(
        "R0512",
        "nested too deep",
        what="An expression is nested too deep once the functions in it are written out.",
        why="A limit keeps every later step bounded.",
        bad="""
        # a function that calls one that calls one, a hundred times
        """,
        good="""
        # a `let` in a rule for each step on the way
        """,
    ),
    _page(
        "R0513",
        "expression too large",
        what="An expression comes to more than 20,000 parts once the functions in it are written out.",
        why="What is used twice is written out twice.",
        bad="""
        # a function that uses another twice, which uses another twice, and so on
        """,
        good="""
        # a `let` in a rule, which is worked out once and used as often as you like
        """,
    ),
    _page(
        "R0514",
        "rules too large",
        what="The rules come to too much once all functions are written out.",
        why="A limit keeps the compiler quick whatever the text says.",
        bad="""
        # a large function that is called in a thousand places
        """,
        good="""
        # a rule, which is written out once
        """,
    ),
    _page(
        "R0515",
        "list without room",
        what="The most items of a list come to 0, or to more than 1000.",
        why="A list has a place for each item that it may come to hold.",
        bad="""
        param room: Int = 0
        state:
            line: List[Player] up to room
        """,
        good="""
        param room: Int = 4
        state:
            line: List[Player] up to room
        """,
    ),
    _page(
        "R0516",
        "record too large",
        what="The state of play takes more than 100,000 numbers.",
        why="Positions are copied at every step.",
        bad="""
        # a map of maps of maps, each with a hundred keys
        """,
        good="""
        # a map with a hundred keys
        """,
    ),
    _page(
        "R0517",
        "too many blocks",
        what="The rules come to more than 10,000 stretches between which somebody may be asked.",
        why="A limit keeps the compiler and the proofs quick.",
        bad="""
        # ten thousand choices
        """,
        good="""
        # one choice in a loop
        """,
    ),
    _page(
        "R0518",
        "loop that cannot be put in order",
        what=(
            "A loop with `order by`, or one whose body changes what it goes over, has a range that depends "
            "on the position."
        ),
        why="Its values are put in a row first, and the row needs a length.",
        bad="""
        rule count:
            for n in 1..size(box) order by n descending:
                turn := left of turn
        example counting:
            players 2
            run count()
        """,
        good="""
        rule count:
            for n in 1..15 where n <= size(box) order by n descending:
                turn := left of turn
        example counting:
            players 2
            run count()
        """,
    ),
    _page(
        "R0519",
        "random number out of a list",
        what="`random` takes a number from a list of numbers.",
        why="What can happen has to be known before play; a range says it, a list of numbers does not.",
        bad="""
        rule lot:
            let n = random x in [3, 5]
            assert n >= 3 "it is one of them"
        example drawing:
            players 2
            run lot()
        """,
        good="""
        rule lot:
            let n = random x in 3..5 where x != 4
            assert n >= 3 "it is one of them"
        example drawing:
            players 2
            run lot()
        """,
    ),
    _page(
        "R0521",
        "too many ways to take pieces",
        what="An option takes pieces out of a place in no way at all, or in more than 5,000 ways.",
        why="Each way is a move of its own.",
        bad="""
        param many: Int = 200
        rule ask(p: Player):
            p chooses:
                give cards: Bag[Card] of many in p.hand "gives {cards}":
                    move cards from p.hand to box
        example asking:
            players 2
            run ask(p0)
        """,
        good="""
        param many: Int = 2
        rule ask(p: Player):
            p chooses:
                give cards: Bag[Card] of many in p.hand "gives {cards}":
                    move cards from p.hand to box
        example asking:
            players 2
            run ask(p0)
        """,
    ),
    _page(
        "R0522",
        "configuration that the rulebook does not have",
        what="A number of players, a variant, a reading or a meaning is asked for that is not declared.",
        why="It would be another game than the one asked for.",
        bad="""
        # somebody starts the game for 7 players
        """,
        good="""
        # somebody starts the game for 4 players
        """,
    ),
)

_EXAMPLES = (
    _page(
        "R0612",
        "position that cannot be",
        what="An example puts a number where it is out of range in its configuration.",
        why="No play and no mistake at the table could lead there.",
        bad="""
        param ceiling: Int = 20
        state:
            level: Int in 0..ceiling
        example high:
            players 2
            given:
                level = 21
            run setup()
        """,
        good="""
        param ceiling: Int = 20
        state:
            level: Int in 0..ceiling
        example high:
            players 2
            given:
                level = 20
            run setup()
        """,
    ),
    _page(
        "R0690",
        "example does not hold",
        what="An example was carried out, and a step or an expectation of it does not come out as it says.",
        why="Either the rules do not do what their source says, or the example expects something else.",
        bad="""
        example nothing_happens:
            players 2
            run setup()
            then:
                1 = 2
        """,
        good="""
        example nothing_happens:
            players 2
            run setup()
            then:
                1 = 1
        """,
    ),
    _page(
        "R0691",
        "example breaks what always holds",
        what="A step of an example leads to a position in which an invariant or a bound does not hold.",
        why=(
            "Such a claim is made whenever somebody is asked, chance decides or the game is over. The "
            "example began by keeping it, so the rules or the claim are wrong."
        ),
        bad="""
        invariant poor "Nobody has a ducat": all p in players: p.purse = 0
        rule earn:
            for p in players:
                pay 1 from bank to p.purse
                p chooses:
                    go_on:
                        nothing
        example earning:
            players 2
            run earn()
            when:
                p0 go_on
        """,
        good="""
        invariant poor "Nobody has two ducats": all p in players: p.purse < 2
        rule earn:
            for p in players:
                pay 1 from bank to p.purse
                p chooses:
                    go_on:
                        nothing
        example earning:
            players 2
            run earn()
            when:
                p0 go_on
        """,
    ),
)

CORE: tuple[Code, ...] = _CONSTANTS + _LIMITS + _EXAMPLES
