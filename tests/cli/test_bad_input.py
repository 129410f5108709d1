"""Whatever is handed in ends in a finding with a place, soon and in little memory, and nothing is written."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from clicalls import Cli, write
from tiny import TINY, changed

from rulespec.cli.exit_code import ExitCode

RULESPEC = Path(sys.executable).with_name("rulespec")
SECONDS = 60  # of a processor; a machine that does other work too needs more than one alone
MEMORY = 600_000_000  # bytes


def _enum(values: int) -> str:
    rows = (", ".join(f"m{i}" for i in range(start, start + 100)) for start in range(0, values, 100))
    return "enum Big:\n" + "".join(f"    {row}\n" for row in rows)


SPAN = "p.purse <= share"

# Name of the file, its content, the code of the first finding, and its line.
BAD: dict[str, tuple[str, str | bytes, str, int]] = {
    "not UTF-8": ("a.rules", TINY.encode().replace(b'"Tiny"', b'"T\xe4ny"'), "R0004", 1),
    "UTF-16": ("a.rules", TINY.encode("utf-16"), "R0004", 1),
    "tabs and spaces mixed": ("a.rules", changed("    share = 5\n", "  \tshare = 5\n"), "R0101", 9),
    "a block that is not closed": ("a.rules.md", "# Tiny\n\n```rules\n" + TINY, "R0112", 3),
    "five megabytes": ("a.rules", TINY + "# " + "x" * 5_000_000 + "\n", "R0005", 1),
    "a source of a billion lines": (
        "a.rules",
        changed("of 9 lines", "of 1000000000 lines"),
        "R0223",
        2,
    ),
    "ten thousand brackets": ("a.rules", changed(SPAN, "(" * 10_000 + SPAN + ")" * 10_000), "R0107", 48),
    "ten thousand open brackets": ("a.rules", changed(SPAN, "(" * 10_000), "R0107", 48),
    "five thousand times `not`": ("a.rules", changed(SPAN, "not " * 5_000 + "true"), "R0121", 48),
    "a sum of four thousand": ("a.rules", changed(SPAN, "1 + " * 4_000 + "1 <= share"), "R0121", 48),
    "a number of a billion values": (
        "a.rules",
        changed("points in 0..5", "points in 0..1000000000"),
        "R0524",
        22,
    ),
    "an option of a billion values": ("a.rules", changed("in 1..p.purse", "in 1..1000000000"), "R0511", 36),
    "a loop of a billion rounds": (
        "a.rules",
        changed("    spend(p)\n", "    spend(p)\n    for i in 1..1000000000:\n        nothing\n"),
        "R0511",
        33,
    ),
    "loops inside loops": (
        "a.rules",
        changed(
            "rule play",
            "rule long:\n    for i in 1..90000:\n        for j in 1..90000:\n"
            "            eldest := left of eldest\n\nrule play",
        ).replace("    for p in players from", "    long()\n    for p in players from"),
        "R0525",
        33,
    ),
    "a claim over everything": (
        "a.rules",
        changed(SPAN, "sum(a * b for a in 1..90000, b in 1..90000) > 0"),
        "R0525",
        48,
    ),
    "a loop without end": (
        "a.rules",
        changed("    spend(p)\n", "    spend(p)\n    repeat:\n        nothing\n"),
        "R0418",
        33,
    ),
    "a rule that comes back to itself": (
        "a.rules",
        changed("            nothing\n", "            spend(p)\n"),
        "R0240",
        34,
    ),
    "an enum of twenty thousand values": (
        "a.rules",
        f"{TINY}\n{_enum(20_000)}",
        "R0224",
        TINY.count("\n") + 2,
    ),
    "an enum of a hundred thousand values": ("a.rules", f"{_enum(100_000)}\n{TINY}", "R0128", 251),
    "an enum of as many on one line": (
        "a.rules",
        TINY + "\n" + _enum(100_000).replace(":\n", ": ").replace("\n", ", ") + "last\n",
        "R0127",
        TINY.count("\n") + 2,
    ),
    "a citation past the end of its source": ("a.rules", changed("@rb(6)", "@rb(6..10)"), "R0220", 42),
    "a citation of nothing": ("a.rules", changed("@rb(6)", "@rx(6)"), "R0221", 42),
    "a name that is code": (
        "a.rules",
        changed("spend n: coin", "__import__('os').system('touch x') n: coin"),
        "R0119",
        36,
    ),
    "a phrase that is code": ("a.rules", changed("{n}", "{__import__('os').system('touch x')}"), "R0416", 36),
    "a number of five thousand digits": ("a.rules", changed("coin = 3", "coin = " + "9" * 5_000), "R0106", 6),
    "a name of a million letters": ("a.rules", "x" * 900_000, "R0135", 1),
    "nothing at all": ("a.rules", "", "R0216", 1),
    "prose alone": ("a.rules.md", "# Tiny\n", "R0216", 1),
    "a character that is none": ("a.rules", changed("game tiny", "game \0"), "R0105", 1),
    "six hundred levels": ("a.rules", "\n".join(" " * 4 * i + "if true:" for i in range(600)), "R0135", 1),
    "two hundred mistakes above as many thousand headings": (
        "a.rules.md",
        f"```rules\n{TINY}rule zz:\n"
        + "".join(f"    u{i} := 1\n" for i in range(250))
        + "```\n"
        + "# x\n" * 200_000,
        "R0201",
        TINY.count("\n") + 3,
    ),
    "a module elsewhere": ("a.rules", 'use "../../etc/passwd"\n' + TINY, "R0006", 1),
    "a module that is not there": ("a.rules", 'use "nope"\n' + TINY, "R0001", 1),
}
HEAVY = (
    "two hundred mistakes above as many thousand headings",
    "five megabytes",
    "ten thousand brackets",
    "a number of a billion values",
    "an enum of a hundred thousand values",
)


@pytest.fixture(params=BAD, ids=lambda name: name.replace(" ", "-"))
def bad(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str, int]:
    """A file, the code of the first finding in it, and the line of that."""
    return _written(tmp_path, str(request.param))


def _written(folder: Path, name: str) -> tuple[Path, str, int]:
    file, content, code, line = BAD[name]
    (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / file, code, line


def test_check_says_what_and_where(cli: Cli, bad: tuple[Path, str, int]) -> None:
    path, code, line = bad
    before = path.read_bytes()

    said = cli("check", path)

    assert said.status == ExitCode.PROBLEMS
    assert f"error[{code}]" in said.out.splitlines()[0]
    assert re.search(rf"--> {re.escape(str(path))}:{line}:\d+$", said.out, re.MULTILINE)
    assert max(map(len, said.out.splitlines())) < 700
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", [["test"], ["readings"], ["compile", "--players", "2"]])
@pytest.mark.parametrize(
    "name", ["a loop without end", "an option of a billion values", "a phrase that is code"]
)
def test_other_commands_say_the_same(cli: Cli, tmp_path: Path, command: list[str], name: str) -> None:
    path, code, line = _written(tmp_path, name)

    said = cli(command[0], path, *command[1:])

    if command == ["readings"] and code.startswith("R05"):
        assert said.status == ExitCode.FINE  # found only when it is compiled
    else:
        assert said.status == ExitCode.PROBLEMS
        assert f"error[{code}]" in said.out + said.err
        assert f"{path}:{line}:" in said.out + said.err


@pytest.mark.parametrize("name", HEAVY)
def test_time_and_memory_are_bounded(tmp_path: Path, name: str) -> None:
    path, code, _ = _written(tmp_path, name)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    done = subprocess.run(
        [RULESPEC, "check", path],
        env={"RULESPEC_CACHE": "off"},
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (ExitCode.PROBLEMS, "")
    assert f"error[{code}]" in done.stdout


def test_a_file_that_is_not_there_has_a_place(cli: Cli, tmp_path: Path) -> None:
    said = cli("check", tmp_path / "none.rules")

    assert said.status == ExitCode.PROBLEMS
    assert f"--> {tmp_path / 'none.rules'}:1:1" in said.out


def test_names_that_are_python_keywords_are_names(cli: Cli, tmp_path: Path) -> None:
    text = TINY
    for name, keyword in [
        ("purse", "lambda"),
        ("spend", "class"),
        ("opener", "import"),
        ("eldest", "None"),
        ("share", "exec"),
    ]:
        text = re.sub(rf"\b{name}\b", keyword, text)
    path = write(tmp_path / "keywords.rules", text)

    assert cli("check", path).status == ExitCode.FINE
    assert cli("test", path).status == ExitCode.FINE
    compile(cli("compile", path, "--players", "3").out, "generated", "exec")


def test_text_that_would_be_code_stays_text(cli: Cli, tmp_path: Path) -> None:
    title = "Tiny\\\" + open('x', 'w').name + \\\"\\\"\\\""
    path = write(
        tmp_path / "quotes.rules",
        TINY.replace('"A turn"', f'"{title}"').replace('"spends {n}"', f'"{title} {{n}}"'),
    )

    assert cli("check", path).status == ExitCode.FINE
    shown = cli("compile", path, "--players", "2")
    assert shown.status == ExitCode.FINE
    names: dict[str, object] = {}
    exec(compile(shown.out, "generated", "exec"), names)  # noqa: S102  what an engine does with it
    assert not (Path.cwd() / "x").exists()
    assert "START" in names


def test_steering_characters_never_reach_the_terminal(cli: Cli, tmp_path: Path) -> None:
    path = write(tmp_path / "red.rules", 'use "\x1b[31mred"\n' + TINY)

    said = cli("check", path)

    assert said.status == ExitCode.PROBLEMS
    assert "\x1b" not in said.out + said.err


JSON = [
    ("check", ()),
    ("readings", ()),
    ("test", ()),
    ("run", ()),
    ("simulate", ()),
    ("mutate", ()),
    ("verify", ()),
    ("verify", ("--explain", "thrift")),
    ("verify", ("--locked",)),
]


@pytest.mark.parametrize(("command", "args"), JSON, ids=[" ".join((c, *args)) for c, args in JSON])
def test_programs_get_json_of_a_broken_rulebook_too(
    command: str, args: tuple[str, ...], cli: Cli, tmp_path: Path
) -> None:
    path = write(tmp_path / "wrong.rules", changed("score 1 to p", "score 1 to q"))
    said = cli(command, path, "--json", *args)

    assert said.status == ExitCode.PROBLEMS
    assert type(said.json) in (list, dict)
    assert "`q`" in said.out + said.err
