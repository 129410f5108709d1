"""How wide a text is at most, without a browser: in em, of the wider of the usual fonts (DejaVu Sans)."""

from __future__ import annotations

import unicodedata

_WIDTHS = {
    0.30: "'ijlIJ",
    0.36: " ,.·/:;\\|f-‐",
    0.42: "()[]t!r",
    0.50: '"*_`',
    0.56: "sz?cL",
    0.60: "Fkvxy",
    0.64: "PTYaoeESbdghnpqu$0123456789{}",
    0.70: "KAVBRXZC",
    0.79: "UHNDGO&Q",
    0.86: "w#+<=>^~M",
    1.00: "%mW@",
}
_KNOWN = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHER = 0.80  # any letter that is not listed
_WIDE = 1.05  # full-width letters and pictures
_BOLD = 1.12
MONO = 0.61


def width(text: str, size: float, *, bold: bool = False, mono: bool = False) -> float:
    """The room that a line takes, in the unit of the font's size."""
    if mono:
        return size * sum(_WIDE * 1.2 if _is_wide(c) else MONO for c in text)
    em = sum(_WIDE if _is_wide(c) else _KNOWN.get(c, _OTHER) for c in text)
    return size * em * (_BOLD if bold else 1)


def wrapped(text: str, room: float, size: float, *, bold: bool = False, mono: bool = False) -> list[str]:
    """Lines that fit; a word that is longer than a line is cut."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold=bold, mono=mono) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _cut(word, room, size, bold=bold, mono=mono)
        lines += full
    return [*lines, line] if line else lines


def _cut(word: str, room: float, size: float, *, bold: bool, mono: bool) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and width(pieces[-1] + letter, size, bold=bold, mono=mono) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def _is_wide(letter: str) -> bool:
    return letter > "\u1100" and unicodedata.east_asian_width(letter) in "WF"
