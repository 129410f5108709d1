"""`dataclass(frozen=True, slots=True)` at a fifth of its price: the trees have nearly three hundred classes.

The standard library writes and compiles seven methods for each such class, which takes longer than reading a
rulebook. Here they share all but `__init__`. That nothing assigns to a field is left to the type checker, for
which this is the standard `dataclass`; so `__init__` is fast too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """As in the standard library; only `frozen=True, slots=True` is done here."""
        make = _value if options == _OURS else dataclasses.dataclass(**options)
        return make if cls is None else make(cls)

    _OURS = {"frozen": True, "slots": True}

    def _value(cls):
        if cls.__doc__ is None:
            cls.__doc__ = cls.__name__  # the standard library works out the signature for it
        made = dataclasses.dataclass(slots=True, eq=False, repr=False)(cls)
        content = getter(f.name for f in dataclasses.fields(made) if f.compare)

        def __eq__(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return content(self) == content(other)

        def __hash__(self):
            return hash(content(self))

        for method in (__eq__, __hash__, __repr__):
            if method.__name__ not in cls.__dict__:
                setattr(made, method.__name__, method)
        return made

    def __repr__(self):
        fields = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
        return f"{self.__class__.__qualname__}({', '.join(fields)})"


def getter(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives these fields of a value."""
    match tuple(names):
        case ():
            return lambda _: ()
        case (only,):
            alone = attrgetter(only)
            return lambda value: (alone(value),)
        case several:
            return attrgetter(*several)
