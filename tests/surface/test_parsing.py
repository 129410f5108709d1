"""Each form of the language becomes the tree that is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from trees import cut, declaration, document, expression, said, shape, statements

from rulespec.compiler.surface import tree

DOCS = Path(__file__).parents[2] / "docs" / "language.md"


def test_all_rules_on_the_language_page_can_be_read() -> None:
    text = DOCS.read_text("utf-8")
    found = document(text, "docs/language.md")

    assert len(found.blocks) == text.count("```rules")
    assert {type(d) for d in found.declarations} == set(tree.Declaration.__args__)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a - b - c", "((a - b) - c)"),
        ("-a * b", "((- a) * b)"),
        ("a implies b implies c", "(a implies (b implies c))"),
        ("a or b and not c", "(a or (b and (not c)))"),
        ("a and b or c", "((a and b) or c)"),
        ("not a = b", "(not (a = b))"),
        ("a + 1 <= b union c", "((a + 1) <= (b union c))"),
        ("x in 1..n + 1", "(x in (1..(n + 1)))"),
        ("x not in s and y", "((x not in s) and y)"),
        ("a if c else b if d else e", "(a if c else (b if d else e))"),
        ("a or b if c or d else e", "((a or b) if (c or d) else e)"),
        ("w is some p and p = q", "((w is some p) and (p = q))"),
        ("w is none implies price = 0", "((w is none) implies (price = 0))"),
        ("left of p.x = q", "((left of p.x) = q)"),
        ("others of left of p", "(others of (left of p))"),
        ("half up x + 1", "((half up x) + 1)"),
        ("some p = w", "((some p) = w)"),
        ("m[a, b].c[d]", "m[a, b].c[d]"),
        ("f(x).y[z]", "f(x).y[z]"),
        ("a div 2 mod 3", "((a div 2) mod 3)"),
        ("all x in D, y in E where x < y: x != y or y = x", None),
        ("a and all x in D: b and c", "(a and [all x in D: (b and c)])"),
        ("a or not any x in D: b implies c", "(a or (not [any x in D: (b implies c)]))"),
        ("a implies all x in D: b", "(a implies [all x in D: b])"),
        ("(all x in D: b) and c", "([all x in D: b] and c)"),
        ("first q in players from p where a and b", "[first q in (players from p) where (a and b)]"),
        ("p in players from left of q", "(p in (players from (left of q)))"),
    ],
)
def test_operators_bind_as_the_page_says(text: str, meant: str | None) -> None:
    meant = meant or "[all x in D, y in E where (x < y): ((x != y) or (y = x))]"

    assert said(expression(text)) == meant


def test_folds_in_brackets() -> None:
    assert said(expression("sum(x for c in D where a or b)")) == "[sum c in D where (a or b): x]"
    assert said(expression("count(c in D, e in E where a)")) == "[count c in D, e in E where a]"
    assert said(expression("min(x for c in D)")) == "[min c in D: x]"
    assert said(expression("{c in D where a}")) == "[set c in D where a]"
    assert said(expression("{c: x + 1 for c in D}")) == "[map c in D: (x + 1)]"


def test_an_extreme_may_have_a_value_for_nothing() -> None:
    fold = expression("max(x for c in D where a and b or 0)")

    assert said(fold) == "[max c in D where (a and b): x]"
    assert fold.default == tree.Number(0, fold.default.span)
    assert expression("max(x for c in D)").default is None
    assert said(expression("max(a, b, c)")) == "max(a, b, c)"


def test_literals() -> None:
    assert shape(expression("{}")) == ("SetExpr", ())
    assert [said(item) for item in expression("{a, b}").items] == ["a", "b"]
    assert [said(k) for k, _ in expression("{blue: 2, red: n + 1}").items] == ["blue", "red"]
    assert len(expression("(a, b)").items) == 2
    assert said(expression("(a)")) == "a"
    assert len(expression("[a, b, c]").items) == 3
    assert expression("[]").items == ()
    assert expression("true").value is True
    assert isinstance(expression("none"), tree.Nothing)
    assert shape(expression("reading bank is limited")) == ("IsReading", "bank", "limited")
    assert shape(expression("variant generous")) == ("IsVariant", "generous")


def test_types() -> None:
    def of(text: str) -> object:
        return shape(declaration(f"param x: {text} = 1").type)

    ref = ("Ref", "n")
    assert of("Int") == ("NamedType", "Int", None, None)
    assert of("ducat in 0..n") == ("NamedType", "ducat", ("Number", 0), ref)
    assert of("Player?") == ("OptionType", ("NamedType", "Player", None, None))
    assert of("List[A] up to n") == ("GenericType", "List", (("NamedType", "A", None, None),), ref)
    assert of("Map[A, Set[B]]")[2][1][1] == "Set"  # type: ignore[index]
    assert of("(A, x: B)") == (
        "TupleType",
        ((None, ("NamedType", "A", None, None)), ("x", ("NamedType", "B", None, None))),
    )
    assert of("(A)") == ("NamedType", "A", None, None)
    assert of("(Player) -> money") == (
        "FunctionType",
        (("NamedType", "Player", None, None),),
        ("NamedType", "money", None, None),
    )


@pytest.mark.parametrize(
    ("line", "every", "amount", "what"),
    [
        ("move 2 green from a to b", False, "2", "green"),
        ("move green from a to b", False, None, "green"),
        ("move n + 1 c from p.up to p.down", False, "(n + 1)", "c"),
        ("move half up p.up[c] c from p.up to p.down", False, "(half up p.up[c])", "c"),
        ("move all green from a to b", True, None, "green"),
        ("move all from a to b", True, None, None),
        ("move cards from a to b", False, None, "cards"),
    ],
)
def test_moves(line: str, every: bool, amount: str | None, what: str | None) -> None:
    (move,) = statements(line)

    assert move.every is every
    assert (said(move.amount) if move.amount else None) == amount
    assert (said(move.what) if move.what else None) == what


def test_chance() -> None:
    roll, seat, card, deck = statements(
        "let r = roll 2d6",
        "let p = random player",
        "let c = random x in D where W",
        "let d = draw from pile to row",
    )

    assert (roll.value.dice, roll.value.sides) == (2, 6)
    assert said(seat.value.generator.domain) == "players"
    assert (card.value.generator.name.text, said(card.value.where)) == ("x", "W")
    assert isinstance(deck.value, tree.Draw)
    assert deck.value.amount is None


def test_other_statements() -> None:
    draw, pay, add, remove, append, let, var, check, stop, back = statements(
        "draw up to 3 from pile to p.hand",
        "pay 5 from p.purse to bank",
        "add p to live",
        "remove p from live",
        "append x to xs",
        "let (a, b) = f(x)",
        "var y: Int in 0..9 = 3",
        'assert a and b "why"',
        "stop",
        "return (a, b)",
    )

    assert (draw.up_to, said(draw.amount)) == (True, "3")
    assert (pay.up_to, said(pay.source), said(pay.target)) == (False, "p.purse", "bank")
    assert [said(s.target) for s in (add, remove, append)] == ["live", "live", "xs"]
    assert [s.operator for s in (add, remove, append)] == ["add", "remove", "append"]
    assert [name.text for name in let.names] == ["a", "b"]
    assert (var.name.text, var.type.name.text) == ("y", "Int")
    assert check.text == "why"
    assert isinstance(stop, tree.Stop)
    assert len(back.value.items) == 2


def test_nothing_leaves_no_statement() -> None:
    (loop,) = statements("for c in D:", "    nothing")

    assert loop.body == ()


def test_else_if_stands_in_the_other_branch() -> None:
    (first,) = statements("if a:", "    stop", "else if b:", "    stop", "else:", "    return")
    (second,) = first.other

    assert said(second.condition) == "b"
    assert isinstance(second.other[0], tree.Return)


def test_loops_have_their_measures_and_facts() -> None:
    loop, each = statements(
        "repeat:",
        "    decreasing a, b - 1",
        "    keeps c",
        "    keeps d",
        "    stop",
        "for c in D where a order by k descending, l:",
        "    keeps e",
        "    stop",
    )

    assert loop.condition is None
    assert [said(e) for e in loop.decreasing] == ["a", "(b - 1)"]
    assert [said(e) for e in loop.keeps] == ["c", "d"]
    assert [(said(key.value), key.descending) for key in each.order] == [("k", True), ("l", False)]
    assert [said(e) for e in each.keeps] == ["e"]


def test_choices() -> None:
    text = (
        "rule r:\n    p may choose:\n"
        '        bid a: Int in 1..n, b: Bag[C] of 2 in p.hand when ok "bids {a}" @rb(3):\n'
    )
    (choose,) = declaration(text + "            stop\n").body
    (option,) = choose.options
    one, two = option.params

    assert choose.optional
    assert (option.name.text, option.phrase, str(option.citation)) == ("bid", "bids {a}", "@rb(3)")
    assert cut(text, option.phrase_span) == '"bids {a}"'
    assert (said(one.domain), one.size) == ("(1..n)", None)
    assert (said(two.domain), said(two.size)) == ("p.hand", "2")
    assert said(option.guard) == "ok"


def test_all_at_once() -> None:
    for words, optional in (("", False), (" may", True)):
        (ask,) = statements(f"all players p where W{words} at once:", "    pass:", "        stop")

        assert (ask.name.text, said(ask.where), ask.optional) == ("p", "W", optional)


def test_components() -> None:
    text = """
currency ducat "ducats" @rb(16): 73 in bank unless reading bank is unlimited
currency florin: unlimited in bank
piece Card "card" of Color: n + 1 each in pile
record Bid "a bid": who: Player, amount: ducat in 0..9
table City "cities" @rb(1):
    columns price: Int, vp: points
    columns more: Bag[Color]
    milan "Milan" @rb(2): 1, 2, {a: 1}
    assumed "unknown" @rb(3) where price in 1..2, vp > 0:
        rome: 2, 3, {}
"""
    ducat, florin, card, bid, city = document(text).declarations

    assert isinstance(ducat, tree.Currency)
    assert said(ducat.supply) == "73"
    assert isinstance(ducat.unlimited_if, tree.IsReading)
    assert isinstance(florin, tree.Currency)
    assert (florin.supply, florin.home.text) == (None, "bank")
    assert isinstance(card, tree.Piece)
    assert (said(card.each), card.home.text, card.kind.text) == ("(n + 1)", "pile", "Color")
    assert isinstance(bid, tree.Record)
    assert [name.text for name, _ in bid.fields] == ["who", "amount"]
    assert isinstance(city, tree.Table)
    assert [column.name.text for column in city.columns] == ["price", "vp", "more"]
    assert [row.label for row in city.rows] == ["Milan"]
    assert [said(limit) for limit in city.assumed[0].limits] == ["(price in (1..2))", "(vp > 0)"]
    assert city.assumed[0].rows[0].name.text == "rome"


def test_members_stand_on_one_line_or_on_several() -> None:
    one = declaration('enum Color "a color": red "red", blue')
    several = declaration('enum Color "a color":\n    red "red",\n    blue\n')

    assert shape(one) == shape(several)
    assert [(m.name.text, m.label) for m in one.members] == [("red", "red"), ("blue", "")]


def test_citations_name_lines_and_may_follow_one_another() -> None:
    citation = declaration("param x: Int = 1 @rb(39..49, 61) @data @rulings(3)").citation

    assert citation.lines == ((39, 49), (61, 61))
    assert str(citation) == "@rb(39..49, 61) @data @rulings(3)"
    assert [c.source for c in citation.also] == ["data", "rulings"]


def test_parameters_variants_and_readings() -> None:
    text = """
param blazons: Int = 12 assumed "nobody says" @rb(28)
variant generous "more" @rb(112):
    start = 10 @rb(3)
when players >= 4 @rb(1):
    drawn = 5
reading bank "Can it run out?" @rb(16) IP1:
    unlimited "no" default
    limited "yes" @rb(16)
"""
    param, variant, when, reading = document(text).declarations

    assert isinstance(param, tree.Param)
    assert (param.assumed, str(param.citation)) == ("nobody says", "@rb(28)")
    assert isinstance(variant, tree.Variant)
    assert str(variant.settings[0].citation) == "@rb(3)"
    assert isinstance(when, tree.WhenPlayers)
    assert (when.operator, when.number) == (">=", 4)
    assert isinstance(reading, tree.Reading)
    assert reading.ident == "IP1"
    assert [(m.name.text, m.default) for m in reading.meanings] == [("unlimited", True), ("limited", False)]


def test_members_that_are_assumed_stand_in_their_order() -> None:
    text = """enum Region "a region" @rb(1):
    north, south "the south"
    assumed "two are not named" @rb(2):
        east "the east",
        west
    middle
"""
    region = declaration(text)

    assert [m.name.text for m in region.members] == ["north", "south", "east", "west", "middle"]
    (part,) = region.assumed
    assert ([m.name.text for m in part.members], part.why) == (["east", "west"], "two are not named")
    assert str(part.citation) == "@rb(2)"


def test_a_member_may_be_called_assumed() -> None:
    apart = declaration('enum Proof:\n    assumed "as assumed", shown\n    assumed "why":\n        assumed\n')

    assert [m.name.text for m in apart.members] == ["assumed", "shown", "assumed"]
    assert [m.name.text for m in declaration("enum Proof: assumed, shown").members] == ["assumed", "shown"]


def test_state() -> None:
    text = """state:
    round "rounds" @rb(1): Int in 0..9 = 3
    pile hidden: Deck[Card]
    per player:
        hand "cards" @rb(2) private: Bag[Card]
        purse private unless shown: ducat
"""
    round_, pile, hand, purse = declaration(text).variables

    assert (said(round_.initial), round_.sight, str(round_.citation)) == ("3", "open", "@rb(1)")
    assert (pile.sight, pile.per_player) == ("hidden", False)
    assert (hand.sight, hand.unless, hand.per_player) == ("private", None, True)
    assert (purse.sight, purse.unless.text, purse.unless.span.line) == ("private", "shown", 6)


def test_rules_and_functions() -> None:
    rule = declaration(
        'rule r(p: Player, f: (Player) -> Int) -> (a: Int, b: Int) "title" @rb(1):\n'
        "    requires a\n    ensures b\n    return (1, 2)\n"
    )
    function = declaration("function f() -> Int @rb(2) =\n    1 + 2\n")

    assert [p.name.text for p in rule.parameters] == ["p", "f"]
    assert (said(rule.requires[0]), said(rule.ensures[0]), rule.title) == ("a", "b", "title")
    assert len(rule.body) == 1
    assert said(function.value) == "(1 + 2)"


def test_properties_and_scopes() -> None:
    text = """
invariant row_full "no more" @rb(1): size(row) <= 4
reachable rich:
    any p in players: p.purse >= 30
bound points "a ceiling" for p in players: p.points in 0..n + 1
bound rounds: round in 0..9
ranking "most points" for p @rb(2): p.points, placed(p)
scope tiny "small":
    players 2
    reading bank is limited
    variant generous
    copies = 1
"""
    row_full, rich, points, rounds, ranking, scope = document(text).declarations

    assert isinstance(row_full, tree.Invariant)
    assert isinstance(rich, tree.Invariant)
    assert (row_full.kind, rich.kind) == ("invariant", "reachable")
    assert isinstance(points, tree.Bound)
    assert (said(points.value), said(points.high)) == ("p.points", "(n + 1)")
    assert isinstance(rounds, tree.Bound)
    assert rounds.generators == ()
    assert isinstance(ranking, tree.Ranking)
    assert [said(key) for key in ranking.keys] == ["p.points", "placed(p)"]
    assert isinstance(scope, tree.Scope)
    assert scope.players == 2
    assert shape(scope.readings) == (("bank", "limited"),)
    assert shape(scope.variants) == ("generous",)
    assert scope.settings[0].name.text == "copies"


def test_examples() -> None:
    example = declaration("""example milan "Milan" @rb(55):
    players 3
    variant generous
    given:
        row includes milan
        p0.hand = {blue: 2}
    run may_build(p0)
    when:
        p1 cannot build milan
        p0 place white 2 -1 {a: 1}
        p0 pass
        chance 3
    then:
        p0.points = 6
""")
    refused, place, pass_, chance = example.steps

    assert [given.includes for given in example.given] == [True, False]
    assert said(example.run) == "may_build(p0)"
    assert (refused.refused, refused.option.text, said(refused.actor)) == (True, "build", "p1")
    assert [said(a) for a in place.arguments[:3]] == ["white", "2", "(- 1)"]
    assert pass_.arguments == ()
    assert said(chance.outcome) == "3"
    assert said(example.then[0]) == "(p0.points = 6)"
    assert said(declaration("example e:\n    players 2\n    run play\n").run) == "play()"


# --- words -------------------------------------------------------------------------------------------------


WORDS = (
    "score move pass first up count reading players class lambda None open rule draw left half from_ stop",
    "may sum unlimited default variant min max run given then columns assumed chance random roll per",
)


@pytest.mark.parametrize("name", " ".join(WORDS).split())
def test_words_of_the_language_are_names_where_nothing_else_is_meant(name: str) -> None:
    assign, call, field, option = statements(
        f"{name} := {name} + 1",
        f"let x = f({name}, a.{name}) if {name} = 3 else {name}[1]",
        f"{name}.hand := {name}.{name}",
        "p chooses:",
        f"    {name} {name}: Int in 1..{name}:",
        "        nothing",
    )

    assert said(assign.value) == f"({name} + 1)"
    assert said(call.value) == f"(f({name}, a.{name}) if ({name} = 3) else {name}[1])"
    assert said(field.value) == f"{name}.{name}"
    assert option.options[0].params[0].name.text == name


def test_text_has_two_escapes() -> None:
    assert declaration(r'game duel "a \"b\" \\ c {x} ü 🎲"').title == 'a "b" \\ c {x} ü 🎲'


# --- places ------------------------------------------------------------------------------------------------


def test_spans_count_characters_and_cover_brackets() -> None:
    text = 'invariant x "größer 🎲": (a + b) * c = f(d)[e]'
    condition = declaration(text).condition

    assert cut(text, condition.span) == "(a + b) * c = f(d)[e]"
    assert cut(text, condition.left.left.span) == "(a + b)"
    assert cut(text, condition.right.span) == "f(d)[e]"
    assert cut(text, condition.right.value.span) == "f(d)"


def test_spans_end_where_the_words_end() -> None:
    rule = declaration("rule r:\n    if a:\n        stop\n\n    # more\n\n")

    assert (rule.span.line, rule.span.end_line, rule.span.end_column) == (1, 3, 13)
    assert rule.body[0].span.end_line == 3


def test_a_line_goes_on_inside_brackets() -> None:
    loose = declaration("function f(\n    a: Int,  # one\n    # two\n    b: Int\n) -> Int = g(\n  a,\n  b)\n")

    assert shape(loose) == shape(declaration("function f(a: Int, b: Int) -> Int = g(a, b)"))
