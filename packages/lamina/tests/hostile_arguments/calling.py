"""One call with spoilt arguments: what came of it, and whether its error is of a kind that a program can expect."""

from __future__ import annotations

import math
import warnings
from random import Random
from typing import Any, NamedTuple

import lamina
import lamina_ndarray as nd

from .examples import examples
from .spoiling import spoilt

__all__ = ["Outcome", "called", "described", "most_items", "prepared"]

EXPECTED = (ValueError, TypeError, IndexError, RuntimeError, MemoryError)
"""The kinds of PyTorch's errors; NotImplementedError is a RuntimeError, and what lamina raises is one of them."""
REFUSED_BY_ASSERTION = ("embedding", "multi_head_attention_forward", "gaussian_nll_loss")
"""Functions whose AssertionError is PyTorch's own."""
MOST_READ = 10_000


class Outcome(NamedTuple):
    """What came of a call.

    Attributes:
        call: the call as text.
        error: the error's class and message; empty where it worked.
        sound: whether it worked, or the error is of an expected kind.
        trace: where it was raised, of one that is not.
    """

    call: str
    error: str
    sound: bool
    trace: str = ""


def prepared(seed: int, number: int) -> tuple[Any, list[Any], dict[str, Any], Random]:
    """The example and the arguments of a call, from its seed and number alone."""
    random = Random(f"{seed}-{number}")
    example = random.choice(examples())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (example, *spoilt(example, random), random)


def called(seed: int, number: int) -> Outcome:
    """Make a call, read its result, and go backward through it where there are gradients."""
    example, args, kwargs, random = prepared(seed, number)
    text = described(example.name, args, kwargs)
    lamina.manual_seed(number)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = example.function(*args, **kwargs)
            for array in _arrays(result):
                _read(array, random)
    except Exception as error:
        kind = type(error)
        message = f"{kind.__name__}: {error}"
        sound = isinstance(error, EXPECTED) and "nternal" not in str(error) and not _of_python(error)
        sound = sound or (isinstance(error, AssertionError) and example.name.rpartition(".")[2] in REFUSED_BY_ASSERTION)
        return Outcome(text, message, sound, "" if sound else _trace(error))
    return Outcome(text, "", True)


def _of_python(error: Exception) -> bool:
    """Whether an error says more of our code than of the arguments: of a call that nobody wrote, of an unpacking."""
    raw = ("takes", "object is not callable", "values to unpack", "list index", "tuple index", "pop from empty")
    return any(piece in str(error) for piece in raw) and not type(error).__module__.startswith("lamina")


def _arrays(result: Any) -> list[Any]:
    if isinstance(result, (list, tuple)):
        return [array for part in result for array in _arrays(part)]
    return [result] if isinstance(result, (nd.NDArray, lamina.Tensor)) else []


def most_items(values: Any) -> int:
    """The number of items of the largest array."""
    sizes = [math.prod(array.shape) for array in _arrays(values)]
    return max(sizes, default=0)


def _read(array: Any, random: Random) -> None:
    if isinstance(array, lamina.Tensor) and array.requires_grad and array.dtype.is_inexact and array.numel() <= MOST_READ:
        array.sum().abs().backward(retain_graph=True)
    size = array.numel() if isinstance(array, lamina.Tensor) else array.size
    if max((size, *array.shape)) <= MOST_READ:
        (array.detach() if isinstance(array, lamina.Tensor) else array).tolist()
        if random.random() < 0.1:
            repr(array)


def _trace(error: Exception) -> str:
    lines = []
    step = error.__traceback__
    while step is not None:
        lines.append(f"{step.tb_frame.f_code.co_filename.rpartition('/src/')[2]}:{step.tb_lineno}")
        step = step.tb_next
    return " > ".join(lines[-4:])


def described(name: str, args: list[Any], kwargs: dict[str, Any]) -> str:
    """A call as text: arrays by dtype, shape, strides and first items."""
    parts = [_shown(value) for value in args] + [f"{key}={_shown(value)}" for key, value in kwargs.items()]
    return f"{name}({', '.join(parts)})"


def _shown(value: Any) -> str:
    if isinstance(value, nd.NDArray) or (isinstance(value, lamina.Tensor) and value.layout is lamina.strided):
        array = value if isinstance(value, nd.NDArray) else value.array
        layout = array.layout
        items = array.tolist() if max((layout.size, *layout.shape)) <= 8 else "..."
        needs = ", requires_grad" if isinstance(value, lamina.Tensor) and value.requires_grad else ""
        return f"<{array.dtype.name}{layout.shape} strides {layout.strides} {items}{needs}>"
    if isinstance(value, (list, tuple)):
        return f"{'[' if isinstance(value, list) else '('}{', '.join(map(_shown, value))}{']' if isinstance(value, list) else ')'}"
    return repr(value)[:120].replace("\n", " ")
