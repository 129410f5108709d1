"""`rulespec play`, typed through from beginning to end."""

from __future__ import annotations

import io
import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rulespec.compiler.core.tree import Core
from rulespec.engine.game import Game
from rulespec.engine.python.stepper import PythonEngine
from rulespec.engine.state import State
from rulespec.play import storing
from rulespec.play.opponents import GreedyOpponent, RandomOpponent
from rulespec.play.screen import Screen
from rulespec.play.session import Ending, Seating, Session

RULESPEC = Path(sys.executable).with_name("rulespec")
# Two people: the first lays a card, the second does, twice; then each buys.
TWO = "\n".join(["", "1", "", "1", "", "1", "", "1", "", "keep", "", "keep", ""])


def test_two_people_play_to_the_end(duel: str, rulespec: Typing) -> None:
    said = rulespec("play", duel, "--players", 2, "--humans", 2, "--seed", 1, typed=TWO)

    assert said.status == 0, said.out + said.err
    assert said.out.count("hand the keyboard to") == 6
    assert "the game is over" in said.out
    assert re.search(r"\n p\d wins|\np\d wins|win together", said.out)
