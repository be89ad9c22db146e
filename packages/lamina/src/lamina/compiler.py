"""PyTorch's `torch.compile` and `torch.compiler`: kernel calls of a function are recorded, and repeated without its Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from lamina_flatarray.modes import is_compiling

from .absent_names import explained

if TYPE_CHECKING:
    from lamina_tensor.compiling.way import Explanation

__all__ = [
    "allow_in_graph", "assume_constant_result", "compile", "cudagraph_mark_step_begin", "disable", "explain_compiled", "is_compiling",
    "is_dynamo_compiling", "is_exporting", "list_backends", "reset",
]  # fmt: skip

_F = TypeVar("_F")


def compile(
    model: Callable[..., Any] | None = None, *, fullgraph: bool = False, dynamic: bool | None = None,
    backend: str | Callable[..., Any] | None = None, mode: str | None = None, options: dict[str, Any] | None = None,
    name: str | None = None, disable: bool = False, recompile_limit: int | None = None, isolate_recompiles: bool = False,
    shapes_spec: Any = None,
) -> Any:  # fmt: skip
    """Return a function that gives what another one gives, sooner: its kernel calls are recorded, and repeated without its Python.

    The first call with arguments of some shapes and dtypes is eager, two more are recorded, later ones repeat them. Before each, it is
    looked whether it would be the same: shapes, layouts, dtypes and devices of the arguments, numbers and texts among them, gradient mode,
    and all that the function refers to (attributes of modules, parameters, closures, globals). What kernel calls alone do not repeat runs
    eagerly, and a warning says why, once: a value of a tensor that is read, text that is printed, an argument that is written to.
    A whole training step may be compiled: `zero_grad`, the loss, `backward` and the optimizer's `step`. Results can be differentiated
    once. Runs of elementwise ops become one kernel on backends that fuse. Where no gradients follow, six calls find out whether eager
    ones are faster. `explain_compiled` tells what became of a function. Where the environment variable LAMINA_COMPILE_CACHE names a folder,
    a call that was recorded twice in another process is recorded once.

    Args:
        model: the module or function; None for a decorator.
        fullgraph: whether it is an error that a call cannot be repeated.
        backend: "eager" for no compilation; others, and functions, are accepted as in PyTorch. Functions of graphs have none to look at
            here, so with one the program runs eagerly.
        mode: "default", "reduce-overhead", "max-autotune" or another of PyTorch's; without effect.
        options: in place of a mode. With {"verify": True}, every repetition is compared with an eager call; the first result that
            differs is named in an error. Those of PyTorch's compiler are without effect.
        disable: whether to leave the function alone.
        recompile_limit: how many kinds of arguments are recorded; 8 by default.
        dynamic: False to record every size by itself. Otherwise four recordings that differ in one size are enough for all sizes
            between the least and the largest, if all numbers in them are polynomials of the size.
        name, isolate_recompiles, shapes_spec: accepted as in PyTorch.

    Returns:
        The function, or for a module a module of class `OptimizedModule` around it; or a decorator.

    Raises:
        RuntimeError: there is no such mode; or a mode and options are given; or, when it is called, `fullgraph` cannot be kept.

    >>> f = torch.compile(lambda x: (x * 2).tanh())
    >>> [f(torch.tensor([i / 2])) for i in range(4)]
    [tensor([0.]), tensor([0.7616]), tensor([0.9640]), tensor([0.9951])]
    """
    if model is None:
        return lambda model: compile(
            model, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, name=name, disable=disable,
            recompile_limit=recompile_limit, isolate_recompiles=isolate_recompiles, shapes_spec=shapes_spec,
        )  # fmt: skip
    from lamina_nn import Module
    from lamina_nn.compiling import compiled

    from .compiled_modules import OptimizedModule

    function = compiled(
        model, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, name=name, disable=disable,
        recompile_limit=recompile_limit, isolate_recompiles=isolate_recompiles, shapes_spec=shapes_spec,
    )  # fmt: skip
    if function is None:
        return model
    return OptimizedModule(model, function) if isinstance(model, Module) else function


def explain_compiled(function: Callable[..., Any]) -> str:
    """Tell what became of a compiled function or module: what it was called with, what is repeated, and why something is not.

    `torch.viz.compiled` tells of each kernel.

    Args:
        function: what `torch.compile` returned.

    Returns:
        A text of one line for each kind of arguments.

    Raises:
        TypeError: the function is not compiled.

    >>> f = torch.compile(lambda x: (x * 2).tanh())
    >>> for _ in range(4):
    ...     y = f(torch.ones(3))
    >>> print(torch.compiler.explain_compiled(f))
    float32[3]: 4 calls; ...
    """
    return "\n".join(map(str, explanations("explain_compiled", function))) or "it was not called yet"


def explanations(name: str, function: Callable[..., Any]) -> list[Explanation]:
    """What became of each way through a compiled function or module; `name` is who asks.

    Raises:
        TypeError: the function is not compiled.
    """
    from lamina_tensor.compiling.function import CompiledFunction

    compiled = getattr(function, "_compiled_function", function)
    if not isinstance(compiled, CompiledFunction):
        raise TypeError(f"{name}: {type(function).__name__} given; it wants what torch.compile returned")
    return compiled.explain()


def is_dynamo_compiling() -> bool:
    """Return whether a function is called to be compiled: packages then leave out what could not be, such as checks of values.

    Returns:
        True in the first calls of a compiled function, of which two are recorded; False elsewhere.

    >>> torch.compiler.is_dynamo_compiling()
    False
    """
    return is_compiling()


def is_exporting() -> bool:
    """Return False: what is exported is recorded as what is compiled is, and `is_compiling` tells.

    Returns:
        False.

    >>> torch.compiler.is_exporting()
    False
    """
    return False


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """Return a function that is called as it is: compiled functions that call it run eagerly, and a warning says so.

    Args:
        fn: the function, module or class; None for a decorator. Of a compiled one, that which was compiled.
        recursive: whether compiled functions that it calls run eagerly, too.
        reason: accepted as in PyTorch.

    Returns:
        A function or module that does the same; a class with such calls; or a decorator.

    >>> torch.compiler.disable(len)([1, 2])
    2
    """
    if fn is None:
        return lambda fn: disable(fn, recursive, reason=reason)
    from lamina_nn import Module
    from lamina_tensor.compiling.function import CompiledFunction
    from lamina_tensor.compiling.recordings.left_alone import left_alone

    from .compiled_modules import OptimizedModule

    if isinstance(fn, type):
        fn.__call__ = left_alone(fn.__call__, recursive)  # type: ignore[method-assign]
        return fn
    if isinstance(fn, OptimizedModule):
        fn = fn._orig_mod
    if isinstance(fn, CompiledFunction):
        (fn,) = fn.refers_to
    return OptimizedModule(fn, left_alone(fn, recursive)) if isinstance(fn, Module) else left_alone(fn, recursive)


def allow_in_graph(fn: _F) -> _F:
    """Return the function itself, into which PyTorch's compiler is not to look.

    Args:
        fn: the function, or a list of them.

    Returns:
        The same object.

    >>> torch.compiler.allow_in_graph(len)([1, 2])
    2
    """
    return fn


def assume_constant_result(fn: _F) -> _F:
    """Return the function itself, whose result PyTorch's compiler may keep.

    Args:
        fn: the function.

    Returns:
        The same function, which is called each time.

    >>> torch.compiler.assume_constant_result(len)([1, 2])
    2
    """
    return fn


def cudagraph_mark_step_begin() -> None:
    """Accept that a step begins: no graphs are captured.

    >>> torch.compiler.cudagraph_mark_step_begin()
    """


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """Return the compilers that there are: none.

    Args:
        exclude_tags: accepted as in PyTorch.

    Returns:
        An empty list.

    >>> torch.compiler.list_backends()
    []
    """
    return []


def reset() -> None:
    """Forget all that was compiled: functions are recorded anew.

    >>> torch.compiler.reset()
    """
    from lamina_tensor.compiling.compiled import compiled_functions

    for function in list(compiled_functions):
        function.reset()


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
