"""Core as a readable Python module that steps a record from one waiting point to the next."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.compiler.core.tree import Core, Slot
from rulespec.engine.python.flow import Flow
from rulespec.engine.python.frame import Module, Site
from rulespec.engine.python.steps import Steps
from rulespec.engine.python.writer import Writer, one_line, wrapped_docstring


@dataclass(frozen=True)
class Generated:
    """A module's source, and what its faults say, by the numbers that the source uses for them."""

    source: str
    sites: tuple[Site, ...]


def emit(core: Core) -> str:
    """The source of the stepping module, to be read; `stepper.PythonEngine` runs it."""
    return generate(core).source


def generate(core: Core) -> Generated:
    module = Module(core)
    steps = Steps(module, Flow(core))
    steps.write()
    return assemble(module, about(core), steps.out.lines)


def generate_scores(core: Core) -> Generated:
    """A module with the function `scores` alone."""
    module = Module(core)
    steps = Steps(module, Flow(core))
    steps.write_scores()
    return assemble(module, about(core), steps.out.lines)


def assemble(module: Module, title: str, functions: list[str]) -> Generated:
    """Constants, then the functions that folds became, then the rest."""
    out = Writer()
    out.lines.extend(wrapped_docstring(title))
    out.append()
    starts = {module.core.offset[slot.name]: slot for slot in reversed(module.core.slots)}
    for name, offset in sorted(module.offsets.items(), key=lambda item: item[1]):
        slot = starts.pop(offset.position, None) if offset.rank else None
        out.append(f"{name} = {offset.position}{_about_slot(slot)}")
    for name, value in module.tables.items():
        out.append(f"{name} = {value}")
    out.lines.extend(module.helpers)
    out.lines.extend(functions)
    if not module.offsets and not module.tables:
        out.lines.remove("")
    return Generated(out.text(), tuple(module.sites))


def _about_slot(slot: Slot | None) -> str:
    """What is said of a slot where its first element is named."""
    if slot is None:
        return ""
    dims = f"[{', '.join(d.name for d in slot.dims)}]" if slot.dims else ""
    return "  # " + one_line(f"{slot.name}{dims} in {slot.low}..{slot.high}  {slot.title}")


def about(core: Core) -> str:
    """Which game in which configuration."""
    c = core.configuration
    settled = [*c.variants, *(f"{name} is {meaning}" for name, meaning in c.readings)]
    settled += (f"{name} = {value}" for name, value in c.settings)
    return f"{core.title} for {c.players} players" + (f": {', '.join(settled)}" if settled else "")
