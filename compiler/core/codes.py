"""Diagnostic codes of this stage, R05xx and R06xx: components, configurations, limits, examples."""

from __future__ import annotations

from rulespec.compiler.diagnostics import Code

CORE: tuple[Code, ...] = ()
