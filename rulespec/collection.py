"""When Python looks for circles of objects that nothing else holds: rarely where trees are made, as they have
none.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# Objects made before the youngest are looked at, and rounds of that before the older ones are.
SELDOM = (100_000, 50, 100)


@contextmanager
def no_collection() -> Iterator[None]:
    """Nothing is collected, neither meanwhile nor later, when the first look would be at all that was made
    meanwhile.

    Where trees are read or made, looking for circles takes an eighth of the time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was:
            gc.enable()


def collect_seldom() -> None:
    """From now on in this process. A proof makes millions of terms and takes a tenth less time with it."""
    gc.set_threshold(*SELDOM)
