"""How the rules write an element of a variable, for whoever prints what is kept in slots."""

from __future__ import annotations

from rulespec.compiler.core.shapes import part_names
from rulespec.compiler.core.views import components
from rulespec.compiler.typed.tree import (
    TBag,
    TDeck,
    TInt,
    TList,
    TMap,
    TOption,
    TRecord,
    TSet,
    TTuple,
    Type,
)


def spoken(type: Type, said: str, depth: int) -> dict[str, str]:
    """How an element is said, for each slot of a value by what follows its name (`""`, `.size`, ...).

    `said` says the value itself, `depth` indices come before its own: `{1} in {0}.major`. "" is for what
    the language has no words for: items of a list, the number in an option, parts without a name.
    """
    match type:
        case TSet():
            return {"": said and f"{{{depth}}} in {said}"}
        case TBag() | TDeck():
            return {"": said and f"{said}[{{{depth}}}]"}
        case TMap(_, value):
            return spoken(value, said and f"{said}[{{{depth}}}]", depth + 1)
        case TOption(TInt()):
            return {".some": said and f"not {said} is none", "": ""}
        case TList(item, _):
            return {".size": said and f"size({said})", **spoken(item, "", depth + 1)}
        case TTuple() | TRecord():
            found: dict[str, str] = {}
            for name, part in zip(part_names(type), components(type), strict=True):
                known = said and not name.isdigit()
                inside = spoken(part, f"{said}.{name}" if known else "", depth)
                found |= {f".{name}{suffix}": text for suffix, text in inside.items()}
            return found
    return {"": said}
