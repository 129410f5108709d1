"""R03xx: types, units, and values known before play."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code
from rulespec.compiler.typed.code_pages import page

TYPES: tuple[Code, ...] = (
    page(
        "R0301",
        "another type is expected",
        what="A value has another type than the one that is expected.",
        why=(
            "A number is not a color, and a player is not perhaps a player: an option is tested "
            "before it is used."
        ),
        bad="""
        rule pass_on(p: Player):
            turn := first q in others of p where q.purse > 0
        """,
        good="""
        rule pass_on(p: Player):
            let next = first q in others of p where q.purse > 0
            if next is some n:
                turn := n
        """,
    ),
    page(
        "R0302",
        "another unit is expected",
        what="A number has another unit than the one that is expected.",
        why=(
            "Ducats are not points, and neither is a plain number. A literal takes the unit that is expected."
        ),
        bad="""
        rule reward(p: Player):
            score size(p.hand) to p
        """,
        good="""
        rule reward(p: Player):
            score 1 * size(p.hand) to p
        """,
    ),
    page(
        "R0303",
        "a wrong number of arguments",
        what="A function or rule is called with more or fewer arguments than it takes.",
        why="Every parameter is given exactly once.",
        bad="""
        rule reward(p: Player, n: points):
            score n to p
        rule end:
            reward(turn)
        """,
        good="""
        rule reward(p: Player, n: points):
            score n to p
        rule end:
            reward(turn, 2)
        """,
    ),
    page(
        "R0304",
        "never `none`",
        what="`is some` or `is none` is asked of a value that is no option.",
        why="Only an option, such as `Player?`, may be `none`.",
        bad="""
        function starts(p: Player) -> Bool = turn is some q and q = p
        """,
        good="""
        function starts(p: Player) -> Bool = turn = p
        """,
    ),
    page(
        "R0305",
        "not to be compared",
        what="Two values are compared that are of different types, or have no such order.",
        why="A color is never a player. Sets and bags are equal, or one is contained in the other.",
        bad="""
        function own(p: Player, c: Color) -> Bool = p = c
        """,
        good="""
        function own(p: Player, c: Color) -> Bool = p.hand[c] > 0
        """,
    ),
    page(
        "R0306",
        "neither called nor looked into",
        what="A value is called, counted or asked for an element, and it is not made for that.",
        why="Functions and rules are called; maps, bags, decks and lists have elements.",
        bad="""
        rule look(p: Player):
            let n = p.purse[green]
        """,
        good="""
        rule look(p: Player):
            let n = p.hand[green]
        """,
    ),
    page(
        "R0307",
        "a divisor that is not a positive constant",
        what="`div` or `mod` is by zero, by a negative number, or by something that changes in play.",
        why="So a division always has a result, and the prover can follow it.",
        bad="""
        function share(p: Player) -> Int = 12 div size(p.hand)
        """,
        good="""
        function share(p: Player) -> Int = size(p.hand) div 2
        """,
    ),
    page(
        "R0308",
        "outside its range",
        what="A constant lies outside the range of the type that is expected.",
        why="A range is a promise about every value.",
        bad="""
        state:
            round: Int in 1..8 = 0
        """,
        good="""
        state:
            round: Int in 0..8 = 0
        """,
    ),
    page(
        "R0309",
        "an empty range",
        what="A range ends before it begins.",
        why="No value could ever lie in it.",
        bad="""
        state:
            round: Int in 8..0
        """,
        good="""
        state:
            round: Int in 0..8
        """,
    ),
    page(
        "R0310",
        "too large",
        what="A number, a range or a list is larger than any game needs.",
        why="Time and memory are bounded; numbers go up to about two thousand million.",
        bad="""
        state:
            round: Int in 0..9000000000
        """,
        good="""
        state:
            round: Int in 0..90
        """,
    ),
    page(
        "R0311",
        "not fixed before play",
        what="Something that is settled before play looks at the play.",
        why=(
            "Params, ranges, cells of tables, numbers of pieces and settings are the same from the "
            "first move on."
        ),
        bad="""
        param hand_size: Int = size(pile) div 5
        """,
        good="""
        param hand_size: Int = 15 div 5
        """,
    ),
    page(
        "R0312",
        "`money` without a caller",
        what="The unit `money` is used where no caller fixes it.",
        why=(
            "`money` stands for the unit of those who call a rule of a module; in a game the "
            "currency has a name."
        ),
        bad="""
        rule tax(p: Player, n: money):
            nothing
        """,
        good="""
        rule tax(p: Player, n: ducat):
            pay n from p.purse to bank
        """,
    ),
    page(
        "R0313",
        "a type that is not possible here",
        what=(
            "A type is used where values of it cannot stand, or is put together in a way that does not exist."
        ),
        why="The state is a record of bounded numbers; each container says of what it may be.",
        bad="""
        state:
            scores: Set[Int]
        """,
        good="""
        state:
            scores: Map[Player, Int]
        """,
    ),
    page(
        "R0314",
        "nothing to go through",
        what=(
            "A loop, a fold or `in` is given something that has no values to go through, or a range "
            "stands alone."
        ),
        why="One goes through enums, tables, `players`, sets, bags, places, lists and ranges.",
        bad="""
        rule deal(p: Player):
            for i in 4:
                draw 1 from pile to p.hand
        """,
        good="""
        rule deal(p: Player):
            for i in 1..4:
                draw 1 from pile to p.hand
        """,
    ),
    page(
        "R0315",
        "whose?",
        what="A variable that every player has is used without a player.",
        why="Each player has one of their own.",
        bad="""
        rule tax(p: Player):
            pay 1 from purse to bank
        """,
        good="""
        rule tax(p: Player):
            pay 1 from p.purse to bank
        """,
    ),
    page(
        "R0316",
        "nobody's",
        what="A variable of the table is asked of a player.",
        why="There is one of it for all.",
        bad="""
        rule deal(p: Player):
            draw 1 from p.pile to p.hand
        """,
        good="""
        rule deal(p: Player):
            draw 1 from pile to p.hand
        """,
    ),
    page(
        "R0317",
        "a rule inside an expression",
        what="A rule is used as a value.",
        why="A rule does something and may ask players. Expressions and functions change nothing.",
        bad="""
        rule roll_two -> Int:
            let r = roll 2d6
            return r
        rule advance(p: Player):
            score 1 * roll_two() to p
        """,
        good="""
        rule roll_two -> Int:
            let r = roll 2d6
            return r
        rule advance(p: Player):
            let r = roll_two()
            score 1 * r to p
        """,
    ),
    page(
        "R0318",
        "a function without effect",
        what="A function stands as a statement.",
        why="A function only gives a value, so nothing would happen.",
        bad="""
        function wealth(p: Player) -> ducat = p.purse
        rule count_up(p: Player):
            wealth(p)
        """,
        good="""
        function wealth(p: Player) -> ducat = p.purse
        rule count_up(p: Player):
            if wealth(p) > 10:
                score 1 to p
        """,
    ),
    page(
        "R0319",
        "a function is expected",
        what="Where a function is expected stands something else, or a function stands without arguments.",
        why="A function is handed on by its name alone; a variable of the players counts as one.",
        bad="""
        function most(value: (Player) -> ducat) -> ducat = max(value(p) for p in players)
        function richest() -> ducat = most(7)
        """,
        good="""
        function most(value: (Player) -> ducat) -> ducat = max(value(p) for p in players)
        function richest() -> ducat = most(purse)
        """,
    ),
    page(
        "R0320",
        "of which type?",
        what="`none`, `{}` or `[]` stands where nothing tells its type.",
        why="An empty set of colors is another thing than an empty bag of cards.",
        bad="""
        rule auction:
            var leader = none
        """,
        good="""
        rule auction:
            var leader: Player? = none
            leader := turn
        """,
    ),
    page(
        "R0321",
        "braces that are not complete",
        what="A set, bag, map or record in braces names something twice, not at all, or not by name.",
        why="A map has a value for every key, a record for every field.",
        bad="""
        rule price:
            var cost: Map[Color, ducat] = {green: 2, white: 3}
        """,
        good="""
        rule price:
            var cost: Map[Color, ducat] = {green: 2, white: 3, red: 1}
        """,
    ),
    page(
        "R0322",
        "a row that does not fit its table",
        what="A row has more or fewer cells than the table has columns.",
        why="Every column has a value in every row.",
        bad="""
        table City:
            columns price: ducat, vp: points
            milan: 4
        """,
        good="""
        table City:
            columns price: ducat, vp: points
            milan: 4, 6
        """,
    ),
    page(
        "R0323",
        "outside what is assumed",
        what="An assumed row does not keep the limits within which it was assumed.",
        why="The limits say what is known of rows that no source prints.",
        bad="""
        table City:
            columns price: ducat, vp: points
            assumed "not printed anywhere" where vp in 4..8:
                verona: 3, 9
        """,
        good="""
        table City:
            columns price: ducat, vp: points
            assumed "not printed anywhere" where vp in 4..8:
                verona: 3, 5
        """,
    ),
    page(
        "R0233",
        "opened by what is no sign",
        what="What stands after `unless` in a variable's head is no open variable of type `Bool`.",
        why="All have to see whether they may see. What is hidden from all is opened to all at once.",
        bad="""
        state:
            over hidden: Bool
            per player:
                savings private unless over: ducat in 0..100
        """,
        good="""
        state:
            over: Bool
            per player:
                savings private unless over: ducat in 0..100
        """,
    ),
)
