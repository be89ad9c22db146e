"""Functions of arrays as functions of tensors: tensors in, tensors out, and no gradient unless a rule says how."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, Device, DType
from lamina_flatarray import dtypes as dt
from lamina_flatarray.modes import INTERCEPTING, NO_GRAD, RECORD, word
from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray
from lamina_ndarray.dispatch.functions import FUNCTIONS as ARRAY_FUNCTIONS
from lamina_ndarray.dispatch.namespace import is_generic

from ..autograd.recording import recorded, recorded_several
from ..autograd.rules import NOT_DIFFERENTIABLE, Rule, rule_of
from ..tensor_fields import AnyTensor, tensor_of, viewing

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "DEFINED", "FUNCTIONS", "ArrayFunctions", "TensorFunctions", "af", "arrays_of", "defined", "numbers_of", "plain", "plainly",
    "tensor_function", "tensors_in", "tensors_of",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {}
"""Op name to its function of tensors; `array_functions` fills it."""

DEFINED: Final[dict[str, Any]] = {}
"""Name of a function of arrays to the same on tensors, where that is written by hand."""


def defined(function: F) -> F:
    """Decorate a function of tensors that stands for the function of arrays of its name."""
    DEFINED[function.__name__] = function
    return function


_PLAIN: Final = frozenset({bool, int, float, complex, str, slice, type(None), type(...), NDArray, DType, Device})
"""Classes of what holds no tensors."""


_ALIKE: Final = {dtype: dtype.is_inexact for dtype in dt.DTYPES.values() if dtype.kind in "ifc" and dtype.itemsize >= 4}
"""The dtypes in which arrays and tensors agree on every result, whatever has axes: whether they are inexact. Such operands must be of one
table; positions and pivots may stand beside them."""


def _plain_tuple(value: Any) -> bool:
    """Whether a value is a tuple of what holds no tensors."""
    return value.__class__ is tuple and _PLAIN.issuperset(map(type, value))


def arrays_of(value: Any) -> Any:
    """Tensors inside lists, tuples and dicts replaced by their arrays."""
    if value.__class__ in _PLAIN or _plain_tuple(value):
        return value
    if isinstance(value, AnyTensor):
        return value.array
    if isinstance(value, (list, tuple)):
        parts = [arrays_of(v) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return {k: arrays_of(v) for k, v in value.items()} if isinstance(value, dict) else value


def numbers_of(index: Any) -> Any:
    """The tensors of an index that gives a view as numbers: what they are when it is used, whatever becomes of them."""
    if index.__class__ is tuple:
        return index if _plain_tuple(index) and slice not in map(type, index) else tuple(map(numbers_of, index))
    if index.__class__ is slice:
        bounds = index.start, index.stop, index.step
        return index if _PLAIN.issuperset(map(type, bounds)) else slice(*map(numbers_of, bounds))
    return index.array.tolist() if isinstance(index, AnyTensor) else index


def tensors_of(value: Any) -> Any:
    """Arrays inside lists and (named) tuples replaced by tensors."""
    if isinstance(value, NDArray):
        return tensor_of(value)
    if isinstance(value, (list, tuple)):
        parts = [tensor_of(v) if v.__class__ is NDArray else tensors_of(v) for v in value]
        return tuple.__new__(type(value), parts) if isinstance(value, tuple) else type(value)(parts)
    return value


def _wants_gradients(value: Any) -> bool:
    if isinstance(value, AnyTensor):
        return value.requires_grad
    return isinstance(value, (list, tuple)) and any(map(_wants_gradients, value))


def _is_inexact(value: Any) -> bool:
    if isinstance(value, NDArray):
        return value.dtype.is_inexact
    return isinstance(value, (list, tuple)) and any(map(_is_inexact, value))


def plainly(general: F, function: Callable[..., Any]) -> F:
    """A function of tensors, which calls that of arrays at once where no gradient is wanted, and no operand is unusual.

    Args:
        general: the function of tensors; it gives a new one.
        function: the function of arrays.
    """
    if compiled is None:
        return general
    return compiled.tensor_function(general, function, lambda result, operands: tensor_of(result), _PLAIN)  # type: ignore[no-any-return]


def plain(function: Callable[..., Any]) -> Callable[[F], F]:
    """Decorate a function of tensors that gives what `function` gives for arrays, where `plainly` may call that."""
    return lambda general: plainly(general, function)


def tensors_in(values: Any) -> list[Any]:
    """The tensors among values, and in lists and tuples among them."""
    found = []
    for x in values:
        if isinstance(x, AnyTensor):
            found.append(x)
        elif x.__class__ not in _PLAIN and isinstance(x, (list, tuple)):
            found += tensors_in(x)
    return found


def _settled(tensors: list[Any]) -> bool:
    """Whether a generic function gives for the arrays of tensors what it gives for them: no gradient is wanted, no mode looks at its parts,
    and no promotion depends on who has axes, or on what sums of a dtype are in."""
    flags, table, of_whole_numbers = word.get(), None, False
    if flags & (RECORD | INTERCEPTING):
        return False
    for x in tensors:
        kernels = x.array.flat.kernels
        inexact = _ALIKE.get(kernels.dtype)
        if inexact is None or (x.requires_grad and not flags & NO_GRAD):
            return False
        if inexact:
            if table is not None and table is not kernels:
                return False
            table = kernels
        else:
            of_whole_numbers = True
    return table is not None or not of_whole_numbers


def _generic_on_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    """A generic function of tensors: its parts are recorded one by one where a gradient is wanted. Elsewhere it is called on their arrays,
    and passes one storey instead of two. To find that out costs Python as many frames as it saves: it pays with the compiled twin."""

    def on_tensors(*args: Any, **params: Any) -> Any:
        tensors = tensors_in((*args, *params.values()) if params else args)
        if not _settled(tensors):
            return function(*args, **params)
        return finished(function(*[arrays_of(x) for x in args], **arrays_of(params)), tensors)

    def finished(result: Any, tensors: Any) -> Any:
        if isinstance(result, NDArray):
            return _of_shared_memory(result, tensors)
        if isinstance(result, (list, tuple)):
            parts = [finished(part, tensors) for part in result]
            return tuple.__new__(type(result), parts) if isinstance(result, tuple) else parts
        return result

    on_tensors.__name__ = on_tensors.__qualname__ = function.__name__
    on_tensors.__doc__ = function.__doc__
    on_tensors.__wrapped__ = function  # type: ignore[attr-defined]
    assert compiled is not None
    return compiled.generic_on_tensors(on_tensors, function, finished, _PLAIN, _ALIKE, viewing)  # type: ignore[no-any-return]


def tensor_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of arrays as one of tensors. Where a rule of its name tells the gradients, it is recorded, as a view if it shares its
    input's memory; of a generic function, the parts are.

    Raises (when called):
        AutogradError: gradients are wanted, and the function has no rule for them.
    """
    name = function.__name__
    if ARRAY_FUNCTIONS.get(name) is function:  # an op, under this or another name
        own: Callable[..., Any] | None = FUNCTIONS.get(name) or DEFINED.get(name)
        if own is not None:
            return own
    if is_generic(function):
        return function if compiled is None else _generic_on_tensors(function)

    def on_tensors(*args: Any, **params: Any) -> Any:
        plain, needs_grad = [], False
        for x in args:
            if isinstance(x, AnyTensor):
                needs_grad = needs_grad or x.requires_grad
                plain.append(x.array)
            elif x.__class__ in _PLAIN or _plain_tuple(x):
                plain.append(x)
            else:
                needs_grad = needs_grad or _wants_gradients(x)
                plain.append(arrays_of(x))
        named = params
        for x in params.values():
            if x.__class__ not in _PLAIN and not _plain_tuple(x):
                named, needs_grad = arrays_of(params), needs_grad or _wants_gradients(tuple(params.values()))
                break
        result = function(*plain, **named)
        if needs_grad and not word.get() & NO_GRAD:
            return followed(result, args, params)
        return finished(result, (*args, *params.values()))

    def followed(result: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """A result of which gradients are wanted, as tensors."""
        rule = rule_of(name)
        if rule is not None and isinstance(result, (NDArray, tuple)):
            return _recorded(function, rule, result, args, params)
        if name not in NOT_DIFFERENTIABLE and _is_inexact(result):
            raise AutogradError(f"{name}: has no gradient rule; detach() its operands, or call it under no_grad()")
        return tensors_of(result)

    def places(count: int, names: tuple[str, ...]) -> tuple[Any, ...] | None:
        rule = rule_of(name)
        return None if rule is None else (rule, *_places(function, rule, count, names))

    def finished(result: Any, operands: tuple[Any, ...]) -> Any:
        """A result that carries no gradient, as tensors."""
        if isinstance(result, NDArray) and rule_of(name) is not None:
            return _of_shared_memory(result, operands)
        return tensors_of(result)

    on_tensors.__name__ = on_tensors.__qualname__ = name
    on_tensors.__doc__ = function.__doc__
    on_tensors.__wrapped__ = function  # type: ignore[attr-defined]
    return on_tensors if compiled is None else compiled.recorded_on_tensors(on_tensors, function, finished, _PLAIN, followed, places)


@cache
def _places(function: Callable[..., Any], rule: Rule, count: int, names: tuple[str, ...]) -> tuple[Any, ...]:
    """Where a call with `count` arguments by place, and these by name, has what a rule wants: among the arguments, then those by name, then
    the defaults, which come last.

    Returns:
        The places of the rule's inputs, the names of its parameters, their places, and the defaults.
    """
    parameters = signature(function).parameters.values()
    by_place = [p.name for p in parameters if p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)]
    given = [*by_place[:count], *[f"*{i}" for i in range(count - len(by_place))], *names]
    defaults = {p.name: p.default for p in parameters if p.default is not Parameter.empty and p.name not in given}
    place = {name: i for i, name in enumerate([*given, *defaults])}
    needs = [need for every in (*rule.needs.values(), rule.joint_needs) for need in every]
    wanted = tuple(dict.fromkeys([which for what, which in needs if what == "param" and which in place]))
    return tuple([place[name] for name in rule.inputs]), wanted, tuple([place[name] for name in wanted]), tuple(defaults.values())


def _of_shared_memory(result: NDArray, operands: tuple[Any, ...]) -> Tensor:
    """The result, as a view of the operand whose memory it shares."""
    tensor, memory = tensor_of(result), result.flat.memory
    for x in operands:
        if isinstance(x, AnyTensor) and x.array.flat.memory is memory:
            if x.array is result:
                return x
            viewing(tensor, x)
            break
    return tensor


def _recorded(function: Callable[..., Any], rule: Rule, result: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """The result, or the named results, with the node of the function's rule. The rule's inputs are the function's arguments
    of these names."""
    inputs_at, names, params_at, defaults = _places(function, rule, len(args), tuple(params))
    values = (*args, *params.values(), *defaults)
    inputs = tuple([values[i] for i in inputs_at])
    rule_params = {name: arrays_of(values[i]) for name, i in zip(names, params_at, strict=True)}
    if isinstance(result, tuple):
        results = recorded_several(rule, result, inputs, **rule_params)
        return results if type(result) is tuple else type(result)(*results)
    memory = result.flat.memory
    for x in inputs:
        if isinstance(x, AnyTensor) and x.array.flat.memory is memory:
            return x if x.array is result else recorded(rule, result, inputs, x, **rule_params)
    return recorded(rule, result, inputs, **rule_params)


class TensorFunctions:
    """A module of functions of arrays, as one of functions of tensors; each is made when first wanted."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Callable[..., Tensor]:
        result: Callable[..., Any] = getattr(self._module, name)
        if callable(result) and not isinstance(result, type):
            result = tensor_function(result)
        self.__dict__[name] = result
        return result

    def __dir__(self) -> list[str]:
        return sorted(self._module.__all__)


class ArrayFunctions(TensorFunctions):
    """The functions of ndarray on tensors: the same names, signatures and results, recorded where gradients are wanted."""

    if TYPE_CHECKING:  # the results of these are several
        broadcast_arrays: Callable[..., tuple[Tensor, ...]]
        chunk: Callable[..., tuple[Tensor, ...]]
        dsplit: Callable[..., tuple[Tensor, ...]]
        gradient: Callable[..., tuple[Tensor, ...]]
        hsplit: Callable[..., tuple[Tensor, ...]]
        meshgrid: Callable[..., tuple[Tensor, ...]]
        split: Callable[..., tuple[Tensor, ...]]
        split_with_sizes: Callable[..., tuple[Tensor, ...]]
        tensor_split: Callable[..., tuple[Tensor, ...]]
        unbind: Callable[..., tuple[Tensor, ...]]
        unravel_index: Callable[..., tuple[Tensor, ...]]
        unsafe_chunk: Callable[..., tuple[Tensor, ...]]
        unsafe_split: Callable[..., tuple[Tensor, ...]]
        unsafe_split_with_sizes: Callable[..., tuple[Tensor, ...]]
        vsplit: Callable[..., tuple[Tensor, ...]]

        linalg: TensorFunctions
        fft: TensorFunctions
        special: TensorFunctions

    def __init__(self) -> None:
        super().__init__(nd)

    def __getattr__(self, name: str) -> Callable[..., Tensor]:
        result: Any = DEFINED.get(name) or FUNCTIONS.get(name) or super().__getattr__(name)
        if isinstance(result, ModuleType):
            result = TensorFunctions(result)
        self.__dict__[name] = result
        return result  # type: ignore[no-any-return]


af: Final = ArrayFunctions()
"""What tensors answer when code written once for every kind of array asks for their functions."""
