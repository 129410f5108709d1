"""R02xx: names, citations, and what a rulebook must have."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code
from rulespec.compiler.typed.code_pages import page

NAMES: tuple[Code, ...] = (
    page(
        "R0201",
        "unknown name",
        what="A name is used that nothing has at this place.",
        why=(
            "Names are defined by declarations, `let`, `var`, parameters and loops; a local one ends "
            "with its block."
        ),
        bad="""
        rule deal(p: Player):
            draw 1 from pille to p.hand
        """,
        good="""
        rule deal(p: Player):
            draw 1 from pile to p.hand
        """,
    ),
    page(
        "R0202",
        "unknown type",
        what="A type is named that does not exist.",
        why=(
            "Types are `Bool`, `Int`, `Player`, `points`, the currencies, enums, tables and records, "
            "and containers of these."
        ),
        bad="""
        function is_green(c: Colour) -> Bool = c = green
        """,
        good="""
        function is_green(c: Color) -> Bool = c = green
        """,
    ),
    page(
        "R0203",
        "a name of another sort",
        what="A name is used as a value or as a type, and it is something else.",
        why="An enum is gone through, a piece is kept in places; neither is a value itself.",
        bad="""
        rule choose_color(p: Player):
            let c = Color
        """,
        good="""
        rule choose_color(p: Player):
            let c = random x in Color
        """,
    ),
    page(
        "R0204",
        "unknown part",
        what="A value is asked for a part that it does not have.",
        why="After a dot stands a variable of the player, a column of the table, a field of the record.",
        bad="""
        function wealth(p: Player) -> ducat = p.pusre
        """,
        good="""
        function wealth(p: Player) -> ducat = p.purse
        """,
    ),
    page(
        "R0205",
        "unknown function or rule",
        what="Something is called that is neither a function nor a rule.",
        why="A call needs a definition, in this file or in a module that it uses.",
        bad="""
        rule begin:
            deel()
        rule deal:
            draw 1 from pile to box
        """,
        good="""
        rule begin:
            deal()
        rule deal:
            draw 1 from pile to box
        """,
    ),
    page(
        "R0206",
        "unknown reading or meaning",
        what="A reading, or one of its meanings, is named that does not exist.",
        why="A question of the source is declared once with all its meanings.",
        bad="""
        reading bank "Can the bank run out?" @rb(3):
            unlimited "no" default
            limited "yes"
        function low() -> Int = 0 if reading bank is limitless else 1
        """,
        good="""
        reading bank "Can the bank run out?" @rb(3):
            unlimited "no" default
            limited "yes"
        function low() -> Int = 0 if reading bank is unlimited else 1
        """,
    ),
    page(
        "R0207",
        "unknown variant",
        what="A variant is named that does not exist.",
        why="Variants are declared in the main file.",
        bad="""
        scope small:
            players 2
            variant long
        """,
        good="""
        param income: ducat = 5
        variant long:
            income = 6
        scope small:
            players 2
            variant long
        """,
    ),
    page(
        "R0208",
        "unknown param",
        what="A variant, a number of players or a scope sets a param that does not exist.",
        why="Only params are set. State changes by rules.",
        bad="""
        param income: ducat = 5
        when players = 2:
            incom = 6
        """,
        good="""
        param income: ducat = 5
        when players = 2:
            income = 6
        """,
    ),
    page(
        "R0209",
        "unknown module",
        what="A module is used that is not there.",
        why="`use` takes a module of the standard library, or a file beside this one.",
        bad="""
        use "auctoin"
        """,
        good="""
        # use "auction", written as the file is called
        """,
    ),
    page(
        "R0210",
        "defined twice",
        what="Two things have one name.",
        why="A reader, and the compiler, could not tell which is meant.",
        bad="""
        param hand_size: Int = 5
        param hand_size: Int = 6
        """,
        good="""
        param hand_size: Int = 5
        param table_size: Int = 6
        """,
    ),
    page(
        "R0211",
        "a name that hides another",
        what="A local name is that of something else that is known at this place.",
        why=(
            "A hasty reader takes one for the other. Only variables of a player, which stand after a "
            "dot, may be repeated."
        ),
        bad="""
        rule show(p: Player):
            for p in players:
                draw 1 from pile to p.hand
        """,
        good="""
        rule show(p: Player):
            for q in players:
                draw 1 from pile to q.hand
        """,
    ),
    page(
        "R0212",
        "a member of several enums",
        what="A name is a member of several enums, and nothing tells which is meant.",
        why="Where a type is expected, it tells; elsewhere write the enum before a dot.",
        bad="""
        enum Light: green, amber
        rule go:
            let c = green
        """,
        good="""
        enum Light: green, amber
        rule go:
            let c = Light.green
        """,
    ),
    page(
        "R0213",
        "a word of the language",
        what=(
            "A definition takes a name that the language has given away: a built-in type or "
            "function, `players`, a seat."
        ),
        why="`size`, `Player`, `p0` and their like mean the same in every rulebook.",
        bad="""
        param size: Int = 3
        """,
        good="""
        param hand_size: Int = 3
        """,
    ),
    page(
        "R0214",
        "a seat outside an example",
        what="`p0`, `p1`, ... stand in a rule.",
        why="Rules hold for every player. Seats have names only in examples and scopes.",
        bad="""
        rule first_pays:
            pay 1 from p0.purse to bank
        """,
        good="""
        rule first_pays:
            pay 1 from turn.purse to bank
        """,
    ),
    page(
        "R0215",
        "only for the main file",
        what="A module declares what belongs to one game.",
        why=(
            "`game`, `players`, `ranking`, variants, scopes and examples stand once, in the file of the game."
        ),
        bad="""
        # in a module:
        players 2..4
        """,
        good="""
        # in a module:
        rule first(candidates: Set[Player]) -> Player?:
            return first q in players where q in candidates
        """,
    ),
    page(
        "R0216",
        "missing or twice",
        what="`game`, `players` or `ranking` stands twice, or `game` or `players` is missing.",
        why="A game has one name, one range of players and one way to win.",
        bad="""
        game chess "Chess"
        rule setup:
            nothing
        rule play:
            nothing
        ranking for p: 0
        """,
        good="""
        game chess "Chess"
        players 2
        rule setup:
            nothing
        rule play:
            nothing
        ranking for p: 0
        """,
    ),
    page(
        "R0217",
        "an odd number of players",
        what="The range of players is empty or out of bounds.",
        why="A game has between 1 and 12 players.",
        bad="""
        game chess "Chess"
        players 4..2
        rule setup:
            nothing
        rule play:
            nothing
        ranking for p: 0
        """,
        good="""
        game chess "Chess"
        players 2..4
        rule setup:
            nothing
        rule play:
            nothing
        ranking for p: 0
        """,
    ),
    page(
        "R0218",
        "no beginning",
        what="There is no rule `setup` or no rule `play`.",
        why="The rule `setup` runs first, then the rule `play`; when it returns, the game is over.",
        bad="""
        game chess "Chess"
        players 2
        rule play:
            nothing
        ranking for p: 0
        """,
        good="""
        game chess "Chess"
        players 2
        rule setup:
            nothing
        rule play:
            nothing
        ranking for p: 0
        """,
    ),
    page(
        "R0219",
        "`setup` and `play` take and give nothing",
        what="The rule `setup` or `play` has parameters or a result.",
        why="Nobody calls them, so nothing could be given to them or taken from them.",
        bad="""
        game chess "Chess"
        players 2
        rule setup(p: Player):
            nothing
        rule play:
            nothing
        ranking for p: 0
        """,
        good="""
        game chess "Chess"
        players 2
        rule setup:
            nothing
        rule play:
            nothing
        ranking for p: 0
        """,
    ),
    page(
        "R0220",
        "past the end of the source",
        what="A citation names a line that its source does not have.",
        why="A citation is to be looked up; `source` says how many lines there are.",
        bad="""
        param income "each round" : ducat = 5 @rb(420)
        """,
        good="""
        param income "each round" : ducat = 5 @rb(42)
        """,
    ),
    page(
        "R0221",
        "unknown source",
        what="A citation names a source that is not declared.",
        why="`source` says what the document is and how many lines it has.",
        bad="""
        param income: ducat = 5 @rules(42)
        """,
        good="""
        source rules "The printed rules" of 50 lines
        param income: ducat = 5 @rules(42)
        """,
    ),
    page(
        "R0222",
        "lines that run backwards",
        what="A range of lines ends before it begins.",
        why="The first line stands first.",
        bad="""
        param income: ducat = 5 @rb(49..39)
        """,
        good="""
        param income: ducat = 5 @rb(39..49)
        """,
    ),
    page(
        "R0223",
        "a source of no or too many lines",
        what="A source is said to have no lines, or more than 100,000.",
        why="Citations are held against the number of lines.",
        bad="""
        source flyer "The flyer" of 0 lines
        """,
        good="""
        source flyer "The flyer" of 12 lines
        """,
    ),
    page(
        "R0224",
        "an enum of no or too many members",
        what="An enum, a table or a grid has no members, or more than 256.",
        why="Every member is a value that is played and proved.",
        bad="""
        table City:
            columns price: ducat
        """,
        good="""
        table City:
            columns price: ducat
            milan: 4
        """,
    ),
    page(
        "R0225",
        "no home for pieces",
        what="The place in which pieces begin does not exist or is not a place of these pieces.",
        why="All pieces of a kind begin in one place, their home, and move from there.",
        bad="""
        piece Cube "a cube" of Color: 3 each in supply
        """,
        good="""
        piece Cube "a cube" of Color: 3 each in supply
        state:
            supply: Bag[Cube]
        """,
    ),
    page(
        "R0226",
        "private to nobody",
        what="A variable is private and belongs to no player, or a player's deck is private.",
        why="`private` means: seen by the player to whom it belongs. Nobody may see the order of a deck.",
        bad="""
        state:
            secret private: Int in 0..9
        """,
        good="""
        state:
            secret hidden: Int in 0..9
        """,
    ),
    page(
        "R0227",
        "a place with a beginning of its own",
        what="A place of pieces or money has an initial value.",
        why="All pieces begin at home and move from there, so that nothing is made twice.",
        bad="""
        state:
            pot: ducat = 5
        """,
        good="""
        state:
            pot: ducat
        rule fill_pot:
            pay 5 from bank to pot
        """,
    ),
    page(
        "R0228",
        "settled twice",
        what="A param is set, or a reading chosen, twice in one place.",
        why="The two would contradict each other.",
        bad="""
        param income: ducat = 5
        when players = 2:
            income = 6
            income = 7
        """,
        good="""
        param income: ducat = 5
        when players = 2:
            income = 7
        """,
    ),
    page(
        "R0229",
        "nobody wins",
        what="There is no `ranking`.",
        why="When the game is over, `ranking` tells the winners; its first key is the score.",
        bad="""
        game chess "Chess"
        players 2
        rule setup:
            nothing
        rule play:
            nothing
        """,
        good="""
        game chess "Chess"
        players 2
        rule setup:
            nothing
        rule play:
            nothing
        ranking for p: 0
        """,
    ),
    page(
        "R0230",
        "not one default",
        what="A reading has no default meaning, or several.",
        why="Exactly one meaning is played unless another is asked for.",
        bad="""
        reading tie "Who wins a tie?" @rb(9):
            shared "both"
            first "the first in turn order"
        """,
        good="""
        reading tie "Who wins a tie?" @rb(9):
            shared "both" default
            first "the first in turn order"
        """,
    ),
    page(
        "R0231",
        "a set of pieces of which there are several",
        what="A place is a `Set` of pieces, and there are several of each.",
        why="A set holds one of each. Pieces of which there are more are counted in a `Bag`.",
        bad="""
        state:
            row: Set[Card]
        """,
        good="""
        state:
            row: Bag[Card]
        """,
    ),
    page(
        "R0232",
        "settled too late",
        what="A param, or a setting of one, uses a param that is declared after it.",
        why="Params are settled in the order of the text.",
        bad="""
        param hand_size: Int = cards div 2
        param cards: Int = 10
        """,
        good="""
        param cards: Int = 10
        param hand_size: Int = cards div 2
        """,
    ),
    page(
        "R0240",
        "recursion",
        what="A function or rule comes back to itself, directly or through others.",
        why="Without recursion every local has one place in the state, and every call is sure to end.",
        bad="""
        function double(n: Int) -> Int = twice(n)
        function twice(n: Int) -> Int = double(n)
        """,
        good="""
        function double(n: Int) -> Int = 2 * n
        """,
    ),
    page(
        "R0241",
        "too many versions",
        what=(
            "Functions and rules are called with more than a thousand different sets of functions and units."
        ),
        why="Each of them becomes a rule of its own.",
        bad="""
        # a thousand calls of one rule, each with another function
        """,
        good="""
        # one call in a loop
        """,
    ),
    page(
        "R0242",
        "nested too deeply",
        what="A declaration is nested more than a hundred levels deep.",
        why="Nobody can read it, and time and memory are bounded.",
        bad="""
        # a hundred brackets in one another
        """,
        good="""
        # a `let` or a `function` for what is inside
        """,
    ),
    page(
        "R0243",
        "too many scopes",
        what="A rulebook declares more than twenty scopes.",
        why="Each is a game of its own that is compiled and visited whole.",
        bad="""
        # scope one, scope two, and so on to scope twenty_one
        """,
        good="""
        scope pocket "Two players, little money":
            players 2
        """,
    ),
    page(
        "R0299",
        "more is wrong",
        what="There are more findings than are shown.",
        why="Most of them are likely to go away with the first ones.",
        bad="""
        # several hundred mistakes
        """,
        good="""
        # none
        """,
    ),
)
