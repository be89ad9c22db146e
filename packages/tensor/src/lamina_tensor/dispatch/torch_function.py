"""How a function of tensors is called: NumPy's keywords, derived classes, autocast, strict mode and types of arguments come
before its body.

A public function is a plain `def` under `@torch_function`. While no mode is on and no class of tensors has a say in
functions, a call goes straight to its body.
https://docs.pytorch.org/docs/stable/notes/extending.html#extending-torch-with-a-tensor-like-type
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import unwrap
from typing import Any, Final, TypeVar, overload

from lamina_flatarray.modes import AUTOCAST, INSIDE, INTERCEPTING, NO_OVERRIDES, STRICT, switched, word
from lamina_flatarray.twins import compiled

from ..precision.casts import POLICIES, precision
from ..tensor_fields import AnyTensor
from .argument_types import ArgumentTypes

__all__ = ["SPELLINGS", "disabled_torch_function", "overrides", "overriding_classes", "torch_function"]

F = TypeVar("F", bound=Callable[..., Any])

SPELLINGS: Final = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""NumPy's name of an argument -> PyTorch's, which takes both."""

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
    arguments = ArgumentTypes(function, unwrap(function).__code__, calls_back, left_out)
    names, check, explain = arguments.by_keyword, arguments.check, arguments.explain
    spellings = {ours: torch for ours, torch in SPELLINGS.items() if torch in names and ours not in names}
    cast = None if autocast is None else POLICIES[autocast]

    def body(*args: Any, **kwargs: Any) -> Any:
        check(args, kwargs)
        try:
            return function(*args, **kwargs)
        except Exception as error:
            explain(error, args, kwargs)
            raise

    def intercept(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not spellings.keys().isdisjoint(kwargs):
            kwargs = respelled(function.__name__, kwargs, spellings)
        return in_modes(public, body, cast, strict, args, kwargs)

    if compiled is not None:
        arity = 0 if op is None else op.inputs
        public: Any = compiled.torch_function(
            function, op, spellings, intercept, overriding_classes, arity, tensors, arguments.masks, names, check, explain
        )
    else:
        taken: set[tuple[Any, ...]] = set()  # classes of arguments that are taken whatever the values are

        @wraps(function)
        def public(*args: Any, **kwargs: Any) -> Any:
            if overriding_classes or word.get() & INTERCEPTING or (kwargs and not spellings.keys().isdisjoint(kwargs)):
                return intercept(args, kwargs)
            classes = (*map(type, args), *kwargs, *map(type, kwargs.values())) if kwargs else (*map(type, args),)
            if classes not in taken and check(args, kwargs):
                taken.add(classes)
            try:
                return function(*args, **kwargs)
            except Exception as error:
                explain(error, args, kwargs)
                raise

    return public  # type: ignore[no-any-return]


def respelled(name: str, kwargs: dict[str, Any], spellings: dict[str, str]) -> dict[str, Any]:
    """Keyword arguments under PyTorch's names.

    Raises:
        TypeError: one is given under both names.
    """
    renamed: dict[str, Any] = {}
    for given, value in kwargs.items():
        torch = spellings.get(given, given)
        if torch in renamed or (torch != given and torch in kwargs):
            raise TypeError(f"{name}() got multiple values for argument {torch!r}")
        renamed[torch] = value
    return renamed


def in_modes(
    call: Callable[..., Any], function: Callable[..., Any], cast: Callable[..., tuple[Any, ...]] | None, strict: bool,
    args: tuple[Any, ...], kwargs: dict[str, Any],
) -> Any:  # fmt: skip
    """The call while a mode is on, or where there are classes of tensors that override functions.

    Args:
        call: the public function, which such a class is asked about.
        function: its body.
        cast: what casts operands under autocast; None for none.
        strict: as in `torch_function`.
        args, kwargs: the arguments.
    """
    flags = word.get()
    if overriding_classes and not flags & NO_OVERRIDES:
        kinds = overriding_kinds((*args, *kwargs.values()))
        for kind in kinds:
            result = kind.__torch_function__(call, tuple(kinds), args, kwargs)
            if result is not NotImplemented:
                return result
        if kinds:
            names = ", ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"no implementation of {function.__name__!r} by __torch_function__ of: {names}")
    if flags & AUTOCAST and cast is not None and kwargs.get("out") is None:
        args, values = cast(*args), cast(*kwargs.values())
        with precision.off():
            return function(*args, **dict(zip(kwargs, values, strict=True)))
    if flags & STRICT and not strict and not flags & INSIDE:
        with switched(INSIDE, True):
            return function(*args, **kwargs)
    return function(*args, **kwargs)


def overriding_kinds(args: Iterable[Any]) -> list[Any]:
    """The overriding classes among arguments, in lists and tuples as well, a derived one before what it is derived from."""
    kinds: list[type] = []
    for x in args:
        if isinstance(x, (list, tuple)):
            kinds += overriding_kinds(x)
        elif isinstance(x, AnyTensor) and overrides(type(x)):
            kinds.append(type(x))
    return sorted(dict.fromkeys(kinds), key=lambda kind: -len(kind.__mro__))
