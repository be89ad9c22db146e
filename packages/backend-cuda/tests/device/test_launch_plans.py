"""Launch plans: a kernel works out twice what it queues for operands that lie alike, and does it again at other addresses."""

import numpy as np
import pytest
from against_reference import placed
from standin import HostPort

from lamina_backend_cuda import CudaBackend
from lamina_flatarray import DeviceError, FlatArray, IndexOutOfRange, Strided
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Row
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.random import Generator
from lamina_testkit.placement import read


@pytest.fixture
def cuda():
    return CudaBackend(HostPort())


@pytest.fixture
def counted(cuda):
    """A kernel whose own work is counted."""

    def of(op):
        kernel = cuda.kernel(op)
        inner, kernel.worked = kernel._kernel, 0

        def counting(*args, **params):
            kernel.worked += 1
            return inner(*args, **params)

        kernel._kernel = counting
        return kernel

    return of


def numbers(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def test_operands_that_lie_alike_are_planned_once(cuda, counted):
    add, kinds = counted("add"), ("compact", "transposed")
    for turn in range(4):
        for kind in kinds:
            a, b = numbers(3, 4) + turn, numbers(3, 4) * turn
            out = placed(cuda, np.zeros((3, 4), np.float32))
            add(out, placed(cuda, a, kind), placed(cuda, b))
            assert (read(out) == a + b).all()
    assert add.worked == 4


def test_numbers_are_part_of_a_plan(cuda, counted):
    multiply, x = counted("multiply"), np.ones(4, np.float32)
    for number in (2.0, 0.0, -0.0, 2, True, float("nan"), float("inf")):
        for _ in range(3):
            out = placed(cuda, np.zeros(4, np.float32))
            multiply(out, placed(cuda, x), number)
            wanted = x * np.float32(number)
            assert np.array_equal(read(out), wanted, equal_nan=True) and (np.signbit(read(out)) == np.signbit(wanted)).all()
    assert multiply.worked == 14


def test_operands_in_one_memory_are_told_from_those_that_are_not(cuda, counted):
    add, kernels = counted("add"), KernelTable.of(cuda, 0, DTYPES["float32"])
    for _ in range(3):
        flat = FlatArray.of(kernels, 8)
        cuda.copy_in(flat.memory, 0, memoryview(np.arange(8, dtype=np.float32)).cast("B"))
        first, second = (Strided(flat[begin : begin + 4], Row(4)) for begin in (0, 4))
        add(first, first, second)
        assert read(first).tolist() == [4, 6, 8, 10]
        other = placed(cuda, np.ones(4, np.float32))
        add(first, first, other)
        assert read(first).tolist() == [5, 7, 9, 11]
    assert add.worked == 4


def test_memory_that_overlaps_that_of_another_owner_is_not_planned(cuda, counted):
    add, kernels = counted("add"), KernelTable.of(cuda, 0, DTYPES["float32"])
    flat = FlatArray.of(kernels, 8)
    cuda.copy_in(flat.memory, 0, memoryview(np.arange(8, dtype=np.float32)).cast("B"))
    parts = [FlatArray.of(kernels, 0) for _ in range(2)]
    for part, begin in zip(parts, (0, 2), strict=True):
        part.memory, part.size = cuda.adopt(flat.memory.address + 4 * begin, 16, 0, flat), 4
    first, second = (Strided(part, Row(4)) for part in parts)
    out = placed(cuda, np.zeros(4, np.float32))
    for _ in range(4):
        add(out, first, second)
        assert read(out).tolist() == [2, 4, 6, 8]
    assert add.worked == 4


def test_scratch_memory_is_taken_anew(cuda, counted):
    var, x = counted("var"), numbers(5, 7)
    for turn in range(4):
        out = placed(cuda, np.zeros(5, np.float32))
        before = cuda.memory_stats().allocated
        var(out, placed(cuda, x * turn), axes=(1,), correction=1)
        assert cuda.memory_stats().allocated == before
        assert np.allclose(read(out), (x * turn).var(1, ddof=1), rtol=1e-6)
    assert var.worked == 2


def test_products_are_planned(cuda, counted):
    matmul = counted("matmul")
    for turn in range(4):
        a, b = numbers(3, 4) + turn, numbers(4, 5) - turn
        out = placed(cuda, np.zeros((3, 5), np.float32))
        matmul(out, placed(cuda, a), placed(cuda, b))
        assert np.allclose(read(out), a @ b, atol=1e-5)
    assert matmul.worked == 2


def test_lists_of_operands_are_planned(cuda, counted):
    multiply, sizes = counted("foreach_multiply"), (3, 1000, 1)
    for turn in range(4):
        arrays = [placed(cuda, numbers(n) + turn) for n in sizes]
        multiply(arrays, placed(cuda, np.full((), turn + 0.5, np.float32)))
        assert all((read(x) == (numbers(n) + turn) * np.float32(turn + 0.5)).all() for x, n in zip(arrays, sizes, strict=True))
    assert multiply.worked == 2


def test_errors_are_found_by_what_is_planned(cuda, counted):
    index, x = counted("index"), numbers(4, 3)
    for place in (1, 2, 7, 3):
        out = placed(cuda, np.zeros((1, 3), np.float32))
        index(out, placed(cuda, x), placed(cuda, np.array([place])))
        if place == 7:
            with pytest.raises(IndexOutOfRange, match="index 7 is out of bounds for size 4"):
                read(out)
        else:
            assert (read(out) == x[place]).all()
    assert index.worked == 2


@pytest.mark.parametrize("device", ["cuda", "cpu"])
def test_what_is_drawn_is_the_same_as_without_plans(cuda, counted, device):
    registry.register(cuda)
    try:
        made, drawn = counted("dropout"), []
        for kernel in (made, made._kernel):
            generator = Generator(device)
            generator.manual_seed(3)
            for _ in range(4):
                out, mask = placed(cuda, np.zeros(100, np.float32)), placed(cuda, np.zeros(100, bool))
                kernel((out, mask), placed(cuda, np.ones(100, np.float32)), generator=generator, p=0.5)
                drawn.append(read(out))
    finally:
        registry.unregister("cuda")
    assert all((drawn[i] == drawn[i + 4]).all() for i in range(4)) and (drawn[0] != drawn[1]).any()
    assert made.worked == (2 if device == "cuda" else 4) + 4


def test_plans_are_bounded(cuda, counted):
    multiply, x, out = counted("multiply"), placed(cuda, np.ones(4, np.float32)), placed(cuda, np.zeros(4, np.float32))
    for number in range(600):
        multiply(out, x, float(number))
    assert len(multiply._plans) <= 256
    assert read(out).tolist() == [599.0] * 4


def test_a_plan_of_a_library_that_is_gone_is_refused():
    cuda = CudaBackend(HostPort(library=True))
    a, b, out = (placed(cuda, x) for x in (numbers(4, 5), numbers(5, 6), np.zeros((4, 6), np.float32)))
    matmul = cuda.kernel("matmul")
    for _ in range(3):
        matmul(out, a, b)
    cuda.port.library = False
    with pytest.raises(DeviceError, match="the library of products, which a launch plan was made with, is not there any more"):
        matmul(out, a, b)
