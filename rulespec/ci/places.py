"""Where files are for those who look at the whole repository: paths from its top."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote


@dataclass(frozen=True)
class Top:
    """The top of a repository, and the folder from which files are named here."""

    folder: Path
    here: Path

    def path(self, file: str) -> str:
        """A file's path from the top, with `/`; outside, as it was named."""
        whole = Path(os.path.normpath(self.here / file))
        if whole.is_relative_to(self.folder):
            return whole.relative_to(self.folder).as_posix()
        return whole.as_posix()

    def uri(self, file: str) -> str:
        """The same as a reference in a URI."""
        return quote(self.path(file), safe="/~")


def top(environment: Mapping[str, str]) -> Top:
    """The workspace of a GitHub job that holds this folder, else the repository's top, else this folder."""
    here = Path.cwd()
    workspace = environment.get("GITHUB_WORKSPACE", "")
    if workspace and here.is_relative_to(os.path.realpath(workspace)):
        return Top(Path(os.path.realpath(workspace)), here)
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            return Top(folder, here)
    return Top(here, here)
