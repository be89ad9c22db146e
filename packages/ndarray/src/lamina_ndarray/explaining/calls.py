"""What a call would do, as a text: dtypes, shapes, copies and casts, the kernels and whose they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lamina_flatarray import OpNotImplemented
from lamina_flatarray.ops import OPS

from ..array_fields import ArrayFields, is_array
from .layouts import Text, counted
from .planning import Operand, Plan, Step, planned

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["explain", "explained"]

_BY_SPELLING = {row.spelling: row.name for row in OPS.values()}
_STEPS = 40


def explain(op: str | Callable[..., Any], *args: Any, **params: Any) -> Text:
    """Explain what `op(*args, **params)` would do: the dtype and shape of its result, whether that is a view, which
    kernels would run, of which backend, which casts and copies come before them, and how operands are repeated.

    The call is made on stand-ins and no kernel is run, so that it is quick for arrays of any size and changes nothing.
    A function whose result depends on values (`nonzero`, say) sees zeros.

    Args:
        op: the name of an op or of a function of lamina_ndarray, or any function of arrays.
        args: its positional arguments.
        params: its keyword arguments.

    Returns:
        A string whose `repr` is the text itself.

    Raises:
        OpNotImplemented: there is no function of this name.
        LaminaError: what the call itself would raise.

    Example::

        add(int32(2, 1), float32(3,)) -> float32(2, 3)

          1  copy  int32(2, 1) -> float32(2, 1)                   numpy, native
                   (a cast of argument 0 to float32)
          2  add   float32(2, 3), float32(2, 3) -> float32(2, 3)  numpy, native
                   (what was computed is repeated along axis 1 by strides (1, 0)
                    argument 1 is repeated along axis 0 by strides (0, 1))

          the result: shape (2, 3), strides (3, 1), 24 bytes of new memory

    >>> text = nd.explain("add", nd.ones((2, 1), dtype=nd.int32), nd.ones((3,)))
    >>> print(str(text).splitlines()[0])
    add(int32(2, 1), float32(3,)) -> float32(2, 3)
    """
    name, function = _function(op)
    plan = planned(function, args, params, _replaced)
    return explained(name, args, params, plan, _array)


def _array(x: Any) -> Any:
    return x if isinstance(x, ArrayFields) else None


def _function(op: str | Callable[..., Any]) -> tuple[str, Callable[..., Any]]:
    if not isinstance(op, str):
        return getattr(op, "__name__", "the function"), op
    function: Any = sys.modules[__name__.partition(".")[0]]
    for part in _BY_SPELLING.get(op, op).split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise OpNotImplemented(f"explain: there is no function {op!r}")
    return op, function


def _replaced(value: Any, stand_in: Callable[[NDArray, str], NDArray]) -> Any:
    if is_array(value):
        return stand_in(value, "")
    if isinstance(value, (list, tuple)) and any(isinstance(v, ArrayFields) for v in value):
        return type(value)([stand_in(v, f"[{i}]") if is_array(v) else v for i, v in enumerate(value)])
    return value


# -- the text -----------------------------------------------------------------------------------------------------------


def explained(
    name: str, args: Any, params: dict[str, Any], plan: Plan, array_of: Callable[[Any], NDArray | None]
) -> Text:
    """A plan as a text; `array_of` gives the array of an argument or a result, if it is one."""

    def shown(value: Any) -> str:
        array = array_of(value)
        if array is not None:
            return _kind(array.dtype.name, array.shape)
        if isinstance(value, (list, tuple)) and any(array_of(v) is not None for v in value):
            return f"[{', '.join(map(shown, value))}]"
        return repr(value)

    arguments = ", ".join([*map(shown, args), *(f"{k}={shown(v)}" for k, v in params.items())])
    results = plan.result if isinstance(plan.result, (list, tuple)) else (plan.result,)
    lines = [f"{name}({arguments}) -> {', '.join(map(shown, results)) or 'nothing'}", ""]
    lines += _steps(plan.steps) if plan.steps else ["  no kernel runs: no item is read or written"]
    lines.append("")
    for i, value in enumerate(results):
        array = array_of(value)
        label = "the result" if len(results) == 1 else f"result {i}"
        if array is not None:
            lines.append(f"  {label}: {_memory(array, plan)}")
    return Text("\n".join(lines).rstrip())


def _kind(dtype: str, shape: tuple[int, ...]) -> str:
    return f"{dtype}{shape}"


def _memory(array: NDArray, plan: Plan) -> str:
    layout = array.layout
    owner = plan.stand_ins.name(array.flat)
    description = f"shape {layout.shape}, strides {layout.strides}"
    if not owner:
        return f"{description}, {counted(array.flat.nbytes, 'byte')} of new memory"
    offset = f", offset {layout.offset}" if layout.offset else ""
    written = any(out.memory == owner for step in plan.steps for out in step.outputs)
    return f"{description}{offset}, {'written to' if written else 'a view of'} the memory of {owner}"


def _steps(steps: tuple[Step, ...]) -> list[str]:
    rows = []
    numbers: list[int] = []
    for step in steps:
        numbers = numbers[: step.depth + 1]
        if len(numbers) <= step.depth:
            numbers.append(0)
        numbers[step.depth] += 1
        call = f"{', '.join(map(_shown, step.inputs))}{' -> ' if step.inputs else '-> '}{', '.join(map(_shown, step.outputs))}"
        notes = list(_notes(step))
        rows.append((".".join(map(str, numbers)), step.op, call, f"{step.backend}, {step.origin}", notes))
    left_out = len(rows) - _STEPS
    rows = rows[:_STEPS]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = []
    for number, op, call, origin, notes in rows:
        lines.append(f"  {number:<{widths[0]}}  {op:<{widths[1]}}  {call:<{widths[2]}}  {origin}")
        for i, note in enumerate(notes):
            opening, closing = "(" if i == 0 else " ", ")" if i == len(notes) - 1 else ""
            lines.append(f"  {'':<{widths[0]}}  {'':<{widths[1]}}  {opening}{note}{closing}")
    return [*lines, f"  ... and {counted(left_out, 'kernel')} more"] if left_out > 0 else lines


def _shown(x: Any) -> str:
    if isinstance(x, list):
        return ", ".join(map(_shown, x))
    return _kind(x.dtype, x.shape) if isinstance(x, Operand) else repr(x)


def _notes(step: Step) -> Iterator[str]:
    """What a learner may not expect: casts, rearrangements, repetition."""
    inputs = [part for x in step.inputs for part in (x if isinstance(x, list) else (x,))]
    arrays = [x for x in inputs if isinstance(x, Operand)]
    if step.op == "copy" and arrays and step.outputs:
        source, target = arrays[0], step.outputs[0]
        if source.dtype != target.dtype:
            yield f"a cast of {source.memory or 'what was computed'} to {target.dtype}"
        elif source.strides != target.strides and 0 not in source.strides:
            yield f"a copy of {source.memory or 'what was computed'}, rearranged from strides {source.strides} to {target.strides}"
        else:
            yield f"a copy of {source.memory or 'what was computed'}"
    for x in arrays if step.op == "concat" else ():
        if x.dtype != step.outputs[0].dtype:
            yield f"a cast of {x.memory or 'what was computed'} to {step.outputs[0].dtype}"
    for x in arrays:
        axes = [str(a) for a, (n, s) in enumerate(zip(x.shape, x.strides, strict=True)) if n > 1 and s == 0]
        if axes:
            along = f"axis {axes[0]}" if len(axes) == 1 else f"axes {', '.join(axes)}"
            yield f"{x.memory or 'what was computed'} is repeated along {along} by strides {x.strides}"
    if step.origin == "derived":
        yield "composed of the ops below"
    if step.origin == "missing":
        yield "no kernel, and no decomposition: what the fallback policy says"
