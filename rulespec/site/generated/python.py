"""The reference of the Python interface: what `rulespec` lists as public, with signatures and docstrings."""

from __future__ import annotations

import inspect
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from typing import Any

import rulespec
from rulespec.site.generated.words import docstring, fenced

PROPERTIES = (property, cached_property)


def listed() -> str:
    """Every public name under a heading with the name as its anchor."""
    return "\n\n".join(_section(name, getattr(rulespec, name)) for name in rulespec.__all__)


def _section(name: str, value: Any) -> str:
    parts = [f"## {name} {{#{name}}}"]
    if inspect.isclass(value):
        parts.append(fenced(_head_of_class(name, value), "python"))
        parts.append(docstring(_doc(value)))
        if issubclass(value, Enum):
            parts.append("\n".join(f"- `{name}.{member.name}`" for member in value))
        parts += [_member(name, key, each) for key, each in _public(value)]
    else:
        parts.append(fenced(f"rulespec.{name}{_signature(value)}", "python"))
        parts.append(docstring(_doc(value)))
    return "\n\n".join(filter(None, parts))


def _head_of_class(name: str, value: type) -> str:
    if issubclass(value, Enum | BaseException):
        bases = ", ".join(base.__name__ for base in value.__bases__)
        return f"class rulespec.{name}({bases})"
    if is_dataclass(value):
        listed = "".join(f"\n    {field.name}: {field.type}" for field in fields(value))
        return f"class rulespec.{name}:{listed}"
    return f"class rulespec.{name}{_signature(value)}"


def _public(value: type) -> list[tuple[str, Any]]:
    """What the class itself defines, in the order of its text."""
    return [(key, each) for key, each in vars(value).items() if not key.startswith("_") and _described(each)]


def _described(each: Any) -> bool:
    return isinstance(each, (*PROPERTIES, classmethod, staticmethod)) or inspect.isfunction(each)


def _member(owner: str, name: str, each: Any) -> str:
    heading = f"### {owner}.{name} {{#{owner}.{name}}}"
    if isinstance(each, PROPERTIES):
        getter = each.fget if isinstance(each, property) else each.func
        kind = inspect.signature(getter).return_annotation if getter else ""
        head = f"{owner}.{name}: {kind}"
    else:
        function = each.__func__ if isinstance(each, classmethod | staticmethod) else each
        head = f"{owner}.{name}{_signature(function)}"
    return "\n\n".join(filter(None, (heading, fenced(head, "python"), docstring(inspect.getdoc(each) or ""))))


class _Bare(str):
    """An annotation as it is written, without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def _signature(value: Any) -> str:
    """As it is called: without `self`, and one argument on each line where it is long."""
    found = inspect.signature(value)
    kept = [
        each.replace(annotation=_bare(each.annotation), default=_default(each.default))
        for name, each in found.parameters.items()
        if name not in ("self", "cls")
    ]
    returned = inspect.Signature.empty if inspect.isclass(value) else _bare(found.return_annotation)
    signature = found.replace(parameters=kept, return_annotation=returned)
    if len(str(signature)) <= 80:
        return str(signature)
    inside = ",\n    ".join(_with_marks(signature))
    return f"(\n    {inside},\n){str(signature.replace(parameters=[])).removeprefix('()')}"


def _bare(annotation: Any) -> Any:
    return _Bare(annotation) if isinstance(annotation, str) else annotation


def _default(value: Any) -> Any:
    """A function as default says nothing to a reader."""
    return _Bare("...") if inspect.isfunction(value) else value


def _with_marks(signature: inspect.Signature) -> list[str]:
    """The arguments, and the star from which on they have to be named."""
    found: list[str] = []
    for each in signature.parameters.values():
        if each.kind is each.KEYWORD_ONLY and "*" not in found:
            found.append("*")
        found.append(str(each))
    return found


def _doc(value: Any) -> str:
    """The docstring, but for the one that dataclasses make by themselves."""
    text = inspect.getdoc(value) or ""
    made = inspect.isclass(value) and text.startswith(f"{value.__name__}(")
    return "" if made else text


def silent() -> list[str]:
    """Public names, and members of public classes, that have no docstring."""
    found = []
    for name in rulespec.__all__:
        value = getattr(rulespec, name)
        found += [name] if not _doc(value) else []
        if inspect.isclass(value):
            found += [f"{name}.{key}" for key, each in _public(value) if not inspect.getdoc(each)]
    return found
