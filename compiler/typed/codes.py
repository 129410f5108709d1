"""Diagnostic codes of this stage, R02xx to R04xx: names, types and units, rules."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code

TYPED: tuple[Code, ...] = ()
