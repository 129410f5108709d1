"""How far it is, as a terminal of any size shows it."""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from verdicts_made import made, part

from rulespec.verifying.progress import Line, Shown, clock
from rulespec.verifying.run import EXAMPLES, Outcome
from rulespec.verifying.work import Stage


def _shown(lines: Shown, width: int = 60, height: int = 20) -> list[str]:
    stream = StringIO()
    Console(file=stream, width=width, height=height).print(lines)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


def _lines(number: int) -> Shown:
    return Shown({n: Line(f"{n} players") for n in range(2, number + 2)})


def test_a_line_goes_from_waiting_over_stages_to_its_verdicts() -> None:
    lines = _lines(1)
    assert _shown(lines) == ["·  2 players  waits"]

    lines.began(2)
    lines.stage(2, Stage("settling facts", 4, 16))
    (line,) = _shown(lines)
    assert "2 players  ━━━━━━━━━━━━━━━━ 4/16  settling facts" in line
    assert line.endswith(" s")

    found = (made("a", "range"), made("b", "range", "sampled"), made("c", "agreement", "sampled"))
    lines.ended(2, Outcome((part(2),), {2: found}))
    (line,) = _shown(lines)
    assert line.startswith("✓  2 players  1 proved, 1 sampled ")


def test_what_is_refuted_is_marked() -> None:
    lines = _lines(1)
    lines.began(2)
    lines.ended(2, Outcome((part(2),), {2: (made("a", "range", "refuted"),)}))

    assert _shown(lines)[0].startswith("✗  2 players  1 refuted")


def test_examples_are_counted() -> None:
    lines = Shown({EXAMPLES: Line("examples")})
    lines.began(EXAMPLES)
    lines.ended(EXAMPLES, Outcome((), examples=()))

    assert _shown(lines)[0].startswith("✓  examples  there are none")


def test_a_long_stage_is_cut_in_a_narrow_terminal() -> None:
    lines = _lines(1)
    lines.began(2)
    lines.stage(2, Stage("a stage with a name that is much too long for this", 1, 2))

    (line,) = _shown(lines, width=50)
    assert "… " in line
    assert len(line) <= 50


def test_a_low_terminal_shows_what_is_at_work_first() -> None:
    lines = _lines(30)
    lines.began(25)
    lines.began(2)
    lines.ended(2, Outcome((part(2),), {2: ()}))

    shown = _shown(lines, height=8)
    assert len(shown) == 5
    assert any("25 players  begins" in line for line in shown)
    assert shown[-1].strip() == "and 26 more"


def test_what_stays_on_the_screen_has_all_lines_and_nothing_that_moves() -> None:
    lines = _lines(30)
    lines.began(25)
    lines.close()

    shown = _shown(lines, height=8)
    assert len(shown) == 30
    assert {line.split("players")[1].strip() for line in shown} == {"not finished"}


def test_times_from_a_minute_on_are_told_in_minutes() -> None:
    assert [clock(seconds) for seconds in (0.04, 59.9, 60, 125.9)] == ["0.0 s", "59.9 s", "1:00", "2:05"]
