"""The exit statuses of every command."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's exit status tells the program that called it."""

    FINE = 0
    PROBLEMS = 1
    USAGE = 2
    FAULT = 3
    INTERRUPTED = 130
    BROKEN_PIPE = 141


MEANINGS: dict[ExitCode, str] = {
    ExitCode.FINE: "all is well",
    ExitCode.PROBLEMS: "problems were found and are listed",
    ExitCode.USAGE: "the command was not understood",
    ExitCode.FAULT: "internal fault: an error in rulespec itself",
    ExitCode.INTERRUPTED: "interrupted with Ctrl-C",
    ExitCode.BROKEN_PIPE: "the reader of the output went away",
}
