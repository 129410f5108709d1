"""Findings as SARIF 2.1.0, as code scanning takes it: https://docs.oasis-open.org/sarif/sarif/v2.1.0/"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from rulespec.ci.finding import Finding
from rulespec.ci.kinds import KINDS, Kind, sentence
from rulespec.ci.places import Top
from rulespec.compiler.codes import REGISTRY
from rulespec.compiler.diagnostics import Code
from rulespec.compiler.spans import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
ROOT = "%SRCROOT%"
FINGERPRINT = "rulespecLine/v1"
MOST = 5000  # results; code scanning takes so many of a run


def log(findings: Sequence[Finding], top: Top, *, complete: bool) -> dict[str, Any]:
    """A log with one run. `complete`: every stage was carried out to its end."""
    told = [each for each in findings if each.rule in REGISTRY or each.rule in KINDS][:MOST]
    names = list(dict.fromkeys(each.rule for each in told))
    run = {
        "tool": {
            "driver": {
                "name": "rulespec",
                "semanticVersion": version("rulespec"),
                "rules": [_rule(name) for name in names],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"uri": f"{top.folder.as_uri().rstrip('/')}/"}},
        "invocations": [{"executionSuccessful": complete}],
        "results": _results(told, names, top),
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


# --- rules -------------------------------------------------------------------------------------------------


def _rule(name: str) -> dict[str, Any]:
    if name in KINDS:
        kind = KINDS[name]
        return _described(name, kind.title, kind.what, _help_of_kind(kind))
    code = REGISTRY[name]
    return _described(name, code.title, code.what, _help_of_code(code))


def _described(name: str, title: str, what: str, help: tuple[str, str]) -> dict[str, Any]:
    plain, markdown = help
    return {
        "id": name,
        "name": "".join(word.capitalize() for word in _words(title)),
        "shortDescription": {"text": sentence(title)},
        "fullDescription": {"text": sentence(what)},
        "help": {"text": plain, "markdown": markdown},
        "properties": {"tags": ["rules"], "precision": "very-high"},
    }


def _words(title: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in title).split()


def _help_of_kind(kind: Kind) -> tuple[str, str]:
    text = "\n\n".join(map(sentence, (kind.what, kind.why, kind.advice)))
    return text, text


def _help_of_code(code: Code) -> tuple[str, str]:
    head = [sentence(code.what), sentence(code.why)]
    bad, good = code.example_bad.strip("\n"), code.example_good.strip("\n")
    plain = [*head, "Not so:", bad, "But so:", good]
    markdown = [*head, "Not so:", _fenced(bad), "But so:", _fenced(good)]
    return "\n\n".join(plain), "\n\n".join(markdown)


def _fenced(text: str) -> str:
    return f"```\n{text}\n```"


# --- results -----------------------------------------------------------------------------------------------


def _results(findings: Sequence[Finding], names: Sequence[str], top: Top) -> list[dict[str, Any]]:
    seen: Counter[str] = Counter()
    results = []
    for each in findings:
        mark = _mark(each, top)
        seen[mark] += 1
        result: dict[str, Any] = {
            "ruleId": each.rule,
            "ruleIndex": names.index(each.rule),
            "level": each.level,
            "message": {"text": _text(each)},
            "locations": [{"physicalLocation": _place(each.span, top)}],
            "partialFingerprints": {FINGERPRINT: f"{mark}:{seen[mark]}"},
        }
        if each.related:
            result["relatedLocations"] = [
                {"id": n, "message": {"text": label.text}, "physicalLocation": _place(label.span, top)}
                for n, label in enumerate(each.related, 1)
            ]
        results.append(result)
    return results


def _text(finding: Finding) -> str:
    return "\n".join([sentence(finding.message), *(f"Help: {text}" for text in finding.help)])


def _mark(finding: Finding, top: Top) -> str:
    """The same while the line says the same, wherever in the file it comes to stand."""
    parts = (finding.rule, top.path(finding.span.file), "".join(finding.line.split()))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _place(span: Span, top: Top) -> dict[str, Any]:
    first, column = max(span.line, 1), max(span.column, 1)
    last = max(span.end_line, first)
    end = span.end_column if last > first else max(span.end_column, column + 1)
    region = {"startLine": first, "startColumn": column, "endLine": last, "endColumn": max(end, 1)}
    return {"artifactLocation": {"uri": top.uri(span.file), "uriBaseId": ROOT}, "region": region}
