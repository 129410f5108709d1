"""The wheel, installed elsewhere, next to folders that are named like ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "rulespec", "compiler", "engine", "proofs", "docs")
TRAP = "raise SystemExit('a folder of the user was imported')\n"


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built without network from a copy of the sources, so that no build folder is left in ours."""
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        source = root / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, copy / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(source, copy / name)
    out = tmp_path_factory.mktemp("wheel")
    _run(*PIP, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", out, copy)
    (built,) = out.glob("*.whl")
    return built


def test_wheel_holds_one_top_level_package(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert {name for name in tops if not name.endswith(".dist-info")} == {"rulespec"}


def test_wheel_holds_every_file_that_is_needed_to_run(
    root: Path, wheel: Path, repository_files: list[Path]
) -> None:
    kinds = (".py", ".lark", ".json", ".rules", ".rules.md", ".template", "py.typed")
    files = [path.relative_to(root) for path in repository_files]
    wanted = {
        path.as_posix() if path.parts[0] == "rulespec" else f"rulespec/{path.as_posix()}"
        for path in files
        if path.parts[0] in SOURCES and path.parts[0] != "docs" and path.name.endswith(kinds)
    }
    handbook = {
        f"rulespec/handbook/{path.relative_to('docs').as_posix()}"
        for path in files
        if path.parts[0] == "docs" and path.suffix == ".md"
    }

    assert (wanted | handbook) - set(zipfile.ZipFile(wheel).namelist()) == set()


def test_installed_command_is_not_shadowed_by_the_users_folders(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    python = tmp_path / "env" / "bin" / "python"
    _run(*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel)
    _lend_dependencies(python)
    desk = tmp_path / "desk"
    for name in ("engine", "compiler", "proofs"):
        (desk / name).mkdir(parents=True)
        (desk / name / "__init__.py").write_text(TRAP)

    said = _run(python.with_name("rulespec"), "version", cwd=desk)
    made = _run(python.with_name("rulespec"), "new", "harbor", "--no-verify", cwd=desk)
    tried = _run(python.with_name("rulespec"), "test", "harbor/harbor.rules.md", cwd=desk)
    tested = _run(python, "-m", "pytest", "-q", "-m", "rulespec_example", cwd=desk / "harbor")
    where = _run(python, "-c", "import rulespec.engine as e; print(e.__file__)", cwd=desk)

    assert said.startswith("rulespec ")
    assert made.startswith("made harbor")
    assert "good, 1 example" in tried
    assert "1 passed" in tested  # the plugin is found by its entry point
    assert (desk / "harbor" / ".github" / "workflows" / "rules.yml").is_file()
    assert Path(where.strip()).is_relative_to(tmp_path / "env")


def _lend_dependencies(python: Path) -> None:
    # A path named in a .pth file has its own .pth files left unread, so our editable install stays out.
    site = _run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (Path(site) / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")


def _run(*command: str | Path, cwd: Path | None = None) -> str:
    done = subprocess.run([*command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
