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
            label = value.type() if of_dict and type(value) is Tensor else kind if of_dict else repr(value.dtype)
            size = "x".join(str(n) for n in value.shape)
            lines.append(f"  ({key}): {kind} containing: [{label} of size {size}{place}]")
        else:
            lines.append(f"  ({key}): Object of type: {type(value).__name__}")
    return "\n".join(lines)


class _Held(Module):
    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UsageError(f"{type(self).__name__} should not be called.")


class ParameterList(_Held):
    """Hold parameters in a list, so that they belong to the module that holds it; tensors become parameters.

    Args:
        values: the parameters, tensors or other values that it begins with.

    >>> torch.nn.ParameterList([torch.zeros(2), torch.zeros(3, 2)])
    ParameterList(
        (0): Parameter containing: [lamina.float32 of size 2]
        (1): Parameter containing: [lamina.float32 of size 3x2]
    )
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
        """Add a value at the end.

        Args:
            value: a parameter, a tensor, which becomes a parameter, or any other value.

        Returns:
            The list itself.

        >>> len(torch.nn.ParameterList().append(torch.zeros(2)))
        1
        """
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Add values at the end.

        Args:
            values: parameters, tensors or other values.

        Returns:
            The list itself.

        Raises:
            ArgumentTypeError: values is not iterable, or is a tensor.

        >>> len(torch.nn.ParameterList().extend([torch.zeros(2), torch.zeros(3)]))
        2
        """
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise ArgumentTypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return _shown(enumerate(self), False)


class ParameterDict(_Held):
    """Hold parameters by name, so that they belong to the module that holds the dict; tensors become parameters.

    Args:
        parameters: a mapping from names to values, or pairs of both.

    >>> torch.nn.ParameterDict({"scale": torch.ones(2)})
    ParameterDict(  (scale): Parameter containing: [Parameter of size 2])
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
        """Return another dict of the same parameters.

        Returns:
            The new dict.

        >>> params = torch.nn.ParameterDict({"scale": torch.ones(2)})
        >>> params.copy()["scale"] is params["scale"]
        True
        """
        return ParameterDict(list(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the value at a name, which is set first if it is missing.

        Args:
            key: the name.
            default: the value to set.

        Returns:
            The value at the name.

        >>> torch.nn.ParameterDict().setdefault("scale", torch.ones(2)).detach()
        tensor([1., 1.])
        """
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Remove all values.

        >>> params = torch.nn.ParameterDict({"scale": torch.ones(2)})
        >>> params.clear()
        >>> len(params)
        0
        """
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Remove a value.

        Args:
            key: its name.

        Returns:
            The value.

        Raises:
            KeyError: there is no such name.

        >>> torch.nn.ParameterDict({"scale": torch.ones(2)}).pop("scale").detach()
        tensor([1., 1.])
        """
        result = self[key]
        del self[key]
        return result

    def popitem(self) -> tuple[str, Any]:
        """Remove the value that was added last.

        Returns:
            A pair of its name and it.

        >>> name, value = torch.nn.ParameterDict({"scale": torch.ones(2)}).popitem()
        >>> name
        'scale'
        """
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value at a name, or a default.

        Args:
            key: the name.
            default: what is returned where it is missing.

        Returns:
            The value, or the default.

        >>> torch.nn.ParameterDict().get("scale", 1.0)
        1.0
        """
        return self[key] if key in self._keys else default

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """Make a new dict with one value at all names.

        Args:
            keys: the names.
            default: the value.

        Returns:
            The new dict.

        >>> list(torch.nn.ParameterDict().fromkeys(["a", "b"], 1.0).items())
        [('a', 1.0), ('b', 1.0)]
        """
        return ParameterDict([(key, default) for key in keys])

    def keys(self) -> Any:
        """Return the names.

        Returns:
            A view of them.

        >>> list(torch.nn.ParameterDict({"scale": torch.ones(2)}).keys())
        ['scale']
        """
        return self._keys.keys()

    def values(self) -> Iterable[Any]:
        """Return the values.

        Returns:
            A list of them.

        >>> [value.shape for value in torch.nn.ParameterDict({"scale": torch.ones(2)}).values()]
        [lamina.Size([2])]
        """
        return [self[key] for key in self._keys]

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return pairs of name and value.

        Returns:
            A list of them.

        >>> [(name, value.shape) for name, value in torch.nn.ParameterDict({"scale": torch.ones(2)}).items()]
        [('scale', lamina.Size([2]))]
        """
        return [(key, self[key]) for key in self._keys]

    def update(self, parameters: Any) -> None:
        """Add or replace values; those of a plain dict in the order of their names.

        Args:
            parameters: a mapping from names to values, or pairs of both.

        Raises:
            ArgumentTypeError: parameters, or one of the pairs, is not iterable.
            ArgumentValueError: one of the pairs has another length than 2.

        >>> params = torch.nn.ParameterDict()
        >>> params.update([("b", torch.ones(2)), ("a", torch.ones(2))])
        >>> list(params)
        ['b', 'a']
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
            entry = tuple(pair)
            if len(entry) != 2:
                raise ArgumentValueError(f"ParameterDict update sequence element #{place} has length {len(entry)}; 2 is required")
            self[entry[0]] = entry[1]

    def __or__(self, other: ParameterDict) -> ParameterDict:
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other: ParameterDict) -> ParameterDict:
        result = other.copy()
        result.update(self)
        return result

    def __ior__(self, other: ParameterDict) -> Self:
        self.update(other)
        return self

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return _shown(self.items(), True)
