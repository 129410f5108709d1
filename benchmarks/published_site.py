"""How long a site takes and what its front page weighs: `python benchmarks/published_site.py`.

The site of Il Principe is made by the command itself, from nothing, and again as `docs serve` does it after
edits of its rulebook. Seconds are those on the clock, for which the machine has to be quiet, and those of the
processor. Exit status 1 if a bar is missed.
"""

from __future__ import annotations

import functools
import gzip
import http.server
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlparse

from playwright.sync_api import Browser, sync_playwright

import rulespec
from rulespec.cli.main import app
from rulespec.site import handbook
from rulespec.site.live import Live

GAME = "il_principe"

# What is asked, on two quiet cores.
COLD_SECONDS = 20
REBUILD_SECONDS = 3
FRONT_BYTES = 500_000
PAINT_SECONDS = 1.0


@dataclass(frozen=True)
class Line:
    """Something measured; `most` is its bar."""

    what: str
    value: float
    unit: str
    most: float | None = None

    @property
    def missed(self) -> bool:
        return self.most is not None and self.value > self.most


def command(*words: str) -> list[str]:
    """The command as somebody calls it, in this Python."""
    return [sys.executable, "-c", "from rulespec.cli.main import main; main()", *words]


def cold(out: Path) -> Iterator[Line]:
    """Make the site in the folder `out`, with nothing kept from before."""
    before, begun = _processor(), time.monotonic()
    run = command("docs", "build", GAME, "--out", str(out))
    unknown = os.environ | {"RULESPEC_CACHE": str(out.parent / "cache")}
    subprocess.run(run, check=True, env=unknown, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    yield Line("site from nothing, on the clock", time.monotonic() - begun, "s", COLD_SECONDS)
    yield Line("site from nothing, of the processor", _processor() - before, "s")


EDITS = {
    "prose": ("Two to five people", "From two to five people"),
    "a rule": ("pay price from p.purse to bank", "pay  price from p.purse to bank"),
    "prose once more": ("From two to five people", "Between two and five people"),
}


def rebuilt(folder: Path) -> Iterator[Line]:
    """Follow a copy of the rulebook, as `docs serve` does, and edit it: when its page is there, and when all
    is.
    """
    shutil.copytree(Path(rulespec.__file__).parent / "games" / GAME, folder / GAME)
    rulebook = next((folder / GAME).glob("*.rules.md"))
    live = Live([str(rulebook)], "Rules", handbook.pages(app), folder)
    live.update(live.changed())
    for what, (before, after) in EDITS.items():
        text = rulebook.read_text(encoding="utf-8")
        assert before in text
        rulebook.write_text(text.replace(before, after), encoding="utf-8")
        seen: list[float] = []
        begun, worked = time.monotonic(), time.process_time()
        live.shown = lambda _, seen=seen: seen.append(time.monotonic())
        live.update(live.changed())
        yield Line(f"after an edit of {what}, on the clock", seen[0] - begun, "s", REBUILD_SECONDS)
        yield Line("  all of it, on the clock", time.monotonic() - begun, "s")
        yield Line("  all of it, of the processor", time.process_time() - worked, "s")


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """The folder's address, and the paths that were asked for so far."""
    asked: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_request(self, *_: object) -> None:
            asked.append(self.path)

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


def page(browser: Browser, folder: Path, path: str, name: str) -> Iterator[Line]:
    """What a page and all that it asks for weigh, and when it is first seen (the middle one of five)."""
    with served(folder) as (site, asked):
        paints = sorted(_first_paint(browser, f"{site}/{path}") for _ in range(5))
    files = [_file(folder, each) for each in sorted(set(asked))]
    most = FRONT_BYTES if path == "" else None
    packed = sum(len(gzip.compress(file.read_bytes())) for file in files)
    yield Line(f"{name}, as web servers send it", packed, "bytes", most)
    yield Line(f"{name}, not compressed", sum(file.stat().st_size for file in files), "bytes")
    yield Line(f"{name}, first seen", paints[2], "s", PAINT_SECONDS)


def _first_paint(browser: Browser, address: str) -> float:
    with browser.new_context() as context:
        tab = context.new_page()
        tab.goto(address, wait_until="networkidle")
        painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        return float(tab.evaluate(painted)) / 1000


def _file(folder: Path, asked: str) -> Path:
    file = folder / urlparse(asked).path.lstrip("/")
    return file / "index.html" if file.is_dir() else file


def measure() -> Iterator[Line]:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        out = Path(place) / "site"
        yield from cold(out)
        yield from rebuilt(Path(place) / "followed")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield from page(browser, out, "", "front page")
        yield from page(browser, out, f"{GAME}/", "rulebook")
        browser.close()


def main() -> int:
    missed = False
    for line in measure():
        bar = "" if line.most is None else f"   at most {line.most:,} {'MISSED' if line.missed else ''}"
        value = f"{line.value:,.2f}" if line.unit == "s" else f"{line.value:,.0f}"
        print(f"{line.what:44} {value:>12} {line.unit}{bar}", flush=True)
        missed = missed or line.missed
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
