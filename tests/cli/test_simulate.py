"""`rulespec simulate`: the same games whatever the number of processes; files are whole or absent."""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from clicalls import Cli, write

from rulespec.cli.exit_code import ExitCode

RULESPEC = Path(sys.executable).with_name("rulespec")
PNG = b"\x89PNG\r\n\x1a\n"


def test_tables_show_what_happened(duel: str, cli: Cli) -> None:
    said = cli("simulate", duel, "--players", 2, "--games", 60, "--jobs", 1)

    assert said.status == ExitCode.FINE
    words = [line.split() for line in said.out.splitlines()]
    assert "moves in a game: 6 to 6, median 6, mean 6.0" in said.out
    assert {"p0", "p1"} <= {line[0] for line in words if line}
    # Four cards are laid in each game, and nobody ever has more than 30 points.
    assert ["fight.lay", "4.00"] in words
    assert ["buy.boast", "0.00"] in words
    assert "rules: each of the 4 happened" in said.out
    assert "options that never happened: buy.boast" in said.out


def test_json_says_the_same(duel: str, cli: Cli) -> None:
    found = cli("simulate", duel, "--players", 2, "--games", 60, "--jobs", 1, "--json").json

    assert found["games"] == found["finished"] == 60
    assert found["length"]["least"] == found["length"]["most"] == 6
    assert found["options"]["fight.lay"] == 240
    assert found["never"] == {"rules": [], "options": ["buy.boast"]}
    wins = [seat["wins"] for seat in found["seats"]]
    assert all(0 <= rate["low"] <= rate["share"] <= rate["high"] <= 1 for rate in wins)
    both = found["shared_wins"]["share"]
    assert sum(rate["share"] for rate in wins) == pytest.approx(1 + both)


def test_games_do_not_depend_on_jobs_or_engine(duel: str, cli: Cli, tmp_path: Path) -> None:
    made = []
    for name, jobs, engine in (("a", 1, "python"), ("b", 2, "python"), ("c", 1, "interpreter")):
        file = tmp_path / f"{name}.parquet"
        args = ("--games", 130, "--seed", 9, "--jobs", jobs, "--engine", engine, "--out", file)
        assert cli("simulate", duel, "--players", 3, *args).status == ExitCode.FINE
        made.append(file)

    assert made[0].read_bytes() == made[1].read_bytes()
    assert pq.read_table(made[0]).to_pylist() == pq.read_table(made[2]).to_pylist()


def test_the_file_has_a_row_for_each_game(duel: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    said = cli(
        "simulate", duel, "--players", 2, "--games", 40, "--seed", 3, "--jobs", 1, "--out", file, "--json"
    )

    table = pq.read_table(file)
    facts = json.loads(table.schema.metadata[b"rulespec"])
    results = json.loads(pq.read_metadata(file).metadata[b"rulespec.results"])
    first = table.to_pylist()[0]
    game = cli("run", duel, "--players", 2, "--seed", 3, "--json").json
    assert table.num_rows == 40
    assert first["seed"] == 3
    assert [first["score_p0"], first["score_p1"]] == game["scores"]
    assert [first["key2_p0"], first["key2_p1"]] == [1, 1]
    assert first["winners"] == game["winners"]
    assert first["moves"] == 6
    assert first["fault"] is None
    assert results == said.json
    assert results.items() >= facts.items()
    assert facts["game"] == "duel"
    assert len(facts["rulebook"]) == 64


def test_the_picture_is_a_picture(duel: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "games.png"
    said = cli("simulate", duel, "--players", 3, "--games", 30, "--jobs", 1, "--plot", file)

    assert said.status == ExitCode.FINE
    assert file.read_bytes().startswith(PNG)
    assert f"picture in `{file}`" in said.err


@pytest.mark.parametrize("option", ["--out", "--plot"])
@pytest.mark.parametrize(
    ("place", "answer"),
    [(".", "it is a folder"), ("no/file", "there is no folder"), ("/dev/null", "not a plain file")],
)
def test_a_place_that_cannot_be_written_is_said_before_playing(
    option: str, place: str, answer: str, duel: str, cli: Cli, tmp_path: Path
) -> None:
    said = cli("simulate", duel, "--players", 2, "--games", 1_000_000, "--jobs", 1, option, tmp_path / place)

    assert said.status == ExitCode.PROBLEMS
    assert answer in said.err
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_earlier_file(duel: str, tmp_path: Path) -> None:
    file = write(tmp_path / "games.parquet", "earlier")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = subprocess.run(
        [RULESPEC, "simulate", duel, "-p", "2", "--games", "8000", "--jobs", "1", "--out", file],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=small,
        env={**os.environ, "RULESPEC_CACHE": "off", "PYTHONDONTWRITEBYTECODE": "1"},
    )

    assert done.returncode == ExitCode.PROBLEMS, done.stderr
    assert f"`{file}` cannot be written: file too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert file.read_text() == "earlier"
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_was_played(jobs: int, duel: str, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    with subprocess.Popen(
        [RULESPEC, "simulate", duel, "-p", "2", "--games", "90000000", "--jobs", str(jobs), "--out", file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        if not _part_that_grows(tmp_path, process):
            pytest.fail(f"no game was written: {process.communicate()[1]}")
        # As a terminal does: to every process of the group.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=600)

    assert process.returncode == ExitCode.INTERRUPTED, err
    played = pq.read_table(file)
    assert played.num_rows > 0
    assert played["seed"].to_pylist() == list(range(1, played.num_rows + 1))
    assert f"interrupted after {played.num_rows:,} of 90,000,000 games" in err
    assert "fight.lay" in out
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


def _part_that_grows(folder: Path, process: subprocess.Popen[str]) -> bool:
    while process.poll() is None:
        if any(path.stat().st_size > 4 for path in folder.glob(".games.parquet.*.part")):
            return True
        time.sleep(0.05)
    return False


def test_games_that_stop_at_a_fault_are_counted_and_can_be_seen(duel: str, cli: Cli, tmp_path: Path) -> None:
    text = Path(duel).read_text().replace("points in 0..40", "points in 0..6")
    rules, file = write(tmp_path / "narrow.rules", text), tmp_path / "games.parquet"

    args = ("simulate", rules, "--players", 2, "--games", 40, "--jobs", 1)
    said = cli(*args, "--out", file)
    stopped = [row for row in pq.read_table(file).to_pylist() if not row["finished"]]

    assert said.status == ExitCode.PROBLEMS
    assert f"{len(stopped)} of 40 games did not end:" in said.out
    assert stopped[0]["winners"] == []
    assert stopped[0]["score_p0"] is None
    assert "above 6" in stopped[0]["fault"]
    seen = cli("run", rules, "--players", 2, "--seed", stopped[0]["seed"])
    assert "above 6" in seen.err


@pytest.mark.parametrize(("option", "package"), [("--out", "pyarrow"), ("--plot", "matplotlib")])
def test_a_missing_extra_is_named(
    option: str, package: str, duel: str, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else find(name))

    said = cli("simulate", duel, option, "x")

    assert said.status == ExitCode.PROBLEMS
    assert f"`{option}` needs {package}, which is in the extra `simulate`" in said.err


def test_simulating_needs_no_extra_without_files(duel: str) -> None:
    code = (
        "import sys; from rulespec.cli import guard, main;"
        f"guard.run(main.app, ['simulate', {duel!r}, '-p', '2', '--games', '3', '--jobs', '1']);"
        "print('loaded', [name for name in ('pyarrow', 'matplotlib', 'z3') if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "loaded []"
