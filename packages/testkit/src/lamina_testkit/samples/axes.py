"""Inputs of ops along axes: reductions, scans, sorts, transforms, joining, products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lamina_flatarray import DType
from lamina_flatarray.ops import OPS
from lamina_ndarray.layouts.broadcast import reduced_shape

from .maker import SHAPES, Maker, Params, Sample, Shape, Variants, plain_variants, results
from .values import numbers

__all__ = ["MAKERS"]


def _one_input(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    """Results of the input's shape."""
    return Sample([numbers(0, shape, dtype, OPS[op].domain, kind)], results(op, shape, dtype))


# -- reductions -------------------------------------------------------------------------------------------------------


def _choices_of_axes(shape: Shape) -> list[Shape]:
    every = tuple(range(len(shape)))
    choices = {every, every[:1], every[-1:], *((every[::2],) if len(shape) > 2 else ())}
    return sorted(axes for axes in choices if shape == () or axes)


def _reductions() -> Variants:
    return ((shape, {"axes": axes}) for shape in SHAPES for axes in _choices_of_axes(shape))


def _variances() -> Variants:
    return ((shape, {**params, "correction": 1}) for shape, params in _reductions())


def _of_some_items() -> Variants:
    """Lines that have items, though there may be no lines."""
    return ((shape, params) for shape, params in _reductions() if all(shape[axis] for axis in params["axes"]))


def _one_axis_or_all() -> Variants:
    return ((shape, params) for shape, params in _of_some_items() if len(params["axes"]) in (0, 1, len(shape)))


def _reduced(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    x = numbers(0, shape, dtype, OPS[op].domain, kind)
    return Sample([x], results(op, reduced_shape(shape, params["axes"]), dtype))


# -- one axis ---------------------------------------------------------------------------------------------------------


def _each_axis() -> Variants:
    return ((shape, {"axis": axis}) for shape in SHAPES for axis in range(len(shape)))


def _both_orders() -> Variants:
    return ((shape, {**params, "descending": descending}) for shape, params in _each_axis() for descending in (False, True))


def _along_axis(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    """Inputs and results of one shape."""
    arity, domain = OPS[op].arity, OPS[op].domain
    return Sample([numbers(i, shape, dtype, domain, kind) for i in range(arity)], results(op, shape, dtype))


def _axes_with_items() -> Variants:
    return ((shape, params) for shape, params in _each_axis() if shape[params["axis"]])


def _skipping_nan() -> Variants:
    return ((shape, {**params, "skip_nan": skip}) for shape, params in _axes_with_items() for skip in (False, True))


def _one_left(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    axis = params["axis"]
    return Sample([numbers(0, shape, dtype, kind=kind)], results(op, (*shape[:axis], 1, *shape[axis + 1 :]), dtype))


def _ranks() -> Variants:
    """Some ranks of short rows, which a kernel may order whole, and few of long ones, where that is waste."""
    parts = [(shape, axis, n // 4, n - n // 3) for shape in SHAPES for axis, n in enumerate(shape)]
    for shape, axis, start, stop in (*parts, *(((3, 70), 1, k, k + n) for k, n in ((0, 1), (34, 1), (69, 1), (5, 9), (9, 0)))):
        for descending in (False, True):
            yield shape, {"axis": axis, "start": start, "stop": stop, "descending": descending}


def _ranked(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    axis = params["axis"]
    shape_of_ranks = (*shape[:axis], params["stop"] - params["start"], *shape[axis + 1 :])
    return Sample([numbers(0, shape, dtype, kind=kind)], results(op, shape_of_ranks, dtype))


# -- transforms -------------------------------------------------------------------------------------------------------


def _transforms() -> Variants:
    for shape in (*SHAPES, (2, 30), (16, 2), (41,)):  # small factors, a power of two, a prime
        for axis, length in enumerate(shape):
            if length:
                yield shape, {"axis": axis, "scale": 1.0 if axis else 0.5}


def _both_directions() -> Variants:
    return ((shape, {**params, "inverse": inverse}) for shape, params in _transforms() for inverse in (False, True))


def _to_real() -> Variants:
    for shape, params in _transforms():
        length = shape[params["axis"]]
        yield from ((shape, {**params, "n": n}) for n in (2 * length - 2, 2 * length - 1) if n)


def _half(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    axis = params["axis"]
    length = params.get("n", shape[axis] // 2 + 1)
    return Sample([numbers(0, shape, dtype)], results(op, (*shape[:axis], length, *shape[axis + 1 :]), dtype))


# -- products ---------------------------------------------------------------------------------------------------------


def _matrices(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    shape = shape if len(shape) > 1 else (3, *shape) if shape else (2,)
    lead = shape[:-1]
    a, b = numbers(0, (*shape, 5), dtype), numbers(1, (*lead, 5, 4), dtype)
    return Sample([a, b], results(op, (*shape, 4), dtype))


def _affine(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    shapes: Sequence[Shape] = ((*shape, 5), (3, 5), (3,))
    return Sample([numbers(i, own, dtype) for i, own in enumerate(shapes)], results(op, (*shape, 3), dtype))


def _vectors() -> Variants:
    return ((shape, {"axis": axis}) for shape, axis in (((3,), 0), ((4, 3), 1), ((3, 2, 5), 0), ((0, 3), 1), ((2, 3, 4), 1)))


def _crossed(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    return Sample([numbers(i, shape, dtype) for i in range(2)], [(shape, dtype)])


# -- joining -----------------------------------------------------------------------------------------------------------

def _joins() -> Variants:
    return ((shape, {"axis": axis}) for shape in ((3, 4), (2, 1, 5), (7,), (0, 3), (33, 3)) for axis in range(len(shape)))


def _joined(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    axis = params["axis"]
    shapes = [(*shape[:axis], n, *shape[axis + 1 :]) for n in (shape[axis], 0, 1, shape[axis] + 2)]
    arrays = [numbers(i, own, dtype, kind=kind) for i, own in enumerate(shapes)]
    return Sample(arrays, [((*shape[:axis], sum(own[axis] for own in shapes), *shape[axis + 1 :]), dtype)])


# -- triangles ---------------------------------------------------------------------------------------------------------

def _triangles() -> Variants:
    shapes = ((3, 4), (5, 2), (2, 3, 3), (0, 3), (2, 0), (33, 40))
    return ((shape, {"diagonal": diagonal}) for shape in shapes for diagonal in (-50, -2, 0, 1, 50))


MAKERS: Final = {
    "along_axis": Maker(_each_axis, _along_axis),
    "cross": Maker(_vectors, _crossed),
    "extreme": Maker(_of_some_items, _reduced),
    "extreme_position": Maker(_one_axis_or_all, _reduced),
    "fft_c2c": Maker(_both_directions, _one_input),
    "fft_c2r": Maker(_to_real, _half),
    "fft_r2c": Maker(_transforms, _half),
    "joined": Maker(_joins, _joined),
    "linear": Maker(plain_variants, _affine),
    "matmul": Maker(plain_variants, _matrices),
    "median": Maker(_skipping_nan, _one_left),
    "mode": Maker(_axes_with_items, _one_left),
    "ranked": Maker(_ranks, _ranked),
    "reduced": Maker(_reductions, _reduced),
    "sorted": Maker(_both_orders, _one_input),
    "triangle": Maker(_triangles, _one_input),
    "variance": Maker(_variances, _reduced),
}
"""By the name that an op's record gives."""
