"""Bounded time and memory, and never an exception, whatever the text says."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from effort import calls
from hypothesis import given, settings
from hypothesis import strategies as st
from small_game import FRAME, check_text, errors, framed

from rulespec.compiler.diagnostics import Diagnostic, Severity
from rulespec.compiler.surface.from_text import parse
from rulespec.compiler.typed.check import check
from rulespec.compiler.typed.from_surface import resolve
from rulespec.compiler.typed.instances import MOST_INSTANCES
from rulespec.compiler.typed.report import LIMIT
from rulespec.compiler.typed.settings import MOST_SCOPES

HERE = Path(__file__).parent
GOOD = {path.stem: framed(path.read_text()) for path in sorted((HERE / "good").glob("*.rules"))}
LOTS = (HERE / "modules" / "lots.rules").read_text()
WORDS = sorted({word for text in GOOD.values() for word in re.findall(r"\w+|[^\w\s]", text)})


def codes(found: tuple[Diagnostic, ...]) -> set[str]:
    return {d.code for d in errors(found)}


def test_an_enum_has_at_most_256_members() -> None:
    few = ", ".join(f"m{n}" for n in range(256))

    assert codes(check_text(framed(f"enum Many: {few}\n"))[1]) == set()
    assert codes(check_text(framed(f"enum Many: {few}, one_more\n"))[1]) == {"R0224"}


def test_findings_beyond_the_limit_are_counted() -> None:
    lines = "".join(f"    score wrong{n} to p\n" for n in range(LIMIT + 30))
    _, found = check_text(framed(f"rule many(p: Player):\n{lines}"))

    assert len(found) == LIMIT + 1
    assert found[-1].code == "R0299"
    assert "more findings are left out" in found[-1].message


def test_warnings_take_no_place_from_errors() -> None:
    """What is odd stands first here, and there is more of it than is told."""
    odd = "".join(f"function odd{n}() -> Int = {n}\n" for n in range(LIMIT + 30))
    good, few = check_text(framed(odd))
    wrong, more = check_text(framed(odd + "rule wrong(p: Player):\n    score missing to p\n"))

    assert good is not None
    assert (few[-1].message, few[-1].severity) == ("30 more warnings are left out", Severity.WARNING)
    assert wrong is None
    assert codes(more) == {"R0201"}


def test_a_chain_of_a_hundred_levels_is_too_deep() -> None:
    long = " + ".join(["1"] * 120)
    short = " + ".join(["1"] * 60)

    assert "R0242" in codes(check_text(framed(f"function sum_up() -> Int = {long}\n"))[1])
    assert codes(check_text(framed(f"function sum_up() -> Int = {short}\n"))[1]) == set()


def test_scopes_are_limited() -> None:
    text = "".join(f'scope s{n} "A small game":\n    players 2\n' for n in range(MOST_SCOPES + 2))
    rulebook, found = check_text(framed(text))

    assert rulebook is None
    assert [d.message for d in errors(found)] == ["there are 22 scopes, and 20 are the most"]


def test_versions_of_a_generic_function_are_limited() -> None:
    count = MOST_INSTANCES + 5
    functions = "".join(f"function f{n}(p: Player) -> Int = {n}\n" for n in range(count))
    calls = "".join(f"    score 1 * most(f{n}) to p\n" for n in range(count))
    text = f"{functions}function most(f: (Player) -> Int) -> Int = max(f(q) for q in players)\n"
    _, found = check_text(framed(f"{text}rule all_of_them(p: Player):\n{calls}"))

    assert "R0241" in codes(found)


def test_a_long_rulebook_is_checked_soon() -> None:
    """Half a million calls take about a tenth of a second."""
    folder = HERE.parents[1] / "rulespec"
    used = [folder / "std" / f"{name}.rules" for name in ("auction", "majority")]
    paths = [folder / "games" / "il_principe" / "il-principe.rules.md", *used]
    documents = [parse(path.read_text(), path.name)[0] for path in paths]

    assert calls(lambda: resolve(documents)) < 500_000
    assert resolve(documents)[0] is not None


@settings(max_examples=60)
@given(st.sampled_from(sorted(GOOD)), st.integers(0, 2**32), st.integers(1, 4))
def test_changed_words_never_raise(name: str, seed: int, changes: int) -> None:
    """Words of good rules are put in one another's place; whatever is accepted is sound."""
    chance = random.Random(seed)
    parts = re.split(r"(\w+|[^\w\s])", GOOD[name])
    places = list(range(1, len(parts), 2))
    for place in chance.sample(places, changes):
        parts[place] = chance.choice(WORDS)
    rulebook, found = check_text("".join(parts), "changed.rules", lots=LOTS)

    if rulebook is not None:
        assert check(rulebook) == ()
    else:
        assert any(d.severity is Severity.ERROR for d in found)


@pytest.mark.parametrize("line", [line for line in FRAME.splitlines() if line.strip()])
def test_a_missing_line_never_raises(line: str) -> None:
    text = FRAME.replace(line + "\n", "", 1)
    rulebook, found = check_text(text)

    assert (rulebook is None) == bool(errors(found)) or any(d.code.startswith("R01") for d in found)
