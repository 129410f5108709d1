"""A play as an `example` of the rules language, to be pasted into the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rulespec.compiler.core.tree import Core, Slot
from rulespec.engine.layout import value_name
from rulespec.proofs.verdicts import Step


def example(
    core: Core,
    name: str,
    title: str,
    rule: str,
    given: Sequence[int] | None,
    steps: Sequence[Step],
    then: str,
) -> str:
    """The text of an example that runs `rule` from the record `given` (None: from the empty table)."""
    configuration = core.configuration
    lines = [f"# with {param} = {value}" for param, value in configuration.settings]
    lines += [f'example {name} "{title}":', f"    players {configuration.players}"]
    lines += [f"    reading {name} is {meaning}" for name, meaning in configuration.readings]
    lines += [f"    variant {variant}" for variant in configuration.variants]
    position = [] if given is None else [f"        {line}" for line in _position(core, given)]
    if position:
        lines += ["    given:", *position]
    lines.append(f"    run {rule}()")
    told = [f"        {s.example}" for s in steps if s.example]
    if told:
        lines += ["    when:", *told]
    if then:
        lines += ["    then:", f"        {then}"]
    return "\n".join(lines) + "\n"


def _position(core: Core, record: Sequence[int]) -> Iterator[str]:
    """What differs from the empty table, except at home, where everything is that is not elsewhere."""
    for slot in core.slots:
        offset = core.offset[slot.name]
        values = record[offset : offset + slot.size]
        home = bool(slot.keeps) and (any(slot.initial) or slot.low < 0)
        if slot.role == "state" and not home and tuple(values) != slot.initial:
            yield from _content(slot, values)


def _content(slot: Slot, values: Sequence[int]) -> Iterator[str]:
    """Lines for one variable: one for each player, key or whatever else comes before its kinds."""
    kinds = bool(slot.dims) and (_holds_pieces(slot) or (slot.low, slot.high) == (0, 1))
    outer = slot.dims[:-1] if kinds else slot.dims
    width = len(slot.dims[-1].names) if kinds else 1
    for number, index in enumerate(product(*(range(len(d.names)) for d in outer))):
        part = values[number * width : (number + 1) * width]
        if tuple(part) == slot.initial[number * width : (number + 1) * width]:
            continue
        keys = [d.names[i] for d, i in zip(outer, index, strict=True)]
        if outer and outer[0].name == "Player":
            place = f"{keys[0]}.{slot.name}" + "".join(f"[{k}]" for k in keys[1:])
        else:
            place = slot.name + "".join(f"[{k}]" for k in keys)
        yield f"{place} = {_members(slot, part) if kinds else value_name(slot.domain, part[0])}"


def _holds_pieces(slot: Slot) -> bool:
    """A place for pieces counts them by kind; one for money is a number of its currency."""
    return bool(slot.keeps) and slot.domain.name != slot.keeps


def _members(slot: Slot, counts: Sequence[int]) -> str:
    names = slot.dims[-1].names
    if slot.high == 1:
        return "{" + ", ".join(n for n, c in zip(names, counts, strict=True) if c) + "}"
    return "{" + ", ".join(f"{n}: {c}" for n, c in zip(names, counts, strict=True) if c) + "}"


def condition_text(sources: dict[str, str], core: Core, name: str) -> str:
    """What a stated property says, as its own text has it; "" where the text is not at hand."""
    stated = next((p for p in core.properties if p.name == name), None)
    if stated is None or stated.origin.span.file not in sources:
        return ""
    span = stated.origin.span
    lines = sources[span.file].splitlines()[span.line - 1 : span.end_line]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1] if span.end_column > 1 else lines[-1]
    lines[0] = lines[0][span.column - 1 :]
    head, body = _split_head(" ".join(line.strip() for line in lines))
    binders = head.partition(" for ")[2] if stated.kind == "bound" else ""
    binders = binders.partition("@")[0].strip()
    return f"all {binders}: {body}" if binders else body


def _split_head(text: str) -> tuple[str, str]:
    """At the first colon that stands outside quotes and brackets."""
    depth, quoted = 0, False
    for place, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in "([{":
            depth += 1
        elif not quoted and letter in ")]}":
            depth -= 1
        elif letter == ":" and not quoted and not depth:
            return text[:place], text[place + 1 :].strip()
    return text, ""
