"""Serves a site from this machine alone, and tells the pages that are open in a browser when to load anew."""

from __future__ import annotations

import html
import http.server
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

HOST = "127.0.0.1"
WAIT = 20.0  # seconds that a page is left waiting for news
NEWS = "/.rulespec/news"
_RELOADS = """<script>(async () => {
  for (;;) {
    const got = await fetch("%s?known=%d").then((answer) => answer.text()).catch(() => "");
    if (got === "") await new Promise((next) => setTimeout(next, 1000));
    else if (got !== "%d") return location.reload();
  }
})();</script>"""
_SAID = """<div role="%s" style="position:relative;z-index:9;margin:0;padding:1rem;background:#fff;
color:#111;border-bottom:.4rem solid %s;font:1rem/1.4 sans-serif"><strong>%s</strong>%s</div>"""
_TOLD = """<pre style="white-space:pre-wrap;margin:.5rem 0 0;font:.85rem/1.4 monospace">%s</pre>"""


class State:
    """What is served: `site` is None until there is one. `said` is shown on each page while there is
    something to say: a note of one line, or a problem with what is told of it below.
    """

    def __init__(self) -> None:
        self.site: Path | None = None
        self.said = ""
        self.version = 1
        self._news = threading.Condition()

    def change(self, site: Path | None, said: str) -> None:
        """Show another site, or say something else, and let all pages load anew."""
        with self._news:
            self.site, self.said = site, said
            self.version += 1
            self._news.notify_all()

    def wait(self, known: int) -> int:
        """The version, as soon as it is not the one that is known, or after a while."""
        until = time.monotonic() + WAIT
        with self._news:
            while self.version == known and (left := until - time.monotonic()) > 0:
                self._news.wait(left)
            return self.version


@contextmanager
def serving(state: State, port: int) -> Iterator[str]:
    """The address at which a site is served as long as the `with` block runs; `port` 0 takes a free one.

    Raises:
        OSError: the port is in use, or may not be used.
    """

    class Bound(_Handler):
        served = state

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        allow_reuse_address = True

    server = Server((HOST, port), Bound)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class _Handler(http.server.SimpleHTTPRequestHandler):
    served: State

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments, directory="/nowhere")  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self._answer(self.wfile.write)

    def do_HEAD(self) -> None:
        self._answer(lambda _: 0)

    def log_message(self, *_: object) -> None:
        """The terminal is for what is made, not for what is read."""

    def _answer(self, write: Callable[[bytes], int]) -> None:
        if not self._is_ours():
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        address = urllib.parse.urlsplit(self.path)
        if address.path == NEWS:
            known = urllib.parse.parse_qs(address.query).get("known", ["0"])[0]
            version = self.served.wait(int(known) if known.isdecimal() else 0)
            self._send(write, HTTPStatus.OK, "text/plain", str(version).encode())
            return
        file, status = self._file(urllib.parse.unquote(address.path))
        if file is not None and file.is_dir():
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", address.path + "/")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif file is None or file.suffix == ".html":
            self._send(write, status, "text/html; charset=utf-8", self._page(file))
        else:
            self._send(write, status, self.guess_type(str(file)), file.read_bytes())

    def _is_ours(self) -> bool:
        """Whether the browser means this machine: a name of another site that leads here is not answered."""
        host = self.headers.get("Host", "").rpartition(":")[0]
        return host in (HOST, "localhost")

    def _file(self, path: str) -> tuple[Path | None, HTTPStatus]:
        site = self.served.site
        if site is None:
            return None, HTTPStatus.OK
        file = (site / path.lstrip("/")).resolve()
        if path.endswith("/"):
            file /= "index.html"
        if file.is_relative_to(site.resolve()) and file.exists():
            return file, HTTPStatus.OK
        return site / "404.html", HTTPStatus.NOT_FOUND

    def _page(self, file: Path | None) -> bytes:
        """A page with what has to be said above it, and what loads it anew."""
        version = self.served.version
        reloads = _RELOADS % (NEWS, version, version)
        said = _above(self.served.said)
        if file is None:
            waiting = said or "<p>The site is being made.</p>"
            return f"<!doctype html><html lang=en><title>Rules</title>{waiting}{reloads}</html>".encode()
        text = file.read_text(encoding="utf-8")
        head, body, content = text.partition("<body")
        opened, end, content = content.partition(">")
        return f"{head}{body}{opened}{end}{said}{content}{reloads}".encode()

    def _send(self, write: Callable[[bytes], int], status: HTTPStatus, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        write(data)


def _above(said: str) -> str:
    first, _, rest = said.partition("\n")
    told = _TOLD % html.escape(rest.strip("\n")) if rest else ""
    kind, color = ("alert", "#b3261e") if rest else ("status", "#8a6d00")
    return _SAID % (kind, color, html.escape(first), told) if said else ""
