"""Arguments made worse: other dtypes, shapes, strides, sizes, positions, numbers and classes in the place of some of them."""

from __future__ import annotations

import copy
import inspect
import math
from random import Random
from typing import Any

import numpy as np

import lamina
import lamina_ndarray as nd
from lamina_flatarray.dtypes import DTYPES

from .examples import Example

__all__ = ["spoilt"]

INTEGERS = (
    -(10**30), -(2**63) - 1, -(2**63), -(2**32), -(2**31) - 1, -(2**31), -3, -2, -1, 0, 1, 2, 3, 4, 7, 64, 65, 255, 2**31 - 1,
    2**31, 2**31 + 1, 2**32, 2**62, 2**63 - 1, 2**63, 2**64, 10**30,
)  # fmt: skip
NUMBERS = (float("nan"), float("inf"), -float("inf"), -0.0, 0.0, 5e-324, 1e308, -1e308, 0.5, -1.5)
WILD = (None, "text", b"", (), [], {}, 1j, object, np.int64(-1), np.float32("nan"), float("nan"), Ellipsis, slice(None), True)
EXTREMES = (0, -1, 1, 2, 5, 127, 128, 255, 256, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63))
LONG = (*[2**16 + 1] * 20, *[2**20] * 10, 2**31 + 1, 2**62)
"""Lengths of axes that an array repeats by a stride of 0: they cost nothing before somebody reads or writes as many items."""


def spoilt(example: Example, random: Random) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of an example, of which one to three are made worse; arrays are copies."""
    args = [_copied(value) for value in example.args]
    kwargs = {name: _copied(value) for name, value in example.kwargs.items()}
    typed = example.name.startswith(("nd.", "NDArray."))  # functions with types in the place of checks: classes stay as they are
    if random.random() < 0.25 and not typed:
        _add_one(example, kwargs, random)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3))):
        if kwargs and (not args or random.random() < 0.4):
            name = random.choice(sorted(kwargs))
            kwargs[name] = _worse(kwargs[name], random, typed)
        elif args:
            i = random.randrange(len(args))
            args[i] = _worse_array(args[i], random) if i == 0 and example.is_method else _worse(args[i], random, typed)
    return args, kwargs


def _copied(value: Any) -> Any:
    if isinstance(value, nd.NDArray):
        return nd.copy(value)
    if isinstance(value, lamina.Tensor):
        return value.detach().clone() if type(value) is lamina.Tensor else value
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(map(_copied, value))
    try:
        return copy.copy(value)
    except Exception:
        return value


def _add_one(example: Example, kwargs: dict[str, Any], random: Random) -> None:
    """A parameter that the example leaves out, with a value of the kind of its default."""
    try:
        parameters = list(inspect.signature(example.function).parameters.values())[len(example.args) :]
    except (TypeError, ValueError):
        return
    left = [p for p in parameters if p.name not in kwargs and p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)]
    left = [p for p in left if p.name not in ("out", "device", "layout", "generator")]
    if left:
        parameter = random.choice(left)
        default = parameter.default
        if default is None or default is parameter.empty:
            default = random.choice((1, 0.5, True, (1, 0), "mean", 0))
        kwargs[parameter.name] = default if random.random() < 0.3 else _worse(default, random, False)


def _worse(value: Any, random: Random, typed: bool) -> Any:
    if random.random() < 0.03 and not typed:
        return random.choice(WILD)
    if isinstance(value, (nd.NDArray, lamina.Tensor)):
        for _ in range(random.choice((1, 1, 2))):
            value = _worse_array(value, random)
        return value
    if isinstance(value, bool):
        return random.choice((not value,) if typed else (not value, not value, 2, -1, None))
    if isinstance(value, int):
        return value + random.choice((-1, 1)) if random.random() < 0.3 else random.choice(INTEGERS)
    if isinstance(value, float):
        return random.choice(NUMBERS)
    if isinstance(value, (tuple, list)):
        return _worse_sequence(value, random, typed)
    if isinstance(value, lamina.dtype) and typed:
        return random.choice(list(DTYPES.values()))
    if (isinstance(value, (lamina.dtype, str)) or value is None) and not typed:
        return random.choice((*DTYPES.values(), "sum", "none", "text", None, 3))
    return value if typed else random.choice(WILD)


def _worse_sequence(value: Any, random: Random, typed: bool) -> Any:
    items = list(value)
    at = random.randrange(len(items)) if items else 0
    kind = random.randrange(5)
    if typed and not all(isinstance(item, int) for item in items):
        kind = 3 if items else 1
    if kind == 0 or (not items and not typed):
        items.insert(at, random.choice(INTEGERS))
    elif not items:
        pass
    elif kind == 1:
        del items[at]
    elif kind == 2:
        items.append(items[at])
    else:
        items[at] = _worse(items[at], random, typed)
    return type(value)(items) if type(value) in (tuple, list) else tuple(items)


def _worse_array(x: Any, random: Random) -> Any:
    """One array with another dtype, another shape, other strides or other items; a tensor may require gradients."""
    if not isinstance(x, (nd.NDArray, lamina.Tensor)):
        return x
    xp: Any = nd if isinstance(x, nd.NDArray) else lamina
    kind, ndim = random.randrange(11), len(x.shape)
    if math.prod(x.shape) > 2**16:  # views of it are enough
        kind = random.choice((2, 3, 4, 6))
    try:
        if kind == 0:
            return _cast(x, random.choice(list(DTYPES.values())))
        if kind == 1:  # no items
            return xp.reshape(x[:0], (0, *x.shape[1:])) if ndim else x
        if kind == 2 and ndim:  # an item less
            return x[(slice(None),) * random.randrange(ndim) + (slice(1, None),)]
        if kind == 3:  # one more axis
            return xp.unsqueeze(x, random.randrange(ndim + 1))
        if kind == 4 and ndim:  # one less
            return x[(slice(None),) * random.randrange(ndim) + (0,)]
        if kind == 5:  # many items, which share their memory
            one = xp.reshape(x, (-1,))[:1]
            return xp.broadcast_to(one, (random.choice(LONG),)) if ndim < 2 else xp.broadcast_to(one, (*x.shape[:-1], random.choice(LONG)))
        if kind == 6 and ndim > 1:
            return xp.permute(x, tuple(random.sample(range(ndim), ndim)))
        if kind == 7 and ndim:  # every second of repeated items, behind an offset
            return xp.concat([x, x, x], 0)[1::2] if random.random() < 0.5 else xp.flip(x, (0,))
        if kind in (8, 9):
            return _items(x, random)
        if kind == 10 and isinstance(x, lamina.Tensor) and x.dtype.is_inexact:
            return x.detach().requires_grad_()
    except Exception:  # it cannot be made so: as it was
        return x
    return x


def _cast(x: Any, dtype: Any) -> Any:
    return nd.astype(x, dtype) if isinstance(x, nd.NDArray) else x.detach().to(dtype)


def _items(x: Any, random: Random) -> Any:
    """Some items that few expect."""
    choices: tuple[float, ...] = NUMBERS if x.dtype.is_inexact else EXTREMES
    values = [random.choice(choices) for _ in range(math.prod(x.shape))]
    with np.errstate(all="ignore"):
        array = np.array(values, np.float64 if x.dtype.is_inexact else np.int64).reshape(x.shape)
    if x.dtype.name == "bool":
        array = array % 2 == 0
    made: Any = nd.asarray(array) if isinstance(x, nd.NDArray) else lamina.from_numpy(array)
    return _cast(made, x.dtype)
