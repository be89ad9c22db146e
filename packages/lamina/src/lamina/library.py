"""PyTorch's `torch.library`: a program's own ops, as functions with a name under `torch.ops` and a gradient rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NoReturn

from lamina_tensor.transforms.function import Function

from .absent_names import explained

__all__ = ["CustomOpDef", "Library", "custom_op", "register_autograd", "register_fake"]

_defined: Final[dict[str, CustomOpDef]] = {}


class CustomOpDef:
    """An op of a program's own: called, it runs the program's function, and records one node where it has a gradient rule.

    Args:
        name: with the namespace, as `mine::twice`.
        fn: what it computes.

    >>> twice = torch.library.custom_op("mine::twice", lambda x: 2 * x, mutates_args=())
    >>> torch.ops.mine.twice(torch.tensor(3.0))
    tensor(6.)
    """

    def __init__(self, name: str, fn: Callable[..., Any]) -> None:
        self.name, self.fn = name, fn
        self._node: type[Function] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._node is None or kwargs:
            return self.fn(*args, **kwargs)
        return self._node.apply(*args)

    @property
    def default(self) -> CustomOpDef:
        """The op itself: it has no overloads."""
        return self

    def register_fake(self, fn: Callable[..., Any], /) -> Callable[..., Any]:
        """Return the function that tells the result's shape, which is not asked for: nothing is traced.

        Args:
            fn: the function.

        Returns:
            The same function.
        """
        return fn

    def register_kernel(self, device_types: Any, fn: Callable[..., Any] | None = None, /) -> Any:
        """Say what the op computes on devices: of these, the CPU's is used from now on.

        Args:
            device_types: a type, several, or None for all.
            fn: what it computes there; None for a decorator.

        Returns:
            The same function, or a decorator.
        """

        def register(fn: Callable[..., Any]) -> Callable[..., Any]:
            if device_types is None or "cpu" in ([device_types] if isinstance(device_types, str) else list(device_types)):
                self.fn = fn
            return fn

        return register if fn is None else register(fn)

    def register_autograd(self, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None) -> None:
        """Give the op a gradient rule.

        Args:
            backward: takes the context and the gradients of the results, and returns those of the inputs.
            setup_context: takes the context, the inputs and the result, and saves what the rule wants.
        """
        op = self

        class Node(Function):
            @staticmethod
            def forward(*args: Any) -> Any:
                return op.fn(*args)

            @staticmethod
            def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
                if setup_context is not None:
                    setup_context(ctx=ctx, inputs=inputs, output=output)

            @staticmethod
            def backward(ctx: Any, *grads: Any) -> Any:
                return backward(ctx, *grads)

        self._node = Node


class Library:
    """Ops of a program's own, declared by a schema and given functions by device, as C++ extensions have them.

    Args:
        ns: their namespace.
        kind: "DEF" or "FRAGMENT" to declare ops, "IMPL" to give functions to ops that are declared elsewhere.
        dispatch_key: what functions are for that name no key; "" for all devices.

    Raises:
        ValueError: there is no such kind.

    >>> mine = torch.library.Library("mine", "FRAGMENT")
    >>> mine.define("halved(Tensor x) -> Tensor")
    'halved'
    >>> mine.impl("halved", lambda x: x / 2, "CPU")
    >>> torch.ops.mine.halved(torch.tensor(3.0))
    tensor(1.5000)
    """

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        if kind not in ("DEF", "FRAGMENT", "IMPL"):
            raise ValueError(f"torch.library.Library: kind must be 'DEF', 'FRAGMENT' or 'IMPL', not {kind!r}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Declare an op, which has no function yet.

        Args:
            schema: its name and signature, as `twice(Tensor x) -> Tensor`; what is behind the name is accepted as it is.
            alias_analysis, tags: accepted as in PyTorch.

        Returns:
            The op's name.

        Raises:
            RuntimeError: the library is one of kind "IMPL".
        """
        if self.kind == "IMPL":
            raise RuntimeError("torch.library.Library.define: a library of kind 'IMPL' declares no ops")
        name, _, _ = schema.partition("(")
        full = f"{self.ns}::{name.strip()}"
        _defined[full] = CustomOpDef(full, partial(_no_function, full))
        return name.strip()

    def impl(
        self, op_name: Any, fn: Callable[..., Any], dispatch_key: str = "", *, with_keyset: bool = False, allow_override: bool = True
    ) -> None:
        """Give an op a function.

        Args:
            op_name: the op, or its name, with or without the namespace.
            fn: the function.
            dispatch_key: what it is for: of these, the CPU's is used, or the one for all devices.
            with_keyset: accepted; the function is called without PyTorch's set of keys.
            allow_override: accepted.

        Raises:
            RuntimeError: there is no such op; or gradients are to be computed by a function for "Autograd".
        """
        key = dispatch_key or self.dispatch_key
        name = op_name.name if isinstance(op_name, CustomOpDef) else str(op_name).rpartition("::")[2]
        op = _op(f"{self.ns}::{name.rpartition('::')[2]}", "Library.impl")
        if key.startswith("Autograd"):
            raise RuntimeError(f"torch.library.Library.impl: no function for {key!r}: give a rule by torch.library.register_autograd")
        if key in ("", "CPU", "CompositeImplicitAutograd", "CompositeExplicitAutograd"):
            op.fn = fn


def _no_function(name: str, *args: Any, **kwargs: Any) -> NoReturn:
    raise NotImplementedError(f"torch.ops.{name.replace('::', '.')}: the op is declared, and no function for the CPU has been given to it")


def custom_op(
    name: str, fn: Callable[..., Any] | None = None, /, *, mutates_args: str | Iterable[str], device_types: Any = None,
    schema: str | None = None, tags: Any = None,
) -> Any:  # fmt: skip
    """Define an op of a program's own, which is also found under `torch.ops`.

    Args:
        name: with the namespace, as `mine::twice`.
        fn: what it computes; None for a decorator.
        mutates_args: the arguments that it writes to; accepted.
        device_types, schema, tags: accepted as in PyTorch; the function runs wherever its arguments are.

    Returns:
        The op, or a decorator.

    Raises:
        ValueError: the name has no namespace.

    >>> @torch.library.custom_op("mine::cube", mutates_args=())
    ... def cube(x: torch.Tensor) -> torch.Tensor:
    ...     return x**3
    >>> cube.register_autograd(lambda ctx, grad: grad * 3 * ctx.saved_tensors[0] ** 2,
    ...                        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> torch.ops.mine.cube(x).backward()
    >>> x.grad
    tensor(12.)
    """
    if name.count("::") != 1:
        raise ValueError(f"torch.library.custom_op: the name is 'namespace::name', not {name!r}")

    def define(fn: Callable[..., Any]) -> CustomOpDef:
        _defined[name] = op = CustomOpDef(name, fn)
        return op

    return define if fn is None else define(fn)


def _op(name: Any, function: str) -> CustomOpDef:
    op = name if isinstance(name, CustomOpDef) else _defined.get(name)
    if op is None:
        raise RuntimeError(f"torch.library.{function}: {name!r} is no op that torch.library.custom_op has defined")
    return op


def register_fake(
    op: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None, _stacklevel: int = 1, allow_override: bool = False
) -> Any:
    """Accept the function that tells the shape of an op's result: nothing is traced.

    Args:
        op: the op, or its name; of an op that a library would define that could not be loaded, too.
        func: the function; None for a decorator.
        lib, allow_override, _stacklevel: accepted as in PyTorch.

    Returns:
        The same function, or a decorator.

    Raises:
        TypeError: it is neither an op nor a name.

    >>> half = torch.library.custom_op("mine::half", lambda x: x / 2, mutates_args=())
    >>> _ = torch.library.register_fake("mine::half", lambda x: torch.empty_like(x))
    """
    if not isinstance(op, (CustomOpDef, str)):
        raise TypeError(f"torch.library.register_fake: an op or its name wanted, not {type(op).__name__}")
    return func if func is not None else lambda func: func


def register_autograd(
    op: Any, backward: Callable[..., Any], /, *, setup_context: Callable[..., Any] | None = None, lib: Any = None
) -> None:
    """Give an op a gradient rule.

    Args:
        op: the op, or its name.
        backward, setup_context: as for `CustomOpDef.register_autograd`.
        lib: accepted as in PyTorch.

    Raises:
        RuntimeError: there is no such op.

    >>> triple = torch.library.custom_op("mine::triple", lambda x: 3 * x.detach(), mutates_args=())
    >>> torch.library.register_autograd("mine::triple", lambda ctx, grad: 3 * grad)
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> triple(x).backward()
    >>> x.grad
    tensor(3.)
    """
    _op(op, "register_autograd").register_autograd(backward, setup_context=setup_context)


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
