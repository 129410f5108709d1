"""A proof as files: each question that it rests on as SMT-LIB text, and a page that says what they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulespec.compiler.core.tree import Core
from rulespec.proofs.claims import Claims
from rulespec.proofs.smt.certificate import Certificate, Question, Slice
from rulespec.proofs.smt.wording import Wording

PAGE = "README.md"
LONGEST = 60  # letters of a file's name
FOLDERS = {
    "step": "steps",
    "obligation": "obligations",
    "path": "paths",
    "measure": "measures",
    "never": "never",
    "excluded": "excluded",
    "offer": "offers",
}
MEANINGS = {
    "steps": "a path keeps facts: if those at its beginning hold, and it is taken, those at its end hold",
    "obligations": "what the rules have to meet is met: a range is kept, a choice has a move",
    "paths": "a way that the rules have in their text is not taken from there",
    "measures": "going round a loop makes its measure fall, and not below 0",
    "never": "a place is not reached at all",
    "excluded": "what a `reachable` wants holds nowhere",
    "offers": "two games that look alike to a player do not differ in what they offer",
}
ABOUT = """\
Each `.smt2` file asks one question of a solver for SMT, in the language SMT-LIB 2. **Every answer has to be
`unsat`**: then there are no numbers for which what is known holds and what is claimed fails.

## How to check them

With any solver that knows linear arithmetic over whole numbers, here with z3 and with cvc5:

    find . -name '*.smt2' -exec z3 {} \\; | sort | uniq -c
    find . -name '*.smt2' -exec cvc5 {} \\; | sort | uniq -c

Each of the two prints one line, `NUMBER unsat`.

## What they say together

The numbers are those of one position of the game, named as the rules write them, with the range that each
has. A truth value is 0 or 1, a member of an enum the number of its place from 0 on, and -1 is `none`.
`before(...)` is what a loop's measure was when the loop last began anew. A place is where somebody chooses,
chance decides, a loop begins anew or the game is over.

At each place some facts are claimed. They hold whenever play comes there, because they hold at the end of
every path that leads there if the facts at its beginning do, and the first paths begin with the game's own
first position. What the rules have to meet follows from the facts at the place where a path begins.

KINDS

Not in the files: that the formulas say what the rules do (the translation, which is tested in other ways);
facts that a path does not touch, which hold at its end because they held before; and what is true by its
form alone. That ranges are kept, and that checks hold, is claimed too; other files take it as given from
there on.
"""


@dataclass(frozen=True)
class File:
    """`name` has folders in it; `says` is one line on what the text asks."""

    name: str
    says: str
    text: str


@dataclass(frozen=True)
class Exported:
    """The files of one configuration of a game, for the claims `proved`; `open` are the others, and why."""

    game: str
    label: str
    files: tuple[File, ...]
    proved: tuple[str, ...]
    open: Mapping[str, str]


def export(
    core: Core, claims: Claims, certificate: Certificate, proved: Sequence[str], folder: str
) -> Iterator[File]:
    """A file in `folder` for each question, in a fixed order."""
    wording = Wording(core, claims, certificate)
    slices = {claim: certificate.rests_on([claim]) for claim in proved if certificate.speaks_of(claim)}
    questions = certificate.questions(certificate.rests_on(slices))
    for number, question in enumerate(questions, 1):
        resting = [claim for claim, found in slices.items() if _has_any(found, question)]
        name = f"{folder}/{FOLDERS[question.kind]}/{number:04}-{_slug(_subject(question))}.smt2"
        yield File(name, _says(wording, question), wording.told(question, resting))


def _has_any(found: Slice, question: Question) -> bool:
    return any(found.has(question, goal) for goal in question.goals)


def _subject(question: Question) -> str:
    if question.step is not None:
        return f"{question.source.block} to {question.step.edge.target.block}"
    met = question.goals[0].met
    return met.claim if met is not None and met.claim else question.source.block


def _says(wording: Wording, question: Question) -> str:
    many = f", {len(question.goals)} facts" if len(question.goals) > 1 else ""
    if question.step is not None:
        return f"{wording.about(question)}{many}"
    claims = dict.fromkeys(goal.met.claim for goal in question.goals if goal.met is not None)
    return f"{', '.join(claims) or 'ways that are not taken'}, {wording.place(question.source)}"


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-.")[:LONGEST].strip("-.") or "question"


def page(game: str, parts: Iterable[Exported]) -> str:
    """What the files say, and how anybody can check them."""
    found = list(parts)
    number = str(sum(len(part.files) for part in found))
    kinds = "\n".join(f"- `{folder}`: {text}." for folder, text in MEANINGS.items())
    about = ABOUT.replace("NUMBER", number).replace("KINDS", kinds)
    lines = [f"# What the proofs of {game} rest on", "", about]
    for part in found:
        lines += _part(part)
    return "\n".join(lines)


def _part(part: Exported) -> Iterator[str]:
    yield f"## {part.label}"
    yield ""
    yield f"{len(part.proved)} claims are proved: {'; '.join(sorted(part.proved)) or 'none'}."
    yield ""
    if part.open:
        yield "Not proved, and not in these files:"
        yield ""
        yield from (f"- {claim}: {why or 'not tried'}" for claim, why in sorted(part.open.items()))
        yield ""
    yield "| file | what it says |"
    yield "|---|---|"
    yield from (f"| `{file.name}` | {file.says.replace('|', '/')} |" for file in part.files)
    yield ""
