"""What is said where a package that an adapter needs is not installed."""

from __future__ import annotations


def needed(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """The same error with advice."""
    advice = f"pip install 'rulespec[{extra}]'"
    return ModuleNotFoundError(f"{error.msg}: it is in the extra `{extra}`: {advice}", name=error.name)
