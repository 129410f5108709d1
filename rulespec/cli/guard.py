"""What stands between a command and the person: exit statuses, and no traceback, ever."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from rulespec.cli.exit_code import ExitCode


@contextmanager
def working_on(subject: str) -> Iterator[None]:
    """Name what is being worked on, so that an internal fault inside can say it.

    The name goes into the exception's notes; code below the command line, which cannot import
    this, says the same with `error.add_note("lowering rule `x`")` and a bare `raise`.
    """
    try:
        yield
    except Exception as error:
        error.add_note(subject)
        raise


def run(app: click.Command, args: Sequence[str]) -> int:
    """Run the command line and return its exit status, whatever happens.

    A command returns an `ExitCode`, or None for `ExitCode.FINE`.
    """
    _print_anything()
    try:
        status = _invoke(app, list(args))
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _silence_output()
        return ExitCode.BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        click.echo("\ninterrupted", err=True)
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001  the one place where every fault ends
        if _is_of_rules(error):
            click.echo(f"Error: the rules fail: {error}", err=True)
            return ExitCode.PROBLEMS
        click.echo(describe_fault(error), err=True)
        return ExitCode.FAULT


def _is_of_rules(error: Exception) -> bool:
    """Whether rules that are well written ask for something impossible in play, as at its very start."""
    from rulespec.engine.faults import Fault

    return isinstance(error, Fault)


def _invoke(app: click.Command, args: list[str]) -> int:
    # Not `app.main`: it turns Ctrl-C and broken pipes into statuses of its own.
    try:
        with app.make_context("rulespec", args) as ctx:
            status = app.invoke(ctx)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        error.show()
        return ExitCode.USAGE
    except click.ClickException as error:
        error.show()
        return ExitCode.PROBLEMS
    return ExitCode.FINE if status is None else ExitCode(status)


def describe_fault(error: Exception) -> str:
    """Say that rulespec itself is wrong, what it was working on, and where to look."""
    lines = ["internal fault: this is an error in rulespec, not in your rules"]
    lines += [f"  while {note}" for note in reversed(getattr(error, "__notes__", []))]
    lines.append(f"  {_summary(error)}")
    if os.environ.get("RULESPEC_DEBUG") == "1":
        lines += ["", *traceback.format_exception(error)]
    else:
        lines.append("please report it with the output of the same command under RULESPEC_DEBUG=1")
    return "\n".join(lines).rstrip()


def _summary(error: Exception) -> str:
    what = " ".join(f"{type(error).__name__}: {error}".split())
    places = [
        f"{module}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if (module := str(frame.f_globals.get("__name__"))).startswith("rulespec.")
    ]
    return f"{what[:300]} (in {places[-1]})" if places else what[:300]


def _print_anything() -> None:
    # A terminal that lacks a character shows a `?`: no reason to stop.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _silence_output() -> None:
    # The interpreter flushes once more at its end, which must not fail again.
    if isinstance(sys.stdout, io.TextIOWrapper):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
