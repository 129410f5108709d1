"""What a page weighs with all that it asks for: as web servers send it, compressed."""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.parse import urlparse

import pytest
from playwright.sync_api import Request
from visits import Visit

FRONT_PAGE = 500_000
ANY_PAGE = 800_000


def weight(visit: Visit, folder: Path, path: str) -> int:
    """Bytes for one who comes for the first time, search included."""
    asked: list[Request] = []
    visit.tab.on("request", lambda request: asked.append(request))
    visit.go(path).wait_for_load_state("networkidle")
    files = {folder / urlparse(each.url).path.lstrip("/") for each in asked}
    assert any(file.name == "search_index.json" for file in files)
    whole = (file / "index.html" if file.is_dir() else file for file in files)
    return sum(len(gzip.compress(file.read_bytes())) for file in whole)


@pytest.mark.parametrize(("path", "most"), [("", FRONT_PAGE), ("il_principe/", ANY_PAGE)])
def test_it_is_light(desk: Visit, site_folder: Path, path: str, most: int) -> None:
    assert weight(desk, site_folder, path) < most
