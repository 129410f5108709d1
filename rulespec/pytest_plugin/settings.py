"""What the command line and the configuration of pytest say."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from rulespec.proofs.verdicts import Limits

UNKNOWN = ("fail", "xfail")


@dataclass(frozen=True)
class Settings:
    """`locked`: nothing is proved; `seconds`: for the claims of one configuration; `strict`: what is not
    proved fails; `unknown`: one of `UNKNOWN`."""

    locked: bool
    seconds: float
    strict: bool
    unknown: str

    @property
    def limits(self) -> Limits:
        usual = Limits()
        share = usual.proof / usual.total
        return replace(usual, total=self.seconds, proof=self.seconds * share, scope_seconds=self.seconds)


def read(config: pytest.Config) -> Settings:
    """The settings of this run.

    Raises:
        pytest.UsageError: one of them is not as it can be.
    """
    unknown = str(config.getini("rulespec_unknown"))
    if unknown not in UNKNOWN:
        raise pytest.UsageError(f"rulespec_unknown is `{unknown}`, and can be `fail` or `xfail`")
    return Settings(
        locked=bool(_given(config, "rulespec_locked")),
        seconds=_seconds(_given(config, "rulespec_time")),
        strict=bool(_given(config, "rulespec_strict")),
        unknown=unknown,
    )


def _given(config: pytest.Config, name: str) -> object:
    on_the_command_line = config.getoption(name)
    return config.getini(name) if on_the_command_line is None else on_the_command_line


def _seconds(given: object) -> float:
    try:
        seconds = float(str(given))
    except ValueError:
        seconds = 0.0
    if not 1 <= seconds <= 1_000_000:
        raise pytest.UsageError(f"rulespec_time is `{given}`, and has to be a number of seconds from 1 on")
    return seconds
