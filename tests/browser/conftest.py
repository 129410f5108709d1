"""A published site in a real browser: Debian's Chromium, driven by Playwright, on a server of this machine.

Where there is no Chromium these tests are skipped with a word; on CI (`CI` is set) that is a failure.
"""

from __future__ import annotations

import fcntl
import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from visits import Visit, visiting

# The bundled game with everything in it, and one that is small.
GAMES = ("il_principe", "tic_tac_toe")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE = 20_000  # milliseconds, on a machine that is busy with other things
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None and os.environ.get("CI"):
        pytest.fail("there is no Chromium, and on CI the site has to be tried in one")
    if found is None:
        pytest.skip("there is no Chromium on this machine: the site was not tried in a browser")
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser that runs without a window."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield made
        made.close()


@pytest.fixture(scope="session")
def site_folder(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of `GAMES`, made by the command itself, once for all processes of a test run."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    out = place / "published"
    with open(place / "publishing", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            _publish(out)
    return out


def _publish(out: Path) -> None:
    command = "from rulespec.cli.main import main; main()"
    run = [sys.executable, "-c", command, "docs", "build", *GAMES, "--out", str(out)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing is written to the terminal."""


@pytest.fixture(scope="session")
def site(site_folder: Path) -> Iterator[str]:
    """The site's address, without a slash at the end."""
    handler = functools.partial(_Quiet, directory=str(site_folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def desk(browser: Browser, site: str) -> Iterator[Visit]:
    """A wide window, light."""
    yield from visiting(browser, site, 1280, 900)


@pytest.fixture
def dark(browser: Browser, site: str) -> Iterator[Visit]:
    """A wide window of somebody who likes it dark."""
    yield from visiting(browser, site, 1280, 900, dark=True)


@pytest.fixture
def phone(browser: Browser, site: str) -> Iterator[Visit]:
    """As wide as a phone."""
    yield from visiting(browser, site, 390, 844)


@pytest.fixture
def touch(browser: Browser, site: str) -> Iterator[Visit]:
    """A phone, with fingers."""
    yield from visiting(browser, site, 390, 844, touch=True)


@pytest.fixture
def seeking(browser: Browser, site: str) -> Iterator[Visit]:
    """A wide window in which something is sought."""
    yield from visiting(browser, site, 1280, 900, search=True)


@pytest.fixture
def seeking_phone(browser: Browser, site: str) -> Iterator[Visit]:
    """A phone on which something is sought."""
    yield from visiting(browser, site, 390, 844, search=True)
