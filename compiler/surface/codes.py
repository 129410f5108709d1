"""Diagnostic codes of this stage, R01xx: how text is read."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code

SURFACE: tuple[Code, ...] = ()
