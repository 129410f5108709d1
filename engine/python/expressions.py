"""Core expressions as Python: numbers and truth values, with a check wherever looking could fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulespec.compiler.core.tree import (
    TRUE,
    And,
    Arith,
    Compare,
    Const,
    Domain,
    Expr,
    Fold,
    Ite,
    Lookup,
    Not,
    Or,
    Read,
    Truth,
    Var,
)
from rulespec.engine.python import folds
from rulespec.engine.python.frame import Frame
from rulespec.engine.python.intervals import children
from rulespec.engine.python.places import Index
from rulespec.engine.python.text import (
    AND,
    COMPARE,
    NOT,
    OR,
    PRODUCT,
    SUM,
    TERNARY,
    UNARY,
    Text,
    is_cheap,
    literal,
    span,
    wrap,
)

_SPELLED = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}

Emit = Callable[[Frame, Expr], Text]

# Levels of one expression; each may take two of the 200 brackets that Python reads inside one another.
_DEEPEST = 40
# Elements of a row from which on Python's words for a whole row are worth it.
_SHORTEST_ROW = 4


# --- numbers -----------------------------------------------------------------------------------------------


def number(frame: Frame, expr: Expr) -> Text:
    """Python for an expression whose value is a number."""
    return _nested(frame, expr, _number)


def truth(frame: Frame, expr: Expr) -> Text:
    """Python that is true or false as the expression is; a 0 or 1 may stand for itself."""
    return _nested(frame, expr, _truth)


def _nested(frame: Frame, expr: Expr, emit: Emit) -> Text:
    """Python reads brackets only so deep: what is nested deeper becomes a function of its own."""
    if frame.depth >= _DEEPEST and children(expr):
        free = folds.free_variables(expr)
        inner = frame.helper(free)
        inner.out.append(f"return {emit(inner, expr).source}")
        name, reached = frame.module.names.module("part"), inner.places.reached()
        frame.module.define(name, [*reached, *(inner.variables[v] for v in free)], inner.out.lines)
        frame.places.reach(reached)
        return Text(f"{name}({', '.join([*reached, *(frame.variables[v] for v in free)])})")
    frame.depth += 1
    text = emit(frame, expr)
    frame.depth -= 1
    return text


def _number(frame: Frame, expr: Expr) -> Text:
    low, high = frame.facts.interval(expr)
    if low == high and frame.facts.safe(expr):
        return literal(low)
    match expr:
        case Const(value):
            return literal(value)
        case Var(name):
            return Text(frame.variables[name])
        case Read(slot, index):
            declared = frame.core.slot[slot]
            return Text(frame.places.element(declared, indices(frame, declared.dims, index, slot)))
        case Lookup(table, index):
            keys = indices(frame, frame.core.table[table].dims, index, table)
            return Text(frame.module.table(table) + "".join(f"[{key_source(key)}]" for key in keys))
        case Arith(operator, left, right):
            return _arith(frame, operator, left, right)
        case Ite(condition, then, other):
            if (then, other) == (Const(1), Const(0)) and (flag := _flag(frame, condition)) is not None:
                return flag
            return _ite(frame, condition, then, other, number)
        case Fold():
            return fold_number(frame, expr)
        case _:
            raise TypeError(f"not a number: {expr}")


def _arith(frame: Frame, operator: str, left: Expr, right: Expr) -> Text:
    if operator in ("min", "max"):
        return _extreme(operator, number(frame, left), number(frame, right))
    if operator in ("+", "-") and isinstance(right, Const) and right.value < 0:
        return _arith(frame, "-" if operator == "+" else "+", left, Const(-right.value))
    operand = _bit_or_number if operator in ("+", "-") else number
    a, b = operand(frame, left), operand(frame, right)
    match operator:
        case "+":
            if a.source == "0":
                return b
            return a if b.source == "0" else Text(f"{wrap(a, SUM)} + {wrap(b, PRODUCT)}", SUM)
        case "-":
            return a if b.source == "0" else Text(f"{wrap(a, SUM)} - {wrap(b, PRODUCT)}", SUM)
        case "*":
            if a.source == "1":
                return b
            return a if b.source == "1" else Text(f"{wrap(a, PRODUCT)} * {wrap(b, UNARY)}", PRODUCT)
        case "div":
            return a if b.source == "1" else Text(f"{wrap(a, PRODUCT)} // {wrap(b, UNARY)}", PRODUCT)
        case _:
            return Text(f"{wrap(a, PRODUCT)} % {wrap(b, UNARY)}", PRODUCT)


def _bit_or_number(frame: Frame, expr: Expr) -> Text:
    """An operand of a sum, where Python's truth values are numbers."""
    if isinstance(expr, Ite) and (expr.then, expr.other) == (Const(1), Const(0)):
        bit = truth(frame, expr.condition)
        return literal(int(bit.source == "True")) if bit.source in ("True", "False") else bit
    return number(frame, expr)


def _extreme(operator: str, a: Text, b: Text) -> Text:
    """A comparison is some three times as fast as the call, so short operands are written twice."""
    if is_cheap(a) and is_cheap(b):
        sign = "<" if operator == "min" else ">"
        return Text(f"{a.source} if {a.source} {sign} {b.source} else {b.source}", TERNARY)
    return Text(f"{operator}({a.source}, {b.source})")


def _ite(frame: Frame, condition: Expr, then: Expr, other: Expr, emit: Emit) -> Text:
    tested = truth(frame, condition)
    if tested.source in ("True", "False"):
        decided = tested.source == "True"
        with frame.branch(condition, decided):
            return emit(frame, then if decided else other)
    test = wrap(tested, OR)
    with frame.branch(condition, True):
        if_true = wrap(emit(frame, then), OR)
    with frame.branch(condition, False):
        if_false = wrap(emit(frame, other), TERNARY)
    return Text(f"{if_true} if {test} else {if_false}", TERNARY)


def indices(frame: Frame, dims: tuple[Domain, ...], index: tuple[Expr, ...], what: str) -> Index:
    """The indices of an element; those that could be out of range go through `within`."""
    result: list[int | Text] = []
    for dim, expr in zip(dims, index, strict=True):
        size = len(dim.names)
        low, high = frame.facts.interval(expr)
        if low == high and 0 <= low < size and frame.facts.safe(expr):
            result.append(low)
        elif frame.facts.within(expr, size):
            result.append(number(frame, expr))
        else:
            result.append(within(frame, number(frame, expr), dim, what))
    return result


def within(frame: Frame, index: Text, dim: Domain, what: str) -> Text:
    size = len(dim.names)
    if dim.is_of_positions:
        site = frame.site("index", "the list has no item there")
    else:
        site = frame.site("index", f"`{what}` has no element ", f" among its {size} of `{dim.name}`")
    return Text(f"within({index.source}, {size}, {site})")


def key_source(key: int | Text) -> str:
    return str(key) if isinstance(key, int) else key.source


# --- truth values ------------------------------------------------------------------------------------------


def _truth(frame: Frame, expr: Expr) -> Text:
    decided = known(frame, expr)
    if decided is not None:
        return Text(str(decided))
    match expr:
        case Compare(operator, left, right):
            return _compare(frame, operator, left, right)
        case Not(value):
            return _negated(frame, value)
        case And(items):
            return _items(frame, items, True)
        case Or(items):
            return _items(frame, items, False)
        case Ite(condition, then, other):
            return _ite(frame, condition, then, other, truth)
        case Fold():
            return fold_truth(frame, expr)
        case _:
            raise TypeError(f"not a truth value: {expr}")


def known(frame: Frame, expr: Expr) -> bool | None:
    """What a condition must be, if looking at it cannot fault either."""
    if isinstance(expr, Truth):
        return expr.value
    value = frame.facts.truth(expr)
    return value if value is not None and frame.facts.safe(expr) else None


def strict_truth(frame: Frame, expr: Expr) -> str:
    """As `truth`, but certainly a bool."""
    text = truth(frame, expr)
    sure = text.level == COMPARE or text.source in ("True", "False") or text.source.startswith("not ")
    return text.source if sure else f"bool({text.source})"


def _negated(frame: Frame, expr: Expr) -> Text:
    match expr:
        case Compare(operator, left, right):
            return _compare(frame, _OPPOSITE[operator], left, right)
        case Not(value):
            return truth(frame, value)
        case _:
            text = truth(frame, expr)
            opposite = {"True": "False", "False": "True"}.get(text.source)
            return Text(opposite) if opposite else Text(f"not {wrap(text, COMPARE)}", NOT)


def _compare(frame: Frame, operator: str, left: Expr, right: Expr) -> Text:
    short = _as_flag(frame, operator, left, right)
    if short is not None:
        return short
    a, b = number(frame, left), number(frame, right)
    return Text(f"{wrap(a, SUM)} {_SPELLED[operator]} {wrap(b, SUM)}", COMPARE)


def _as_flag(frame: Frame, operator: str, left: Expr, right: Expr) -> Text | None:
    """`x != 0` is `x` where x is 0 or 1, and so on for whatever asks the same."""
    flag = _flag(frame, Compare(operator, left, right))
    if flag is not None:
        return flag
    flag = _flag(frame, Compare(_OPPOSITE[operator], left, right))
    return None if flag is None else Text(f"not {wrap(flag, COMPARE)}", NOT)


def _flag(frame: Frame, condition: Expr) -> Text | None:
    """The number that is 1 if the condition holds and 0 if not, where the condition only asks for one."""
    match condition:
        case Compare("!=" | ">", left, Const(0)) | Compare("=" | ">=", left, Const(1)):
            return number(frame, left) if frame.facts.interval(left) == (0, 1) else None
        case _:
            return None


def _items(frame: Frame, items: tuple[Expr, ...], neutral: bool) -> Text:
    """`and` (neutral true) or `or`: items whose value is known are left out."""
    level = AND if neutral else OR
    texts: list[Text] = []
    with frame.branch():
        for item in items:
            text = truth(frame, item)
            if text.source != str(neutral):
                texts.append(text)
            if text.source == str(not neutral):
                break
            frame.facts.learn(item, neutral)
    if not texts:
        return Text(str(neutral))
    if len(texts) == 1:
        return texts[0]
    word = " and " if neutral else " or "
    return Text(word.join(wrap(t, level) for t in texts), level)


# --- folds -------------------------------------------------------------------------------------------------


def fold_number(frame: Frame, fold: Fold) -> Text:
    short = _row_number(frame, fold)
    if short is not None:
        return short
    written_out = folds.unrolled(frame.facts, fold)
    if written_out is not None:
        return number(frame, written_out)
    if fold.operator in ("min", "max") and fold.where is None and 1 < fold.high - fold.low + 1 <= 8:
        values = [number(frame, e).source for e in folds.rounds_of(fold)]
        return Text(f"{fold.operator}({', '.join(values)})")
    return _helper(frame, fold)


def _row_number(frame: Frame, fold: Fold) -> Text | None:
    """Sums, extremes and counts over a whole row."""
    core = frame.core
    if fold.operator == "count" and fold.where is not None:
        asked = folds.asked_row(core, fold, fold.where)
        if asked is None or (asked[2] != 0 and _length(frame, asked[0]) < _SHORTEST_ROW):
            return None
        return _counted_row(frame, *asked)
    if fold.where is not None or fold.body is None or fold.operator not in ("sum", "min", "max"):
        return None
    whole = folds.whole_row(core, fold, fold.body)
    short = whole is None or _length(frame, whole) < _SHORTEST_ROW
    return None if whole is None or short else Text(f"{fold.operator}({row_source(frame, whole)})")


def fold_truth(frame: Frame, fold: Fold) -> Text:
    if fold.where is None and fold.body is not None:
        short = _row_truth(frame, fold, fold.body)
        if short is not None:
            return short
    written_out = folds.unrolled(frame.facts, fold)
    return truth(frame, written_out) if written_out is not None else _helper(frame, fold)


def _counted_row(frame: Frame, row: Read, same: bool, value: int) -> Text:
    """How many elements of a row are, or are not, some number."""
    slot, source = frame.core.slot[row.slot], row_source(frame, row)
    if (same, value) in ((True, 1), (False, 0)) and (slot.low, slot.high) == (0, 1):
        return Text(f"sum({source})")
    found = f"{source}.count({value})"
    return Text(found) if same else Text(f"{_length(frame, row)} - {found}", SUM)


def _row_truth(frame: Frame, fold: Fold, body: Expr) -> Text | None:
    """Whether all or any elements of a row are, or are not, some number."""
    asked = folds.asked_row(frame.core, fold, body)
    if asked is None:
        return None
    row, same, value = asked
    source, is_any = row_source(frame, row), fold.operator == "any"
    if is_any and (same, value) == (False, 0):
        return Text(f"any({source})")
    if _length(frame, row) < _SHORTEST_ROW:
        return None
    if same == is_any:
        return Text(f"{value} {'in' if is_any else 'not in'} {source}", COMPARE)
    return Text(f"{source}.count({value}) {'<' if is_any else '=='} {_length(frame, row)}", COMPARE)


def _length(frame: Frame, row: Read) -> int:
    return len(frame.core.slot[row.slot].dims[-1].names)


def row_source(frame: Frame, read: Read) -> str:
    slot = frame.core.slot[read.slot]
    earlier = indices(frame, slot.dims[:-1], read.index[:-1], read.slot)
    return frame.places.row(slot, earlier)


def _helper(frame: Frame, fold: Fold) -> Text:
    """A call of a function that runs the fold as a loop; equal folds share one."""
    free = folds.free_variables(fold)
    place = None if frame.facts.safe(fold) else (id(frame.origin), frame.block)
    key = (fold, frame.facts.about(fold), place)
    module = frame.module
    if key not in module.helper_names:
        module.helper_names[key] = _write_helper(frame, fold, free)
    name, reached = module.helper_names[key]
    frame.places.reach(reached)
    return Text(f"{name}({', '.join([*reached, *(frame.variables[v] for v in free)])})")


def _write_helper(frame: Frame, fold: Fold, free: list[str]) -> tuple[str, list[str]]:
    module = frame.module
    name = module.names.module(f"{fold.operator}_over_{fold.variable}")
    inner = frame.helper(free)
    match fold.operator:
        case "sum" | "count":
            _write_sum(inner, fold)
        case "min" | "max":
            _write_extreme(inner, fold)
        case _:
            _write_search(inner, fold)
    reached = inner.places.reached()
    module.define(name, [*reached, *(inner.variables[v] for v in free)], inner.out.lines)
    return name, reached


@contextmanager
def _rounds(frame: Frame, fold: Fold, where: Expr | None, *, down: bool = False) -> Iterator[str]:
    """The loop of a fold; inside, the variable (its name is given) is bound and `where` holds."""
    low, high = fold.low, fold.high
    values = f"range({high}, {low - 1}, -1)" if down else span(low, high)
    with frame.branch():
        variable = frame.bind(fold.variable, (low, high))
        with frame.out.indent(f"for {variable} in {values}:"):
            if where is None:
                yield variable
                return
            test = truth(frame, where).source
            frame.facts.learn(where, True)
            if test == "True":
                yield variable
                return
            with frame.out.indent(f"if {test}:"):
                yield variable


def _write_sum(frame: Frame, fold: Fold) -> None:
    total = frame.scope.fresh("total")
    frame.out.append(f"{total} = 0")
    with _rounds(frame, fold, fold.where):
        frame.out.append(f"{total} += {number(frame, fold.body or Const(1)).source}")
    frame.out.append(f"return {total}")


def _write_search(frame: Frame, fold: Fold) -> None:
    """`all` looks for one that is not, `any` for one that is."""
    is_any = fold.operator == "any"
    body = fold.body or TRUE
    sought = body if is_any else Not(body)
    with _rounds(frame, fold, sought if fold.where is None else And((fold.where, sought))):
        frame.out.append(f"return {is_any}")
    frame.out.append(f"return {not is_any}")


def _write_extreme(frame: Frame, fold: Fold) -> None:
    counted = Fold("count", fold.variable, fold.low, fold.high, fold.where, None)
    if fold.body == Var(fold.variable) and frame.facts.safe(counted):
        _write_first(frame, fold)
        return
    best, value = frame.scope.fresh("best"), frame.scope.fresh("value")
    sign = "<" if fold.operator == "min" else ">"
    frame.out.append(f"{best} = None")
    with _rounds(frame, fold, fold.where):
        frame.out.append(f"{value} = {number(frame, fold.body or Const(0)).source}")
        with frame.out.indent(f"if {best} is None or {value} {sign} {best}:"):
            frame.out.append(f"{best} = {value}")
    with frame.out.indent(f"if {best} is None:"):
        _write_nothing(frame, fold)
    frame.out.append(f"return {best}")


def _write_nothing(frame: Frame, fold: Fold) -> None:
    """What comes of an extreme over nothing."""
    if fold.default is None:
        frame.out.append(f"fault({frame.site('empty', f'the {fold.operator} of nothing is asked for')})")
    else:
        frame.out.append(f"return {number(frame, fold.default).source}")


def _write_first(frame: Frame, fold: Fold) -> None:
    """The least (greatest) value of the variable itself: the first that is met going up (down).

    Only where no later value of `where` can fault.
    """
    with _rounds(frame, fold, fold.where, down=fold.operator == "max") as variable:
        frame.out.append(f"return {variable}")
    _write_nothing(frame, fold)
