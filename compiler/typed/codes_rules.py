"""R04xx: statements, places, control, choices."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code
from rulespec.compiler.typed.code_pages import page

RULES: tuple[Code, ...] = (
    page(
        "R0401",
        "a name that never changes",
        what="An assignment sets a `let`, a parameter, a loop variable, a param or a member.",
        why="Only `var`s and state variables change.",
        bad="""
        rule count_up:
            let n = 0
            n += 1
        """,
        good="""
        rule count_up:
            var n = 0
            n += 1
        """,
    ),
    page(
        "R0402",
        "pieces and money only move",
        what="An assignment sets a place of pieces or money.",
        why="Pieces and money are never lost or made: they leave one place for another.",
        bad="""
        rule tax(p: Player):
            p.purse -= 1
        """,
        good="""
        rule tax(p: Player):
            pay 1 from p.purse to bank
        """,
    ),
    page(
        "R0403",
        "places of different pieces",
        what="Pieces are moved to, or chosen for, a place of other pieces.",
        why="A card cannot lie among the cubes.",
        bad="""
        piece Cube "a cube" of Color: 3 each in cubes
        state:
            cubes: Bag[Cube]
        rule swap(p: Player):
            move green from p.hand to cubes
        """,
        good="""
        piece Cube "a cube" of Color: 3 each in cubes
        state:
            cubes: Bag[Cube]
            used: Bag[Cube]
        rule swap:
            move green from cubes to used
        """,
    ),
    page(
        "R0404",
        "different currencies",
        what="Money is paid into a place of another currency.",
        why="Money is changed by two payments, not by one.",
        bad="""
        currency florin "florins": unlimited in mint
        rule tax(p: Player):
            pay 1 from p.purse to mint
        """,
        good="""
        rule tax(p: Player):
            pay 1 from p.purse to bank
        """,
    ),
    page(
        "R0405",
        "a number of pieces and a set",
        what="A number of pieces is moved from or to a place that is a set.",
        why="A set holds one of each.",
        bad="""
        enum Role: bishop, lord
        piece RoleCard "a role" of Role: 1 each in roles
        state:
            roles: Set[RoleCard]
            given: Set[RoleCard]
        rule give:
            move 2 bishop from roles to given
        """,
        good="""
        enum Role: bishop, lord
        piece RoleCard "a role" of Role: 1 each in roles
        state:
            roles: Set[RoleCard]
            given: Set[RoleCard]
        rule give:
            move bishop from roles to given
        """,
    ),
    page(
        "R0406",
        "drawing from what is no deck",
        what="Pieces are drawn from a place that is not a deck.",
        why="What is drawn is left to chance. From an open place pieces are moved by name.",
        bad="""
        rule take(p: Player):
            draw 1 from box to p.hand
        """,
        good="""
        rule take(p: Player):
            draw 1 from pile to p.hand
        """,
    ),
    page(
        "R0407",
        "no place",
        what="`move`, `draw` or `pay` is given something that is not a place of pieces or of money.",
        why="Pieces and money are only in places: state variables of such a type.",
        bad="""
        rule tax(p: Player):
            pay 1 from p.purse to p.hand
        """,
        good="""
        rule tax(p: Player):
            pay 1 from p.purse to bank
        """,
    ),
    page(
        "R0408",
        "no points",
        what="`score` is used, and players have no `points`.",
        why="`score n to p` adds to `p.points`.",
        bad="""
        game race "Race"
        players 2
        rule setup:
            nothing
        rule play:
            for p in players:
                score 1 to p
        ranking for p: 0
        """,
        good="""
        game race "Race"
        players 2
        state:
            per player:
                points: points in 0..10
        rule setup:
            nothing
        rule play:
            for p in players:
                score 1 to p
        ranking for p: p.points
        """,
    ),
    page(
        "R0409",
        "never reached",
        what="Statements follow one that never goes on.",
        why="Nothing after `return` or `stop` is carried out.",
        bad="""
        rule wealth(p: Player) -> ducat:
            return p.purse
            score 1 to p
        """,
        good="""
        rule wealth(p: Player) -> ducat:
            score 1 to p
            return p.purse
        """,
    ),
    page(
        "R0410",
        "`stop` outside a loop",
        what="`stop` stands where no loop is around it.",
        why="`stop` leaves the innermost loop; `return` leaves the rule.",
        bad="""
        rule take(p: Player):
            if size(pile) = 0:
                stop
            draw 1 from pile to p.hand
        """,
        good="""
        rule take(p: Player):
            if size(pile) = 0:
                return
            draw 1 from pile to p.hand
        """,
    ),
    page(
        "R0411",
        "an end without a value",
        what="A rule with a result can end without `return`.",
        why="Whoever calls it goes on with its value.",
        bad="""
        rule richest -> Player?:
            for p in players:
                if p.purse > 10:
                    return p
        """,
        good="""
        rule richest -> Player?:
            for p in players:
                if p.purse > 10:
                    return p
            return none
        """,
    ),
    page(
        "R0412",
        "a value that is not there",
        what=(
            "A rule without a result returns a value or is used for one, or a rule with a result "
            "returns none."
        ),
        why="The head of a rule says whether it gives a value, and of which type.",
        bad="""
        rule wealth(p: Player):
            return p.purse
        """,
        good="""
        rule wealth(p: Player) -> ducat:
            return p.purse
        """,
    ),
    page(
        "R0414",
        "an option twice",
        what="Two options of one choice have the same name.",
        why="A move is told by the name of its option. `may choose` has `decline` already.",
        bad="""
        rule ask(p: Player):
            p chooses:
                take "takes a card":
                    draw 1 from pile to p.hand
                take "takes a ducat":
                    pay 1 from bank to p.purse
        """,
        good="""
        rule ask(p: Player):
            p chooses:
                take_card "takes a card":
                    draw 1 from pile to p.hand
                take_ducat "takes a ducat":
                    pay 1 from bank to p.purse
        """,
    ),
    page(
        "R0415",
        "a parameter without values",
        what=(
            "The values of an option's parameter are not said, or are of a type that cannot be "
            "chosen in one move."
        ),
        why=(
            "Every move is one of finitely many: numbers in a range, members, players, bags taken "
            "from a place."
        ),
        bad="""
        rule ask(p: Player):
            p chooses:
                bid n: ducat "bids {n}":
                    pay n from p.purse to bank
        """,
        good="""
        rule ask(p: Player):
            p chooses:
                bid n: ducat in 0..p.purse "bids {n}":
                    pay n from p.purse to bank
        """,
    ),
    page(
        "R0416",
        "nothing to show in a phrase",
        what="The phrase of an option names something that is not a parameter of it.",
        why="A phrase says what was chosen.",
        bad="""
        rule ask(p: Player):
            p chooses:
                bid n: ducat in 0..p.purse "bids {amount}":
                    pay n from p.purse to bank
        """,
        good="""
        rule ask(p: Player):
            p chooses:
                bid n: ducat in 0..p.purse "bids {n}":
                    pay n from p.purse to bank
        """,
    ),
    page(
        "R0417",
        "cutting off answers",
        what="`stop` or `return` stands in an option of `all players ... at once`.",
        why="All have answered; each answer is carried out in turn.",
        bad="""
        rule vote:
            all players p at once:
                yes "says yes":
                    return
                no "says no":
                    nothing
        """,
        good="""
        rule vote:
            var ayes = 0
            all players p at once:
                yes "says yes":
                    ayes += 1
                no "says no":
                    nothing
            assert ayes <= size(players) "nobody votes twice"
        """,
    ),
    page(
        "R0418",
        "a loop that is never left",
        what="`repeat`, or a `while` whose test is always true, has neither `stop` nor `return`.",
        why="The game would never be over.",
        bad="""
        rule deal(p: Player):
            repeat:
                draw up to 1 from pile to p.hand
        """,
        good="""
        rule deal(p: Player):
            repeat:
                if size(pile) = 0:
                    stop
                draw 1 from pile to p.hand
        """,
    ),
    page(
        "R0419",
        "`add`, `remove`, `append` to something else",
        what="`add` or `remove` is not of a set, or `append` not of a list.",
        why="Numbers, bags, sets and lists grow by statements of their own.",
        bad="""
        rule note:
            var n = 0
            add 1 to n
        """,
        good="""
        rule note:
            var n = 0
            n += 1
        """,
    ),
    page(
        "R0421",
        "names and parts",
        what="A `let` with several names takes apart a value that has not as many parts.",
        why="Each part gets one name.",
        bad="""
        rule best -> (who: Player, much: ducat):
            return (turn, turn.purse)
        rule reward:
            let (who, much, why) = best()
            pay much from bank to who.purse
        """,
        good="""
        rule best -> (who: Player, much: ducat):
            return (turn, turn.purse)
        rule reward:
            let (who, much) = best()
            pay much from bank to who.purse
        """,
    ),
    page(
        "R0422",
        "not to be set",
        what="An assignment has something on its left that is not a variable.",
        why="Only `var`s and state variables, and parts of them, are set.",
        bad="""
        table City:
            columns price: ducat
            milan: 4
        rule discount(c: City):
            c.price := 3
        """,
        good="""
        table City:
            columns price: ducat
            milan: 4
        function discounted(c: City) -> ducat = c.price - 1
        """,
    ),
    page(
        "R0491",
        "a rule that nobody calls",
        what="A rule is defined and never called.",
        why="It may have been forgotten, or be left over.",
        bad="""
        rule deal(p: Player):
            draw 1 from pile to p.hand
        """,
        good="""
        # called from `play`, or removed
        """,
    ),
    page(
        "R0492",
        "a function that nobody calls",
        what="A function is defined and never used.",
        why="It may have been forgotten, or be left over.",
        bad="""
        function wealth(p: Player) -> ducat = p.purse
        """,
        good="""
        # used by a rule, or removed
        """,
    ),
    page(
        "R0493",
        "a param that nothing asks for",
        what="A param is defined and never used.",
        why="Setting it would change nothing.",
        bad="""
        param income: ducat = 5
        """,
        good="""
        # used by a rule, or removed
        """,
    ),
    page(
        "R0494",
        "a reading that changes nothing",
        what="A reading has several meanings, and no rule asks which is played.",
        why="All meanings would play the same game.",
        bad="""
        reading tie "Who wins a tie?" @rb(9):
            shared "both" default
            first "the first in turn order"
        """,
        good="""
        reading tie "Who wins a tie?" @rb(9):
            shared "both" default
        """,
    ),
    page(
        "R0495",
        "a value that nobody reads",
        what="A `let` or `var` is never read.",
        why="It may have been forgotten, or be left over.",
        bad="""
        rule deal(p: Player):
            let n = size(pile)
            draw 1 from pile to p.hand
        """,
        good="""
        rule deal(p: Player):
            draw 1 from pile to p.hand
        """,
    ),
)
