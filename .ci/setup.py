"""Makes `.venv` hold what requirements.lock names, and this repository as an editable install.

`make setup` runs it with any Python from 3.11 on; it needs the standard library alone. One setup runs at a
time: another waits for it, and then finds its work done.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
LOCK = ROOT / "requirements.lock"
# Each is written last, so a half-built environment is never taken for a whole one.
LOCKED = ENVIRONMENT / ".locked"
READY = ENVIRONMENT / ".ready"
# There while packages are copied. pip can take a half-copied package for a whole one, so if a setup was
# interrupted, the next begins with an empty environment; pip's cache has what was downloaded.
INSTALLING = ENVIRONMENT / ".installing"


def main() -> None:
    """Bring the environment up to date, doing only what is not yet done."""
    asked_for = hashlib.sha256(LOCK.read_bytes()).hexdigest()
    with one_at_a_time():
        if not LOCKED.exists() or LOCKED.read_text() != asked_for or not PYTHON.exists():
            install_packages()
            LOCKED.write_text(asked_for)
        pip("--no-build-isolation", "--no-deps", "--no-index", "--editable", str(ROOT))
        READY.touch()


def install_packages() -> None:
    """Install what the lock names, every file checked by its hash."""
    if not PYTHON.exists() or INSTALLING.exists():
        print(f"setting up .venv with Python {sys.version.split()[0]}", flush=True)
        venv.create(ENVIRONMENT, clear=True, symlinks=True, with_pip=True)
    INSTALLING.touch()
    print("installing the packages of requirements.lock", flush=True)
    # What is never imported is never compiled: that saves a fifth of the time.
    pip("--require-hashes", "--only-binary", ":all:", "--no-compile", "--requirement", str(LOCK))
    INSTALLING.unlink()


def pip(*arguments: str) -> None:
    """Run `pip install` in the environment; end this process if it fails."""
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    command = [str(PYTHON), "-m", "pip", "install", *quiet, *arguments]
    # setuptools warns of folders named like packages at each editable install; ours are meant to be so.
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    if done.returncode:
        sys.exit(f"pip could not install (exit status {done.returncode}); its message is above")


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the lock of this clone. The system lets go of it when the process ends, however it ends."""
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "setup.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another setup of this clone", flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted: `make setup` takes it up again")
