"""Rulebooks as tests of pytest: each example, claim and check is an item. `docs/how-to/ci.md` is its page.

pytest imports this in every project of whoever has rulespec installed, so nothing else of rulespec is
imported before a rulebook is met.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ENDINGS = (".rules.md", ".rules")  # those of `library`, which is not imported here

MARKERS = {
    "rulespec": "an item of a rulebook, made by rulespec",
    "rulespec_check": "spelling, names, types and limits of a rulebook",
    "rulespec_format": "the layout of a rulebook",
    "rulespec_example": "an example of a rulebook",
    "rulespec_property": "a claim about a game, for one number of players or one small game",
    "rulespec_conformance": "what every game must do, and that both engines play it alike",
}

LOCKED = "prove nothing: a claim that `rulespec.lock` does not vouch for fails"
TIME = "seconds of one processor in which the claims of one configuration are tried that the lock lacks"
STRICT = "a claim that is only sampled, or looked at up to some length, fails; so does a warning"
UNKNOWN = "what becomes of a claim that cannot be decided: `fail`, or `xfail`"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rulespec", "rulebooks (rulespec)")
    group.addoption("--rulespec-locked", action="store_true", default=None, help=LOCKED)
    group.addoption("--rulespec-time", metavar="SECONDS", type=float, help=TIME)
    group.addoption("--rulespec-strict", action="store_true", default=None, help=STRICT)
    parser.addini("rulespec_locked", LOCKED, type="bool", default=False)
    parser.addini("rulespec_time", f"{TIME}; 60", default="60")
    parser.addini("rulespec_strict", STRICT, type="bool", default=False)
    parser.addini("rulespec_unknown", f"{UNKNOWN}; `fail`", default="fail")


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not file_path.name.endswith(ENDINGS):
        return None
    from rulespec.pytest_plugin.collecting import rulebook

    return rulebook(file_path, parent)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    told: dict[str, int] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "rulespec_verdict" and getattr(report, "when", "") == "call":
                    told[value.split()[0]] = told.get(value.split()[0], 0) + 1
    if told:
        terminalreporter.section("rulespec", sep="-")
        terminalreporter.line("claims: " + ", ".join(f"{number:,} {word}" for word, number in told.items()))
