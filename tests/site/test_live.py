"""A site that follows its rulebook: what is made anew after which edit, and what a browser is told."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_site import book, write

from rulespec import api
from rulespec.site import links, rendering
from rulespec.site.live import OF_BEFORE, Live, Overtaken
from rulespec.site.page import Page
from rulespec.site.server import NEWS, State, serving


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("live")


@pytest.fixture(scope="module")
def live(folder: Path) -> Live:
    """The site of a small game as it is first made."""
    write(folder, book())
    made = Live([str(folder / "small")], "Games", (Page("about.md", "About", "# About\n"),), folder / "work")
    made.folder.mkdir()
    made.update(made.changed())
    return made


def edit(live: Live, folder: Path, text: str) -> None:
    write(folder, text)
    file = folder / "small" / "small.rules.md"
    os.utime(file, ns=(time.time_ns(), file.stat().st_mtime_ns + 10_000_000))
    assert live.changed() == list(live.games)


def written(live: Live) -> dict[str, int]:
    return {
        file.relative_to(live.site).as_posix(): file.stat().st_mtime_ns for file in live.site.rglob("*.html")
    }


def page(live: Live, path: str = "small/index.html") -> str:
    return (live.site / path).read_text(encoding="utf-8")


def test_after_prose_the_rulebook_alone_is_made_anew(live: Live, folder: Path) -> None:
    before, site = written(live), live.site
    entries = len(json.loads((site / "search" / "search_index.json").read_text())["docs"])
    edit(live, folder, book(prose="The coins are old."))
    live.update(live.changed())
    changed = {path for path, when in written(live).items() if before[path] != when} - {"404.html"}
    assert changed == {"small/index.html"}
    assert "The coins are old." in page(live)
    assert live.site == site
    index = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    assert len(index) == entries
    assert any("The coins are old." in entry["text"] for entry in index)
    assert links.check(live.site) == []
    assert live.changed() == []


def test_after_rules_the_text_comes_first(live: Live, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[bool, bool, str]] = []

    def shown(note: str) -> None:
        components = page(live, "small/components/index.html")
        seen.append(("silver penny" in page(live), "silver penny" in components.lower(), note))

    monkeypatch.setattr(live, "shown", shown)
    edit(live, folder, book().replace('"silver coin"', '"silver penny"'))
    live.update(live.changed())
    assert seen == [(True, False, OF_BEFORE), (True, True, "")]


def test_a_rulebook_with_errors_changes_nothing(live: Live, folder: Path) -> None:
    before = written(live)
    edit(live, folder, book().replace("turn := random_seat()", "turn := random_set()"))
    with pytest.raises(api.RulesError, match="random_set"):
        live.update(live.changed())
    assert written(live) == before
    assert live.changed() == []
    edit(live, folder, book(prose="Good again."))
    live.update(live.changed())
    assert "Good again." in page(live)


def test_an_edit_in_the_middle_is_noticed(live: Live, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(live, folder, book(title="Another title"))
    monkeypatch.setattr(live, "tell", lambda _: edit(live, folder, book(title="A third title")))
    with pytest.raises(Overtaken):
        live.update(live.changed())
    monkeypatch.setattr(live, "tell", lambda _: None)
    live.update(live.changed())
    assert "A third title" in page(live)


def test_the_files_beside_it_are_followed(live: Live, folder: Path) -> None:
    live.update(live.changed())
    key = live.followed[live.games[0]].key
    (folder / "small" / "rulespec.lock").write_text("{}")
    (folder / "small" / "notes.txt").write_text("nothing of ours")
    assert live.changed() == list(live.games)
    live.update(live.changed())
    assert live.followed[live.games[0]].key != key
    (folder / "small" / "rulespec.lock").unlink()
    live.update(live.changed())
    assert live.followed[live.games[0]].key == key


def test_a_page_that_comes_is_in_all_menus(live: Live, folder: Path) -> None:
    variant = 'variant long "More coins":\n    most = 3\nstate:'
    edit(live, folder, book().replace("state:", variant, 1))
    live.update(live.changed())
    assert "../variants/" in page(live, "small/readings/index.html")
    assert links.check(live.site) == []


def test_only_what_mkdocs_has_to_make_is_given_to_it(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "run", lambda *_, **__: pytest.fail("nothing has changed"))
    live.update(live.games)


# --- the server ---------------------------------------------------------------------------------------------


@pytest.fixture
def state(tmp_path: Path) -> State:
    site = tmp_path / "site"
    (site / "a").mkdir(parents=True)
    (site / "index.html").write_text("<html><body class=x><h1>Home</h1></body></html>")
    (site / "a" / "index.html").write_text("<html><body>A</body></html>")
    (site / "404.html").write_text("<html><body>Not here</body></html>")
    (site / "b.css").write_text("b {}")
    (tmp_path / "secret.html").write_text("secret")
    made = State()
    made.change(site, "")
    return made


@pytest.fixture
def address(state: State) -> Iterator[str]:
    with serving(state, 0) as found:
        yield found


def get(address: str, path: str, host: str = "") -> tuple[int, str]:
    port = int(address.rstrip("/").rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


@pytest.mark.parametrize(
    ("path", "status", "text"),
    [
        ("/", 200, "<h1>Home</h1>"),
        ("/a/", 200, "A</body>"),
        ("/b.css", 200, "b {}"),
        ("/gone", 404, "Not here"),
        ("/../secret.html", 404, "Not here"),
        ("/%2e%2e/secret.html", 404, "Not here"),
    ],
)
def test_what_is_served(address: str, path: str, status: int, text: str) -> None:
    found, said = get(address, path)
    assert found == status
    assert text in said
    assert "secret" not in said


def test_another_name_for_this_machine_is_not_answered(address: str) -> None:
    assert get(address, "/", "elsewhere.example:80")[0] == 403


def test_a_page_waits_for_news(state: State, address: str) -> None:
    known = state.version
    threading.Timer(0.3, state.change, (state.site, "")).start()
    start = time.monotonic()
    assert get(address, f"{NEWS}?known={known}") == (200, str(known + 1))
    assert 0.1 < time.monotonic() - start < 15
    assert f"known={known + 1}" in get(address, "/")[1]


def test_a_problem_is_on_each_page_as_text(state: State, address: str) -> None:
    state.change(state.site, "The rulebook has 1 error.\n<script>x</script>")
    said = get(address, "/a/")[1]
    assert re.search(r"<body><div role=.alert.*<strong>The rulebook has 1 error.</strong>", said, re.DOTALL)
    assert "&lt;script&gt;x" in said
    state.change(None, "It never had a site.")
    assert "It never had a site." in get(address, "/a/")[1]


def test_the_command_says_what_is_wrong_with_a_port(tmp_path: Path) -> None:
    file = write(tmp_path, book())
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with run("serve", str(file), "--port", port, "--no-handbook") as process:
            _, said = process.communicate(timeout=120)
    assert f"port {port} cannot be used: address already in use" in said


def test_the_command_ends_at_ctrl_c(tmp_path: Path) -> None:
    file = write(tmp_path, book())
    with run("serve", str(file), "--port", "0", "--no-handbook") as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[0]
            assert any(line.startswith("made in") for line in process.stdout)
            with urllib.request.urlopen(address + "small/", timeout=20) as answer:
                assert "silver coin" in answer.read().decode()
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()


def run(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-u", "-c", "from rulespec.cli.main import main; main()", "docs", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
