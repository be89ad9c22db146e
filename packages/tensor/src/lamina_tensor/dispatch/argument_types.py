"""Which types of arguments a function takes, read from its annotations, and how its errors are told: under its own name.

Types are compared as PyTorch's argument parser does, which takes no bool for an int, and no NumPy array for a tensor. A quick test of
classes goes first (in `torch_function` and its compiled twin); this file has the last word on what does not pass it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from inspect import Parameter, signature
from types import NoneType
from typing import Any, Final, NamedTuple

import numpy as np

import lamina_ndarray
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, DType, LaminaError, OutOfMemoryError
from lamina_flatarray.ops import OPS
from lamina_flatarray.random.generator import Generator

from ..devices.memory_formats import layout, memory_format
from ..tensor_fields import AnyTensor

__all__ = ["PUBLIC_NAMES", "ArgumentTypes"]

_TENSOR: Final = 1
_OF_NUMPY: Final = (np.generic, np.ndarray)
_CLASSES: Final[dict[type, int]] = {
    NoneType: 2, bool: 4, int: 8, float: 16, complex: 32, str: 64, tuple: 128, list: 128
}  # fmt: skip
"""Built-in classes -> their flags in a mask. Those of tensors have the flag _TENSOR; all other classes have none."""


class ArgumentType(NamedTuple):
    """One alternative of an annotation.

    Attributes:
        words: what it is called in an error.
        mask: flags of the classes that are of this type whatever the value is.
        takes: whether another value is of this type.
        items: whether an item of such a sequence is of the right type; None where it is no sequence.
    """

    words: str
    mask: int
    takes: Callable[[Any], bool]
    items: Callable[[Any], bool] | None = None


def is_tensor(x: Any) -> bool:
    """Whether it is a tensor, also one of a derived class."""
    return isinstance(x, AnyTensor)


def is_scalar(x: Any) -> bool:
    """Whether it is no array, or a tensor without dims."""
    return x.array.layout.shape == () if isinstance(x, AnyTensor) else not isinstance(x, np.ndarray)


def is_integer(x: Any) -> bool:
    """Whether it is an integer, of Python's, NumPy's or in a tensor or array without dims, but no bool."""
    if isinstance(x, np.ndarray):
        return x.ndim == 0 and x.dtype.kind in "iu"
    return hasattr(type(x), "__index__") and is_scalar(x) and not isinstance(x, bool)


def is_real(x: Any) -> bool:
    """Whether it can be converted to a float: a number or array scalar, or a tensor without dims."""
    return hasattr(type(x), "__float__") and is_scalar(x)


def is_number(x: Any) -> bool:
    """Whether it is a real or complex number, or a tensor without dims."""
    return is_real(x) or isinstance(x, (complex, np.complexfloating))


def is_sequence(x: Any) -> bool:
    """Whether it is a tuple, a list or a range."""
    return isinstance(x, (tuple, list, range))


def never(_: Any) -> bool:
    """False for every value: the test of types that the class alone decides."""
    return False


TYPES: Final = {
    "Tensor": ArgumentType("Tensor", _TENSOR, is_tensor),
    "None": ArgumentType("None", _CLASSES[NoneType], never),
    "bool": ArgumentType("bool", _CLASSES[bool], lambda x: isinstance(x, np.bool_)),
    "int": ArgumentType("int", _CLASSES[int], is_integer),
    "float": ArgumentType("float", _CLASSES[float] | _CLASSES[int] | _CLASSES[bool], is_real),
    "Number": ArgumentType("Number", _CLASSES[float] | _CLASSES[int] | _CLASSES[bool] | _CLASSES[complex], is_number),
    "str": ArgumentType("str", _CLASSES[str], lambda x: isinstance(x, str)),
    "Sequence[int]": ArgumentType("tuple of ints", _CLASSES[tuple], is_sequence, is_integer),
    "Sequence[Tensor]": ArgumentType("tuple of Tensors", _CLASSES[tuple], is_sequence, is_tensor),
    "Sequence[float]": ArgumentType("tuple of floats", _CLASSES[tuple], is_sequence, is_real),
    "Sequence[bool]": ArgumentType("tuple of bools", _CLASSES[tuple], is_sequence, lambda x: isinstance(x, (bool, np.bool_))),
    "DType": ArgumentType("dtype", 0, lambda x: isinstance(x, DType) or (isinstance(x, type) and x in (bool, int, float, complex))),
    "Generator": ArgumentType("Generator", 0, lambda x: isinstance(x, Generator)),
    "Layout": ArgumentType("layout", 0, lambda x: isinstance(x, layout)),
    "MemoryFormat": ArgumentType("memory_format", 0, lambda x: isinstance(x, memory_format)),
    "Callable": ArgumentType("callable", 0, callable),
    "indices": ArgumentType("tuple of Tensors", _CLASSES[tuple], is_sequence, lambda x: x is None or is_tensor(x)),
}
ALIASES: Final = {
    "Dims": "int | Sequence[int] | None", "Numbers": "int | Sequence[int]", "Pair": "Sequence[Tensor]",
    "Triple": "Sequence[Tensor]", "Quadruple": "Sequence[Tensor]", "tuple[Tensor, Tensor]": "Sequence[Tensor]",
    "Sequence[Tensor | None]": "indices",
}  # fmt: skip
"""Names of annotations -> what they stand for."""

_OPTIONS: Final = {"pin_memory", "requires_grad"}
"""Flags that PyTorch takes None for."""
PUBLIC_NAMES: Final = {"getitem", "setitem"}
"""What errors of functions inside of others begin with, beside the names of ops and of functions of arrays."""
_PREFIX: Final = re.compile(r"([A-Za-z_]\w*(?:\.\w+)*)(\(\))?: ")
_TOO_MANY: Final = re.compile(r"array is too big|Maximum allowed (dimension|size) exceeded")
"""NumPy's words for more items than memory has addresses."""
_FUNCTION: Final = re.compile(r"Callable\[(?:\[[^\]]*\]|\.\.\.), \w+\]")
_CALL: Final = re.compile(r"[\w.]+\(\) (?=got |missing |takes )")


def flag_of(value: Any) -> int:
    """The flag of a value's class in a mask; 0 for those that have none."""
    return _TENSOR if isinstance(value, AnyTensor) else _CLASSES.get(type(value), 0)


def alternatives(annotation: Any) -> list[ArgumentType] | None:
    """The types of an annotation; None where one of them is not in the table, and nothing can be said."""
    names = _FUNCTION.sub("Callable", ALIASES.get(annotation, str(annotation))).split(" | ")
    names = [name for written in names for name in ALIASES.get(written, written).split(" | ")]
    return [TYPES[name] for name in names] if TYPES.keys() >= set(names) else None


class ArgumentTypes:
    """What one function takes.

    Args:
        function: as it is written.
        calls_back: whether it runs functions of its caller's, whose errors are their own.
        left_out: parameters with the default None that may be left out, but are not taken as None.

    Attributes:
        function: its name.
        masks: flags of the classes that each parameter takes whatever the value is, for those taken by position; 0 where nothing
            is known.
        by_keyword: the same for all parameters, by name.
    """

    __slots__ = ("_alternatives", "_calls_back", "_positional", "_rest", "by_keyword", "function", "masks")

    def __init__(self, function: Callable[..., Any], calls_back: bool, left_out: Sequence[str]) -> None:
        self.function = function.__name__
        named = [x for x in signature(function).parameters.values() if x.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)]
        self._alternatives = {x.name: alternatives("Tensor" if x.name == "self" else x.annotation) for x in named}
        rest = [x for x in signature(function).parameters.values() if x.kind is Parameter.VAR_POSITIONAL]
        self._rest = [(x.name, kinds) for x in rest if (kinds := alternatives(x.annotation)) is not None]
        for name in left_out:
            self._alternatives[name] = [kind for kind in self._alternatives[name] or () if kind.words != "None"]
        for name in _OPTIONS & self._alternatives.keys():
            self._alternatives[name] = [TYPES["bool"], TYPES["None"]]
        self._positional = tuple([x.name for x in named if x.kind is not Parameter.KEYWORD_ONLY])
        self.by_keyword = {name: _mask(kinds) for name, kinds in self._alternatives.items()}
        self.masks = tuple([self.by_keyword[name] for name in self._positional])
        self._calls_back = calls_back

    def _given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[str, list[ArgumentType], Any]]:
        for name, value in (*zip(self._positional, args, strict=False), *kwargs.items()):
            kinds = self._alternatives.get(name)
            if kinds is not None:
                yield name, kinds, value

    def check(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | None:
        """Refuse an argument of another type.

        Returns:
            Whether all arguments of these classes are taken, whatever their values are. None where scalars of NumPy are among them, in
            whose place the body wants `numbers`.

        Raises:
            ArgumentTypeError: there is one.
        """
        by_class, scalars = True, False
        for name, kinds, value in self._given(args, kwargs):
            mask = self.by_keyword[name]
            if mask and not mask & flag_of(value):
                by_class = False
                if not any(kind.takes(value) for kind in kinds):
                    raise self._mismatch(name, kinds, value)
                scalars = scalars or isinstance(value, _OF_NUMPY)
        return None if scalars else by_class

    def numbers(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with Python's numbers in the place of NumPy's scalars, where the function wants a number."""

        def number(name: str, value: Any) -> Any:
            return value.item() if isinstance(value, _OF_NUMPY) and self.by_keyword.get(name) else value

        named = self._positional[: len(args)]
        plain = (*map(number, named, args), *args[len(named) :])
        return plain, {name: number(name, value) for name, value in kwargs.items()}

    def explain(self, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Have an error of the body name this function, not one that its body calls.

        Raises:
            ArgumentTypeError: an argument, or an item of a sequence, is of a type that the function does not take.
            ArgumentValueError: a number does not fit into 64 bits.
            OutOfMemoryError: there is no memory for so many items.
        """
        further = [(name, kinds, value) for name, kinds in self._rest for value in args[len(self._positional) :]]
        for name, kinds, value in (*self._given(args, kwargs), *further):
            if self._calls_back and TYPES["Callable"] not in kinds:
                continue
            flag = flag_of(value)
            fitting = [kind for kind in kinds if kind.mask & flag or kind.takes(value)]
            if not fitting:
                raise self._mismatch(name, kinds, value) from None
            refused = [[i for i, item in enumerate(value) if not kind.items(item)] if kind.items else [] for kind in fitting]
            wrong = min(refused, key=len)
            if wrong:
                raise ArgumentTypeError(
                    f"{self.function}(): argument {name!r} must be {fitting[refused.index(wrong)].words}, but found element of type "
                    f"{type(value[wrong[0]]).__name__} at pos {wrong[0]}"
                ) from None
        if self._calls_back:
            return
        too_many = isinstance(error, MemoryError) or (isinstance(error, ValueError) and _TOO_MANY.match(str(error)))
        if too_many and not isinstance(error, LaminaError):
            raise OutOfMemoryError(f"{self.function}: out of memory: {str(error) or 'there is not enough'}") from error
        numbers = not all(isinstance(value, AnyTensor) for value in (*args, *kwargs.values()))
        if isinstance(error, OverflowError) and not isinstance(error, LaminaError) and numbers:
            raise ArgumentValueError(f"{self.function}: a number is too large for what it stands for: {error.args[-1]}") from error
        text = error.args[0] if error.args else None
        if not isinstance(text, str):
            return
        if isinstance(error, LaminaError):
            prefix = _PREFIX.match(text)
            if prefix is None and self.function not in text:
                error.args = (f"{self.function}: {text}", *error.args[1:])
            elif prefix is not None and prefix[1].rpartition(".")[2] != self.function:
                inner = not prefix[2] and (prefix[1] in OPS or hasattr(lamina_ndarray, prefix[1]) or prefix[1] in PUBLIC_NAMES)
                rest = text[prefix.end() :] if inner else text  # what another function says of its arguments keeps its name
                error.args = (f"{self.function}: {rest}", *error.args[1:])
        elif isinstance(error, TypeError):
            text = _CALL.sub(f"{self.function}() ", text, count=1)
            error.args = (text if self.function in text else f"{self.function}(): {text}", *error.args[1:])

    def _mismatch(self, name: str, kinds: list[ArgumentType], value: Any) -> ArgumentTypeError:
        words = " or ".join(kind.words for kind in kinds if kind.words != "None")
        mend = "; from_numpy makes a tensor of it" if isinstance(value, np.ndarray) and "Tensor" in words else ""
        return ArgumentTypeError(f"{self.function}(): argument {name!r} must be {words}, not {type(value).__name__}{mend}")


def _mask(kinds: list[ArgumentType] | None) -> int:
    if kinds is None or any(kind.mask == 0 for kind in kinds):
        return 0
    mask = 0
    for kind in kinds:
        mask |= kind.mask
    return mask
