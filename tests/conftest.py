"""What all tests share."""

from __future__ import annotations

import signal

import pytest
from golden import Golden
from hypothesis import settings

# A machine that does other work too makes any deadline fail now and then.
settings.register_profile("rulespec", deadline=None, print_blob=True)
settings.load_profile("rulespec")


# Whoever starts the tests in the background may have had Ctrl-C ignored, which commands would take over.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--refresh", action="store_true", help="write the golden texts anew")


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Golden:
    """Compares with golden texts: `golden.check(path, text)`."""
    return Golden(refresh=bool(pytestconfig.getoption("--refresh")))
