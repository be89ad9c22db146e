"""NamedResult: a tuple whose parts can also be reached by name.

As `typing.NamedTuple`, which compiles a constructor for each class as it is defined; here all classes share one.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

__all__ = ["NamedResult", "field"]

Part = TypeVar("Part", covariant=True)


class NamedResult(tuple[Part, ...]):
    """Several results of one function, by index and by name.

    Args:
        parts: the results in the order of the class's fields, or one sequence of them.

    Raises:
        TypeError: they are more or fewer than the class has fields.

    >>> result = nd.cummax(nd.asarray([1.0, 3.0, 2.0]))
    >>> values, indices = result
    >>> result.indices is indices
    True
    """

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()
    __match_args__ = ()

    def __new__(cls, *parts: Any) -> Self:
        if len(parts) == 1:
            (parts,) = parts
        if len(parts) != len(cls._fields):
            raise TypeError(f"{cls.__name__} takes {len(cls._fields)} parts ({', '.join(cls._fields)}); {len(parts)} given")
        return tuple.__new__(cls, parts)

    if TYPE_CHECKING:

        @classmethod
        def _make(cls, parts: Iterable[Any]) -> Self: ...
    else:
        _make = classmethod(tuple.__new__)  # as named tuples have it: without a frame, and without a look at their number

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def _asdict(self) -> dict[str, Part]:
        """The parts by the names of their fields."""
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, **parts: Any) -> Self:
        """A result with other parts in the fields of these names."""
        return type(self)(*(self._asdict() | parts).values())

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={part!r}" for name, part in self._asdict().items())
        return f"{type(self).__name__}({parts})"


def field(index: int) -> Any:
    """The part at an index, as an attribute of results."""
    return property(itemgetter(index))
