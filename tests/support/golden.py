"""Golden texts: what was printed once, was read by a person, and is to stay."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Golden:
    """Compares a text with the file that keeps it; with `pytest --refresh` writes the file instead."""

    refresh: bool

    def check(self, path: Path, text: str) -> None:
        """Assert that `path` holds exactly `text`.

        Raises:
            AssertionError: the file is missing or differs.
        """
        if self.refresh:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"no golden text {path.name}: pytest --refresh writes it, then read it"
        assert text == path.read_text(encoding="utf-8"), f"{path.name} differs: --refresh keeps the new text"
