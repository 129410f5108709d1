"""Z3's fixed-point engine Spacer, run by `fixedpoint` as a script in a process of its own.

It may hang where no limit is looked at, and crash: neither is to harm a verifier. Takes one line of JSON and
gives one. It ends as soon as whoever started it closes its input or ends itself.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import z3

WHOLE = {f"xform.{name}": False for name in ("inline_eager", "inline_linear", "slice")}  # keep all relations
ALWAYS = -1  # the level of what holds however far one goes


def main() -> None:
    """Decide whether the one thing that is asked for can be reached."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started this
    output = os.dup(1)
    os.dup2(2, 1)  # Z3 writes there of its own accord
    request = json.loads(sys.stdin.readline())
    _limit(request["seconds"], request["megabytes"])
    threading.Thread(target=_end_with_input, daemon=True).start()
    z3.set_param("rlimit", request["steps"])
    try:
        answer = _decided(request)
    except z3.Z3Exception as error:
        answer = {"status": f"an error: {error}", "holds": {}}
    with os.fdopen(output, "w") as answered:
        answered.write(json.dumps(answer) + "\n")
    os._exit(0)


def _decided(request: dict[str, Any]) -> dict[str, Any]:
    engine = z3.Fixedpoint()
    engine.set(engine="spacer", ctrl_c=False, **WHOLE, **request["options"])
    (asked,) = engine.parse_string(request["text"])
    try:
        status = str(engine.query(asked))
    except z3.Z3Exception as error:
        status = f"unknown: {error}"
    holds = {}
    if status != "sat":
        for name, size in request["relations"].items():
            holds[name] = sorted(set(_lemmas(engine, name, size, status)))
    return {"status": status, "holds": holds}


def _lemmas(engine: z3.Fixedpoint, name: str, size: int, status: str) -> Iterator[str]:
    """What holds whenever the relation does; where nothing was settled, what held for some steps too."""
    relation = z3.Function(name, *[z3.IntSort()] * size, z3.BoolSort())
    places = [z3.Int(f"a{number}") for number in range(size)]
    levels = [ALWAYS] if status == "unsat" else [ALWAYS, *range(1, engine.get_num_levels(relation) + 1)]
    for level in levels:
        yield z3.substitute_vars(engine.get_cover_delta(level, relation), *places).sexpr()


def _limit(seconds: int, megabytes: int) -> None:
    """Let the system end this process, whatever it is in."""
    import resource

    for what, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, megabytes * 1_000_000),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        if hard == resource.RLIM_INFINITY or most <= hard:
            resource.setrlimit(what, (most, hard))


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    main()
