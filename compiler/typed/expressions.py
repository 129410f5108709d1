"""Typing of expressions, all forms together: imported from here, every form is registered."""

from __future__ import annotations

from rulespec.compiler.typed import access, calls, conditions, folds, literals, operators
from rulespec.compiler.typed.conditions import truth
from rulespec.compiler.typed.folds import domain, generator_of, generators
from rulespec.compiler.typed.inference import coerce, infer, value, wrong

FORMS = (literals, access, calls, conditions, operators, folds)

__all__ = ["FORMS", "coerce", "domain", "generator_of", "generators", "infer", "truth", "value", "wrong"]
