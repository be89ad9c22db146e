"""Faults in positions and in random fills."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray.contract import Kernel
from lamina_flatarray.numpy_backend.view import view
from lamina_flatarray.random import Generator

from .fault import fault

__all__: list[str] = []


@fault("index", "test_gather.py::test_positions_from_the_end[float32]")
def refuses_the_first_from_the_end(right: Kernel) -> Kernel:
    """-n is taken to be outside."""

    def kernel(out: Any, x: Any, *indices: Any, from_front: bool = False) -> None:
        for axis, places in enumerate(indices):
            if (view(places) <= -x.layout.shape[axis]).any():
                raise IndexError("index out of range")
        right(out, x, *indices, from_front=from_front)

    return kernel


@fault("index", "test_gather.py::test_positions_from_the_end[int32]")
def clamps_positions(right: Kernel) -> Kernel:
    """A position outside stands for the nearest one inside."""

    def kernel(out: Any, x: Any, *indices: Any, from_front: bool = False) -> None:
        arrays = tuple(np.clip(view(p), -n, n - 1) for p, n in zip(indices, x.layout.shape, strict=False))
        view(out)[...] = view(x)[arrays]

    return kernel


@fault("index", "test_gather.py::test_positions_from_the_front[float32]")
def forgets_the_front(right: Kernel) -> Kernel:
    """A negative position counts from the end, asked or not."""

    def kernel(out: Any, x: Any, *indices: Any, from_front: bool = False) -> None:
        right(out, x, *indices)

    return kernel


@fault("gather", "test_gather.py::test_negative_positions_along_an_axis[float32]")
def gathers_from_the_end(right: Kernel) -> Kernel:
    """A negative position counts from the end of the axis."""

    def kernel(out: Any, x: Any, indices: Any, axis: int) -> None:
        view(out)[...] = np.take_along_axis(view(x), view(indices), axis)

    return kernel


@fault("index_put", "test_gather.py::test_index_put[False-compact-float32]")
def first_of_equal_positions_wins(right: Kernel) -> Kernel:
    """Of equal positions the first is written last."""

    def kernel(out: Any, values: Any, *indices: Any, accumulate: bool, from_front: bool = False) -> None:
        if accumulate:
            right(out, values, *indices, accumulate=True, from_front=from_front)
        else:
            arrays = [view(places)[::-1] for places in indices]
            view(out)[tuple(arrays)] = view(values)[::-1]

    return kernel


@fault("index_put", "test_gather.py::test_index_put[True-compact-float32]")
def adds_once(right: Kernel) -> Kernel:
    """Of equal positions only one is added."""

    def kernel(out: Any, values: Any, *indices: Any, accumulate: bool, from_front: bool = False) -> None:
        if accumulate:
            view(out)[tuple(view(places) for places in indices)] += view(values)
        else:
            right(out, values, *indices, accumulate=False, from_front=from_front)

    return kernel


@fault("random_uniform", "test_random.py::test_fills_follow_each_other[random_uniform-float32]")
def does_not_advance(right: Kernel) -> Kernel:
    """The generator stays where it was."""

    def kernel(out: Any, generator: Generator, **params: Any) -> None:
        right(out, generator=generator.clone(), **params)

    return kernel


@fault("random_normal", "test_random.py::test_fills_follow_each_other[random_normal-float32]")
def repeats_after_1024(right: Kernel) -> Kernel:
    """Every block of 1,024 items has the numbers of the first one."""

    def kernel(out: Any, generator: Generator, **params: Any) -> None:
        right(out, generator=generator, **params)
        items = view(out)
        if items.ndim == 1 and items.size > 1024:
            items[...] = np.resize(items[:1024].copy(), items.size)

    return kernel


@fault("random_uniform", "test_random.py::test_streams_are_longer_than_32_bits[random_uniform-float32]", device_type="accelerator")
def repeats_after_32_bits(right: Kernel) -> Kernel:
    """The upper half of the counter of fills is not used."""

    def kernel(out: Any, generator: Generator, **params: Any) -> None:
        state = generator.get_state()
        short = generator.clone()
        cut = state.copy()
        cut[12:] = 0
        short.set_state(cut)
        right(out, generator=short, **params)
        right_numbers = view(out).copy()
        right(out, generator=generator, **params)
        view(out)[...] = right_numbers

    return kernel
