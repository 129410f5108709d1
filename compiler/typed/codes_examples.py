"""R06xx: examples held against the rules. What happens when they are played is not looked at here."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code
from rulespec.compiler.typed.code_pages import page

_RULE = """
rule take(p: Player):
    p chooses:
        draw_card n: Int in 1..2 "draws {n}":
            draw n from pile to p.hand
        pass "passes":
            nothing
"""


def _example(body: str) -> str:
    return _RULE + body


EXAMPLES: tuple[Code, ...] = (
    page(
        "R0601",
        "an option that no rule offers",
        what="A move of an example is not an option of any rule.",
        why="A move is told by the name of its option.",
        bad=_example("""
example pass_once:
    players 2
    when:
        p0 passes
"""),
        good=_example("""
example pass_once:
    players 2
    when:
        p0 pass
"""),
    ),
    page(
        "R0602",
        "a rule that does not exist",
        what="An example runs a rule that does not exist.",
        why="What stands after `run` is a call of a rule.",
        bad=_example("""
example pass_once:
    players 2
    run takes(p0)
    when:
        p0 pass
"""),
        good=_example("""
example pass_once:
    players 2
    run take(p0)
    when:
        p0 pass
"""),
    ),
    page(
        "R0603",
        "a seat that is not there",
        what="An example names a seat beyond its number of players.",
        why="With two players the seats are `p0` and `p1`.",
        bad=_example("""
example pass_once:
    players 2
    when:
        p2 pass
"""),
        good=_example("""
example pass_once:
    players 3
    when:
        p2 pass
"""),
    ),
    page(
        "R0604",
        "a number of players that the game has not",
        what="An example or scope is for more or fewer players than the game, or does not say for how many.",
        why="It would play another game.",
        bad=_example("""
example pass_once:
    players 9
    when:
        p0 pass
"""),
        good=_example("""
example pass_once:
    players 2
    when:
        p0 pass
"""),
    ),
    page(
        "R0605",
        "a move with too many or too few arguments",
        what="A move of an example does not have as many arguments as its option has parameters.",
        why="A move is an option with a value for each parameter.",
        bad=_example("""
example draw_two:
    players 2
    when:
        p0 draw_card
"""),
        good=_example("""
example draw_two:
    players 2
    when:
        p0 draw_card 2
        chance green
        chance red
"""),
    ),
    page(
        "R0606",
        "not to be given",
        what="The position of an example sets something that is not a state variable, or not in this way.",
        why="A position says what stands in the state variables.",
        bad=_example("""
example full_hand:
    players 2
    given:
        size(p0.hand) = 3
    when:
        p0 pass
"""),
        good=_example("""
example full_hand:
    players 2
    given:
        p0.hand = {green: 3}
    when:
        p0 pass
"""),
    ),
    page(
        "R0607",
        "a position that depends on the play",
        what="A value of the position, or an argument of a move or of `run`, is not a constant.",
        why="The position is where the play begins.",
        bad=_example("""
example rich:
    players 2
    given:
        p0.purse = p1.purse
    when:
        p0 pass
"""),
        good=_example("""
example rich:
    players 2
    given:
        p0.purse = 7
    when:
        p0 pass
"""),
    ),
    page(
        "R0608",
        "which rule begins?",
        what="An example does not say which rule it carries out, and its first move does not tell.",
        why="Without `run` the one rule is taken that offers the first move and takes the player who moves.",
        bad=_example("""
rule take_again(p: Player):
    p chooses:
        pass "passes":
            nothing

example pass_once:
    players 2
    when:
        p0 pass
"""),
        good=_example("""
rule take_again(p: Player):
    p chooses:
        pass "passes":
            nothing

example pass_once:
    players 2
    run take(p0)
    when:
        p0 pass
"""),
    ),
    page(
        "R0609",
        "not an outcome",
        what="What chance decides in an example is not a member, a seat or a number.",
        why="Chance draws a kind of piece, a member, a player, or a number of points on dice.",
        bad=_example("""
example draw_one:
    players 2
    when:
        p0 draw_card 1
        chance gren
"""),
        good=_example("""
example draw_one:
    players 2
    when:
        p0 draw_card 1
        chance green
"""),
    ),
    page(
        "R0610",
        "rules among the examples",
        what="A file of further examples holds something else.",
        why="Such a file is held against a rulebook that stands elsewhere.",
        bad="""
        # in a file of examples:
        param income: ducat = 6
        """,
        good="""
        # in a file of examples:
        # example pass_once: ...
        """,
    ),
)
