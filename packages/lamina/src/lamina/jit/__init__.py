"""PyTorch's `torch.jit`: functions and modules stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from typing import Final as Final  # a name of PyTorch's, too, which it does not list

from lamina_nn import Module

from ..absent_names import explained

__all__ = [
    "ScriptFunction", "ScriptModule", "annotate", "export", "ignore", "is_scripting", "is_tracing", "script",
    "script_if_tracing", "trace", "unused",
]  # fmt: skip

F = TypeVar("F")

differs = "accepted; the program runs eagerly"


def script(
    obj: Any, optimize: None = None, _frames_up: int = 0, _rcb: Callable[[str], Any] | None = None, example_inputs: Any = None
) -> Any:
    """Return the function, module or class itself: programs run eagerly.

    Args:
        obj: the function, module or class.
        optimize, _frames_up, _rcb, example_inputs: accepted as in PyTorch.

    Returns:
        The same object.

    >>> double = torch.jit.script(lambda x: 2 * x)
    >>> double(torch.tensor([1.0, 2.0]))
    tensor([2., 4.])
    """
    return obj


def trace(
    func: Any, example_inputs: Any = None, optimize: bool | None = None, check_trace: bool = True, check_inputs: Any = None,
    check_tolerance: float = 1e-5, strict: bool = True, _force_outplace: bool = False, _module_class: Any = None,
    _compilation_unit: Any = None, example_kwarg_inputs: Any = None, _store_inputs: bool = True,
) -> Any:  # fmt: skip
    """Return the function or module itself: programs run eagerly, and nothing is called here.

    Args:
        func: the function or module.
        example_inputs, example_kwarg_inputs: what PyTorch calls it with; accepted.
        optimize, check_trace, check_inputs, check_tolerance, strict: accepted as in PyTorch.
        _force_outplace, _module_class, _compilation_unit, _store_inputs: accepted as in PyTorch.

    Returns:
        The same object.

    >>> model = torch.nn.Linear(2, 1)
    >>> torch.jit.trace(model, torch.ones(1, 2)) is model
    True
    """
    return func


def export(fn: F) -> F:
    """Return the method itself, which PyTorch's compiler is to compile with its module.

    Args:
        fn: the method.

    Returns:
        The same method.

    >>> class Doubling(torch.nn.Module):
    ...     @torch.jit.export
    ...     def twice(self, x):
    ...         return 2 * x
    >>> Doubling().twice(torch.tensor(3))
    tensor(6)
    """
    return fn


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Decorate a function that PyTorch's compiler is to leave alone; here it is returned itself.

    Args:
        drop: the function; or whether its calls are to raise in a compiled program, for a decorator.
        **kwargs: accepted as in PyTorch.

    Returns:
        The same function, or a decorator.

    Raises:
        RuntimeError: drop is neither a function nor a bool.

    >>> @torch.jit.ignore
    ... def double(x):
    ...     return 2 * x
    >>> double(torch.tensor(3))
    tensor(6)
    """
    if callable(drop):
        return drop
    if not isinstance(drop, bool):
        raise RuntimeError(f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}")
    return lambda fn: fn


def unused(fn: F) -> F:
    """Return the function or property itself, whose calls PyTorch's compiler is to replace by an error.

    Args:
        fn: the function or property.

    Returns:
        The same function or property.

    >>> @torch.jit.unused
    ... def double(x):
    ...     return 2 * x
    >>> double(torch.tensor(3))
    tensor(6)
    """
    return fn


def script_if_tracing(fn: F) -> F:
    """Return the function itself, which PyTorch compiles when it is traced.

    Args:
        fn: the function.

    Returns:
        The same function.

    >>> torch.jit.script_if_tracing(len)([1, 2])
    2
    """
    return fn


_script_if_tracing = script_if_tracing


def is_scripting() -> bool:
    """Return False: no program is compiled.

    Returns:
        False.

    >>> torch.jit.is_scripting()
    False
    """
    return False


is_tracing = is_scripting


class ScriptModule(Module):
    """PyTorch's class of compiled modules, for `isinstance` and annotations: `script` returns the module itself, so none is one.

    Args:
        args, kwargs: as of a module.

    >>> isinstance(torch.jit.script(torch.nn.ReLU()), torch.jit.ScriptModule)
    False
    """


class ScriptFunction:
    """PyTorch's class of compiled functions, for `isinstance` and annotations: `script` returns the function itself, so none is one.

    >>> isinstance(torch.jit.script(len), torch.jit.ScriptFunction)
    False
    """


def annotate(the_type: Any, the_value: F) -> F:
    """Return the value itself, whose type PyTorch's compiler is told.

    Args:
        the_type: the type.
        the_value: the value.

    Returns:
        The same value.

    >>> torch.jit.annotate(list[int], [])
    []
    """
    return the_value


def _overload_method(func: F) -> F:
    """The method itself: declarations of overloads tell something to PyTorch's compiler only."""
    return func


def _overload(func: F) -> F:
    """The function itself, as of methods."""
    return func


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
