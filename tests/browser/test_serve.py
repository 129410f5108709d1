"""`rulespec docs serve` with a page open: edits are seen, errors told until mended, and Ctrl-C ends it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, expect
from small_site import book
from visits import Visit, visiting

SECONDS = 60


def written(prose: str) -> str:
    """The text of a small rulebook that says so."""
    return book("coins", "Coins", prose)


@contextmanager
def served(rulebook: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address at which the command shows a rulebook, and its process, which has a group of its own."""
    command = "from rulespec.cli.main import main; main()"
    run = [
        sys.executable,
        "-u",
        "-c",
        command,
        "docs",
        "serve",
        str(rulebook),
        "--port",
        "0",
        "--no-handbook",
    ]
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            address = re.match(r"(http://\S+)/ shows", process.stdout.readline())
            assert address is not None
            yield address[1], process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def follow(visit: Visit, rulebook: Path) -> None:
    """Edit, break and mend the rulebook, with its page open."""
    tab = visit.go("coins/")
    expect(tab.locator("article")).to_contain_text("One is enough.", timeout=SECONDS * 1000)
    rulebook.write_text(written("Two are better."))
    expect(tab.locator("article")).to_contain_text("Two are better.", timeout=SECONDS * 1000)
    rulebook.write_text(written("No more.").replace("from bank to p.held", "from bank to nobody"))
    told = tab.get_by_role("alert")
    expect(told).to_contain_text("1 error", timeout=SECONDS * 1000)
    expect(told).to_contain_text("nobody")
    expect(told).to_contain_text("coins.rules.md:")
    rulebook.write_text(written("Three are too many."))
    expect(tab.locator("article")).to_contain_text("Three are too many.", timeout=SECONDS * 1000)
    expect(told).to_have_count(0)


def test_the_open_page_follows_the_rulebook_until_it_ends(browser: Browser, tmp_path: Path) -> None:
    rulebook = tmp_path / "coins.rules.md"
    rulebook.write_text(written("One is enough."))
    with served(rulebook) as (address, process):
        for visit in visiting(browser, address, 1280, 900):
            follow(visit, rulebook)
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=SECONDS) == 0
        assert not alive(process.pid)


def alive(group: int) -> bool:
    """Whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
