"""Diagnostic codes of this stage, R02xx to R04xx and R06xx: names, types and units, rules, examples."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code
from rulespec.compiler.typed.codes_asides import ASIDES
from rulespec.compiler.typed.codes_examples import EXAMPLES
from rulespec.compiler.typed.codes_names import NAMES
from rulespec.compiler.typed.codes_rules import RULES
from rulespec.compiler.typed.codes_types import TYPES

TYPED: tuple[Code, ...] = (*NAMES, *ASIDES, *TYPES, *RULES, *EXAMPLES)
