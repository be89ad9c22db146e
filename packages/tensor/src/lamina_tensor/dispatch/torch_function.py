"""How a function of tensors is called: NumPy's keywords, derived classes, autocast, strict mode and types of arguments come
before its body.

A public function is a plain `def` under `@torch_function`. While no mode is on and no argument is of a class that has a say in
functions, a call goes straight to its body.
https://docs.pytorch.org/docs/stable/notes/extending.html#extending-torch-with-a-tensor-like-type
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, Final, TypeVar, overload

from lamina_flatarray.modes import AUTOCAST, FUNCTION_MODES, INSIDE, INTERCEPTING, NO_OVERRIDES, STRICT, switched, word
from lamina_flatarray.twins import compiled

from ..precision.casts import POLICIES, uncast
from ..tensor_fields import TensorFields
from .argument_types import PUBLIC_NAMES, ArgumentTypes
from .function_modes import ask
from .hidden_bases import owned

__all__ = ["SPELLINGS", "disabled_torch_function", "overrides", "overriding_classes", "torch_function"]

F = TypeVar("F", bound=Callable[..., Any])

SPELLINGS: Final = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""NumPy's name of an argument -> PyTorch's, which takes both."""

_SEQUENCES: Final = frozenset((tuple, list))
_HOLD_RESULTS: Final = (TensorFields, tuple, list)
overriding_classes: Final[list[type]] = []
"""The classes of tensors that have a say in what functions make of them, as they are defined."""


def disabled_torch_function(func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """As a class's `__torch_function__`: its tensors are taken for plain ones, as a Parameter is."""
    return func(*args, **(kwargs or {}))


def overrides(kind: type) -> bool:
    """Whether a class of tensors has a say in what functions make of them."""
    return kind in overriding_classes


@overload
def torch_function(function: F, /) -> F: ...
@overload
def torch_function(
    *, autocast: str | None = None, strict: bool = False, op: Any = None, tensors: int = 0, calls_back: bool = False,
    left_out: Sequence[str] = (),
) -> Callable[[F], F]: ...  # fmt: skip
def torch_function(
    function: Any = None, /, *, autocast: str | None = None, strict: bool = False, op: Any = None, tensors: int = 0,
    calls_back: bool = False, left_out: Sequence[str] = (),
) -> Any:  # fmt: skip
    """Decorate a public function of tensors.

    Args:
        function: the function, with PyTorch's parameters.
        autocast: what its operands are cast to under autocast: a key of `POLICIES`; None for what they come in.
        strict: whether strict mode looks at the function's operands; else what it does with them is its own affair.
        op: the op that the function is, if it is one of `dispatch.elementwise`: a compiled dispatcher answers plain calls.
        tensors: how many of the op's leading operands may not be numbers.
        calls_back: whether it runs functions of its caller's, such as hooks, whose errors are not to name this one.
        left_out: parameters with the default None that may be left out, but are not taken as None.

    Returns:
        A function of the same name, signature and docstring.
    """
    if function is None:
        return lambda function: torch_function_of(function, autocast, strict, op, tensors, calls_back, left_out)
    return torch_function_of(function, autocast, strict, op, tensors, calls_back, left_out)


def torch_function_of(
    function: F, autocast: str | None, strict: bool, op: Any, tensors: int, calls_back: bool, left_out: Sequence[str]
) -> F:
    """The function behind the tests of modes and arguments; see `torch_function`."""
    policy = CallPolicy(function, autocast, strict, calls_back, left_out)
    PUBLIC_NAMES.add(function.__name__)
    if compiled is not None:
        arity = 0 if op is None else op.inputs
        return compiled.torch_function(function, op, policy, overriding_classes, arity, tensors, not calls_back)  # type: ignore[no-any-return]
    taken: set[tuple[Any, ...]] = set()  # classes of arguments that are taken whatever the values are

    @wraps(function)
    def public(*args: Any, **kwargs: Any) -> Any:
        if word.get() & INTERCEPTING:
            return policy.intercept(public, args, kwargs)
        classes = (*map(type, args), *kwargs, *map(type, kwargs.values())) if kwargs else (*map(type, args),)
        if classes not in taken:
            renamed = kwargs and not policy.spellings.keys().isdisjoint(kwargs)
            if renamed or (overriding_classes and overriding_kinds((*args, *kwargs.values()))):
                return policy.intercept(public, args, kwargs)
            by_class = policy.types.check(args, kwargs)
            if by_class is None:
                args, kwargs = policy.types.numbers(args, kwargs)
            elif by_class:
                taken.add(classes)
        elif overriding_classes and not _SEQUENCES.isdisjoint(classes) and overriding_kinds((*args, *kwargs.values())):
            return policy.intercept(public, args, kwargs)
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            policy.types.explain(error, args, kwargs)
            raise
        if isinstance(result, TensorFields):
            base, first = result.base, args[0] if args else None
            if base is None or base is first or (isinstance(first, TensorFields) and base is first.base):
                return result
        return owned(result, (*args, *kwargs.values())) if isinstance(result, _HOLD_RESULTS) else result

    return public  # type: ignore[return-value]


class CallPolicy:
    """What is asked about a call of one public function before its body runs; worked out when it is first called.

    Args:
        function: as it is written.
        autocast, strict, calls_back, left_out: as in `torch_function`.
    """

    __slots__ = ("_autocast", "_calls_back", "_left_out", "_spellings", "_strict", "_types", "function")

    def __init__(
        self, function: Callable[..., Any], autocast: str | None, strict: bool, calls_back: bool, left_out: Sequence[str]
    ) -> None:
        self.function = function
        self._autocast, self._strict, self._calls_back, self._left_out = autocast, strict, calls_back, left_out
        self._types: ArgumentTypes | None = None
        self._spellings: dict[str, str] | None = None

    @property
    def types(self) -> ArgumentTypes:
        """The types of its arguments."""
        if self._types is None:
            self._types = ArgumentTypes(self.function, self._calls_back, self._left_out)
        return self._types

    @property
    def spellings(self) -> dict[str, str]:
        """NumPy's names of its arguments -> PyTorch's."""
        if self._spellings is None:
            names = self.types.by_keyword
            self._spellings = {ours: torch for ours, torch in SPELLINGS.items() if torch in names and ours not in names}
        return self._spellings

    def intercept(self, public: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The call while a mode is on, under NumPy's keywords, or of tensors of a class that overrides functions.

        Args:
            public: the public function, which such a class is asked about.
            args, kwargs: the arguments.

        Returns:
            What the body, or the first such class, answers.

        Raises:
            TypeError: no such class answers, or an argument is of a type that the function does not take.
        """
        spellings, flags = self.spellings, word.get()
        if not spellings.keys().isdisjoint(kwargs):
            kwargs = respelled(self.function.__name__, kwargs, spellings)
        if flags & FUNCTION_MODES:
            return ask(public, tuple(overriding_kinds((*args, *kwargs.values()))), args, kwargs)
        if overriding_classes and not flags & NO_OVERRIDES:
            kinds = overriding_kinds((*args, *kwargs.values()))
            for kind in kinds:
                result = kind.__torch_function__(public, tuple(kinds), args, kwargs)
                if result is not NotImplemented:
                    return result
            if kinds:
                names = ", ".join(kind.__name__ for kind in kinds)
                raise TypeError(f"no implementation of {self.function.__name__!r} by __torch_function__ of: {names}")
        if flags & AUTOCAST and self._autocast is not None and kwargs.get("out") is None:
            cast = POLICIES[self._autocast]
            args, kwargs = cast(*args), dict(zip(kwargs, cast(*kwargs.values()), strict=True))
            with uncast():
                return self.checked(args, kwargs)
        if flags & STRICT and not self._strict and not flags & INSIDE:
            with switched(INSIDE, True):
                return self.checked(args, kwargs)
        return self.checked(args, kwargs)

    def checked(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the body answers to arguments of the right types, among which scalars of NumPy are numbers.

        Args:
            args, kwargs: the arguments.

        Returns:
            The body's result.

        Raises:
            TypeError: an argument is of a type that the function does not take.
        """
        if self.types.check(args, kwargs) is None:
            args, kwargs = self.types.numbers(args, kwargs)
        try:
            result = self.function(*args, **kwargs)
        except Exception as error:
            self.types.explain(error, args, kwargs)
            raise
        return owned(result, (*args, *kwargs.values()))


def respelled(name: str, kwargs: dict[str, Any], spellings: dict[str, str]) -> dict[str, Any]:
    """Keyword arguments under PyTorch's names.

    Raises:
        TypeError: one is given under both names.
    """
    renamed: dict[str, Any] = {}
    for spelling, value in kwargs.items():
        torch = spellings.get(spelling, spelling)
        if torch in renamed or (torch != spelling and torch in kwargs):
            raise TypeError(f"{name}() got multiple values for argument {torch!r}")
        renamed[torch] = value
    return renamed


def overriding_kinds(args: Iterable[Any]) -> list[Any]:
    """The overriding classes among arguments, in lists and tuples of them, and in lists and tuples of these (deeper ones may be endless),
    a derived one before what it is derived from."""
    kinds: list[type] = []
    for x in args:
        for part in x if isinstance(x, (list, tuple)) else (x,):
            for tensor in part if isinstance(part, (list, tuple)) else (part,):
                if type(tensor) in overriding_classes:
                    kinds.append(type(tensor))
    return sorted(dict.fromkeys(kinds), key=lambda kind: -len(kind.__mro__)) if kinds else kinds
