"""Which paragraphs of its sources a rulebook accounts for, and what has changed in them."""

from rulespec.coverage.accounts import Account, Coverage, Covered, SourceCoverage, of

__all__ = ["Account", "Coverage", "Covered", "SourceCoverage", "of"]
