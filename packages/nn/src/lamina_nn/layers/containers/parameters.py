"""Modules that hold parameters, and values of any other kind: in a list, or by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import index as as_index
from typing import Any, NoReturn, Self

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, UsageError
from lamina_tensor import Tensor

from ...module import Module
from ...parameter import Parameter

__all__ = ["ParameterDict", "ParameterList"]


def _as_parameter(value: Any) -> Any:
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _shown(pairs: Iterable[tuple[Any, Any]], of_dict: bool) -> str:
    lines = []
    for key, value in pairs:
        if isinstance(value, Tensor):
            kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
            place = "" if value.device.type == "cpu" else f" ({value.device})"
            what = value.type() if of_dict and type(value) is Tensor else kind if of_dict else repr(value.dtype)
            size = "x".join(str(n) for n in value.shape)
            lines.append(f"  ({key}): {kind} containing: [{what} of size {size}{place}]")
        else:
            lines.append(f"  ({key}): Object of type: {type(value).__name__}")
    return "\n".join(lines)


class _Held(Module):
    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UsageError(f"{type(self).__name__} should not be called.")


class ParameterList(_Held):
    """A list of parameters, which belong to the module that holds it. A tensor that comes in becomes a parameter.

    Args:
        values: what it begins with.
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        self.extend(values or ())

    def _name_at(self, at: Any) -> str:
        place = as_index(at)
        if not -len(self) <= place < len(self):
            raise IndexError(f"index {place} is out of range")
        return str(place % len(self))

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return type(self)([getattr(self, str(i)) for i in range(*at.indices(len(self)))])
        return getattr(self, self._name_at(at))

    def __setitem__(self, at: int, value: Any) -> None:
        setattr(self, self._name_at(at), _as_parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(len(self))])

    def __iadd__(self, values: Iterable[Any]) -> Self:
        return self.extend(values)

    def append(self, value: Any) -> Self:
        """One more at the end."""
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Several more at the end.

        Raises:
            TypeError: what is given cannot be iterated over.
        """
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise ArgumentTypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return _shown(enumerate(self), False)


class ParameterDict(_Held):
    """A dict of parameters, which belong to the module that holds it. A tensor that comes in becomes a parameter.

    Args:
        parameters: a mapping, or pairs of name and value.
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    @staticmethod
    def _attribute(key: Any) -> str:
        if not isinstance(key, str):
            raise ArgumentTypeError(
                f"Index given to ParameterDict cannot be used as a key as it is not a string (type is '{type(key).__name__}')."
            )
        return key

    def __getitem__(self, key: str) -> Any:
        if key not in self._keys:
            raise KeyError(key)
        return getattr(self, self._attribute(key))

    def __setitem__(self, key: str, value: Any) -> None:
        setattr(self, self._attribute(key), _as_parameter(value))
        self._keys[key] = None

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._attribute(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def copy(self) -> ParameterDict:
        """Another dict of the same parameters."""
        return ParameterDict(list(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """What is there by this name; if nothing is, `default`, which then is."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Take all out."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Take one out."""
        found = self[key]
        del self[key]
        return found

    def popitem(self) -> tuple[str, Any]:
        """Take the latest out, with its name."""
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """What is there by this name, or `default`."""
        return self[key] if key in self._keys else default

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A new dict with one value by all these names."""
        return ParameterDict([(key, default) for key in keys])

    def keys(self) -> Any:
        """The names."""
        return self._keys.keys()

    def values(self) -> Iterable[Any]:
        """The parameters."""
        return [self[key] for key in self._keys]

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and parameters."""
        return [(key, self[key]) for key in self._keys]

    def update(self, parameters: Any) -> None:
        """Add or replace parameters: from a mapping, or from pairs of name and value.

        Raises:
            TypeError: it is neither.
            ValueError: one of the pairs is none.
        """
        if not isinstance(parameters, Iterable):
            raise ArgumentTypeError(
                "ParametersDict.update should be called with an iterable of key/value pairs, but got "
                f"{type(parameters).__name__}"
            )
        if isinstance(parameters, Mapping) and not hasattr(parameters, "move_to_end"):
            parameters = sorted(parameters.items())  # as PyTorch orders a plain dict
        elif isinstance(parameters, (Mapping, ParameterDict)):
            parameters = list(parameters.items())
        for place, pair in enumerate(parameters):
            if not isinstance(pair, Iterable):
                raise ArgumentTypeError(f"ParameterDict update sequence element #{place} should be Iterable; is {type(pair).__name__}")
            found = tuple(pair)
            if len(found) != 2:
                raise ArgumentValueError(f"ParameterDict update sequence element #{place} has length {len(found)}; 2 is required")
            self[found[0]] = found[1]

    def __or__(self, other: ParameterDict) -> ParameterDict:
        made = self.copy()
        made.update(other)
        return made

    def __ror__(self, other: ParameterDict) -> ParameterDict:
        made = other.copy()
        made.update(self)
        return made

    def __ior__(self, other: ParameterDict) -> Self:
        self.update(other)
        return self

    def extra_repr(self) -> str:
        return _shown(self.items(), True)
