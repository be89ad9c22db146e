"""The CPU stream against PyTorch itself: the same numbers, the same number of draws, exchangeable states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lamina_flatarray.random import (
    Generator,
    bernoulli,
    cauchy,
    exponential,
    geometric,
    log_normal,
    multinomial,
    normal,
    permutation,
    random_full,
    random_integers,
    uniform,
)
from lamina_testkit import error_bounds

torch = pytest.importorskip("torch", reason="PyTorch, the oracle, is not installed")

SEEDS = (0, 1, 42, 2**31, 2**32 - 1, 2**32, 2**40 + 7, 2**64 - 1, -1, -(2**63))
SIZES = (1, 2, 15, 16, 17, 31, 100, 1000, 100_003)
FLOATS = {
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
}
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def both(seed: int) -> tuple[Generator, Any]:
    return Generator().manual_seed(seed), torch.Generator().manual_seed(seed)


def array_of(tensor: Any) -> np.ndarray[Any, Any]:
    tensor = tensor.contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def same_bits(ours: np.ndarray[Any, Any], theirs: Any) -> None:
    expected = array_of(theirs).reshape(-1)
    assert ours.dtype == expected.dtype
    kind = BITS[ours.dtype.itemsize]
    wrong = np.flatnonzero(ours.view(kind) != expected.view(kind))
    assert wrong.size == 0, (
        f"{wrong.size} of {ours.size} differ, first {wrong[0]}: {ours[wrong[0]]} != {expected[wrong[0]]}"
    )


def in_step(ours: Generator, theirs: Any) -> None:
    np.testing.assert_array_equal(ours.get_state(), theirs.get_state().numpy())


def same_normals(ours: np.ndarray[Any, Any], theirs: Any, mean: float = 0.0) -> None:
    """Bit-equal, but in float64, where logarithms and cosines are those of a library and a processor."""
    if ours.dtype == np.float64:
        theirs = theirs.numpy()
        error_bounds.assert_within(ours, theirs, error_bounds.normal_numbers("float64") * (np.abs(theirs) + abs(mean)))
    else:
        same_bits(ours, theirs)


def in_step_but_for_the_waiting_normal(ours: Generator, theirs: Any) -> None:
    same_but_for_the_waiting_normal(ours.get_state(), theirs.get_state().numpy())


def same_but_for_the_waiting_normal(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> None:
    np.testing.assert_array_equal(a[:5024], b[:5024])
    waiting = a[5024:5032].view(np.float64), b[5024:5032].view(np.float64)
    error_bounds.assert_within(*waiting, error_bounds.normal_numbers("float64") * np.abs(waiting[1]))
    np.testing.assert_array_equal(a[5032:], b[5032:])


@pytest.mark.parametrize("seed", SEEDS)
def test_seed_gives_the_same_state_and_words(seed: int) -> None:
    ours, theirs = both(seed)
    in_step(ours, theirs)
    assert ours.initial_seed() == theirs.initial_seed() % 2**64
    for count in (1, 623, 624, 625, 1248):
        out = np.empty(count, np.int32)
        random_full(out, ours)
        same_bits(out, torch.empty(count, dtype=torch.int32).random_(generator=theirs))
        in_step(ours, theirs)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-0.1, 0.1), (-3.1, 5.3), (0.0, 7.7), (2.0, 2.5), (1e4, 1.0003e4)])
def test_uniform(name: str, size: int, bounds: tuple[float, float]) -> None:
    ours, theirs = both(size)
    out = np.empty(size, FLOATS[name])
    uniform(out, ours, *bounds)
    same_bits(out, torch.empty(size, dtype=getattr(torch, name)).uniform_(*bounds, generator=theirs))
    in_step(ours, theirs)


def test_uniform_never_reaches_the_upper_bound() -> None:
    for name, kind in FLOATS.items():
        high = 2.0 + 4 * float(ml_dtypes.finfo(kind).eps)
        ours, theirs = both(7)
        out = np.empty(100_000, kind)
        uniform(out, ours, 2.0, high)
        assert (out < kind.type(high)).all()
        same_bits(out, torch.empty(out.size, dtype=getattr(torch, name)).uniform_(2.0, high, generator=theirs))


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("mean", "std"), [(0.0, 1.0), (0.7, 2.3), (-100.0, 0.01), (3.0, 0.0)])
def test_normal(name: str, size: int, mean: float, std: float) -> None:
    ours, theirs = both(size + 1)
    out = np.empty(size, FLOATS[name])
    normal(out, ours, mean, std)
    expected = torch.empty(size, dtype=getattr(torch, name)).normal_(mean, std, generator=theirs)
    same_normals(out, expected, mean)
    in_step_but_for_the_waiting_normal(ours, theirs)


def test_a_million_normals_are_bit_equal() -> None:
    ours, theirs = both(123)
    out = np.empty(1 << 20, np.float32)
    normal(out, ours)
    same_bits(out, torch.randn(1 << 20, generator=theirs))


@pytest.mark.parametrize("name", FLOATS)
def test_normal_serial_path_of_a_transposed_tensor(name: str) -> None:
    ours, theirs = both(11)
    out = np.empty(33 * 31, FLOATS[name])
    normal(out, ours, 0.7, 2.3, serial=True)
    tensor = torch.empty(33, 31, dtype=getattr(torch, name)).t()
    tensor.normal_(0.7, 2.3, generator=theirs)
    same_normals(out, tensor.t().reshape(-1), 0.7)


@pytest.mark.parametrize("name", ("bool", *INTEGERS, *FLOATS))
def test_random_full(name: str) -> None:
    ours, theirs = both(5)
    out = np.empty(5001, FLOATS.get(name, name))
    random_full(out, ours)
    same_bits(out, torch.empty(5001, dtype=getattr(torch, name)).random_(generator=theirs))
    in_step(ours, theirs)


@pytest.mark.parametrize("name", (*INTEGERS, *FLOATS))
def test_random_integers_in_every_dtype(name: str) -> None:
    ours, theirs = both(6)
    low = 0 if name == "uint8" else -100
    out = np.empty(5001, FLOATS.get(name, name))
    random_integers(out, ours, low, 101)
    same_bits(out, torch.empty(5001, dtype=getattr(torch, name)).random_(low, 101, generator=theirs))
    in_step(ours, theirs)


@pytest.mark.parametrize("width", (1, 2, 2**16, 10**6 + 3, 2**28 - 1, 2**28, 2**31, 2**32, 2**40 + 1, 2**62, 2**63 - 1))
@pytest.mark.parametrize("low", (0, -5, -(2**62)))
def test_random_integers_of_every_width(width: int, low: int) -> None:
    ours, theirs = both(width % 1000)
    high = min(low + width, 2**63 - 1)
    out = np.empty(999, np.int64)
    random_integers(out, ours, low, high)
    same_bits(out, torch.randint(low, high, (999,), generator=theirs))
    in_step(ours, theirs)


@pytest.mark.filterwarnings("ignore:.*out of bounds:UserWarning")
@pytest.mark.parametrize(
    "bounds", [(0, 2**30), (-(2**30), 2**30), (-1001, 1001), (3, 60000), (-(2**40) - 5, 2**50 + 1)]
)
@pytest.mark.parametrize("name", FLOATS)
def test_random_integers_that_a_floating_dtype_rounds(name: str, bounds: tuple[int, int]) -> None:
    ours, theirs = both(3)
    out = np.empty(999, FLOATS[name])
    if name == "float16" and bounds[1] > 65504:
        with pytest.raises(RuntimeError, match="outside of float16"):
            random_integers(out, ours, *bounds)
        return
    random_integers(out, ours, *bounds)
    same_bits(out, torch.empty(999, dtype=getattr(torch, name)).random_(*bounds, generator=theirs))
    in_step(ours, theirs)


def test_random_integers_of_all_64_bits() -> None:
    ours, theirs = both(3)
    out = np.empty(100, np.int64)
    random_integers(out, ours, -(2**63), 2**63)
    same_bits(out, torch.empty(100, dtype=torch.int64).random_(-(2**63), None, generator=theirs))
    in_step(ours, theirs)


@pytest.mark.parametrize("size", (0, *SIZES))
@pytest.mark.parametrize("name", ("int64", "int32", "float32"))
def test_permutation(size: int, name: str) -> None:
    ours, theirs = both(size)
    out = np.empty(size, name)
    permutation(out, ours)
    same_bits(out, torch.randperm(size, generator=theirs, dtype=getattr(torch, name)))
    in_step(ours, theirs)


def test_permutation_of_many_small_sizes() -> None:
    ours, theirs = both(9)
    for size in range(2, 60):
        for _ in range(10):
            out = np.empty(size, np.int64)
            permutation(out, ours)
            same_bits(out, torch.randperm(size, generator=theirs))


@pytest.mark.parametrize("name", ("bool", *INTEGERS, *FLOATS))
@pytest.mark.parametrize("p", (0.0, 0.3, 0.5, 1.0))
def test_bernoulli_of_a_number(name: str, p: float) -> None:
    ours, theirs = both(4)
    out = np.empty(5001, FLOATS.get(name, name))
    bernoulli(out, ours, p)
    same_bits(out, torch.empty(5001, dtype=getattr(torch, name)).bernoulli_(p, generator=theirs))
    in_step(ours, theirs)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("into", ("bool", "float32", "float64", None))
def test_bernoulli_of_an_array(name: str, into: str | None) -> None:
    ours, theirs = both(4)
    p = torch.linspace(0, 1, 5001).to(getattr(torch, name))
    out = np.empty(5001, FLOATS[name] if into is None else into)
    bernoulli(out, ours, array_of(p))
    target = torch.empty(5001, dtype=getattr(torch, into or name))
    same_bits(out, target.bernoulli_(p, generator=theirs))
    in_step(ours, theirs)


def test_dropout_takes_the_same_mask() -> None:
    torch.manual_seed(12)
    theirs = torch.nn.functional.dropout(torch.ones(1000), 0.3)
    out = np.empty(1000, np.float32)
    bernoulli(out, Generator().manual_seed(12), 1 - 0.3)
    same_bits(out / np.float32(1 - 0.3), theirs)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize(
    ("fill", "method", "arguments"),
    [
        (exponential, "exponential_", (1.0,)),
        (exponential, "exponential_", (2.5,)),
        (cauchy, "cauchy_", (0.5, 2.0)),
        (geometric, "geometric_", (0.3,)),
        (log_normal, "log_normal_", (1.0, 2.0)),
        (log_normal, "log_normal_", (-0.3, 0.25)),
    ],
)
def test_other_distributions(fill: Callable[..., None], method: str, arguments: tuple[float, ...], name: str) -> None:
    for size in (1, 7, 16, 5001):
        ours, theirs = both(8)
        out = np.empty(size, FLOATS[name])
        fill(out, ours, *arguments)
        expected = getattr(torch.empty(size, dtype=getattr(torch, name)), method)(*arguments, generator=theirs)
        a, b = out.astype(np.float64), array_of(expected).astype(np.float64)
        bound: Any = 0.0
        if name == "float64":  # of functions as in `same_normals`; exponents are up to 10
            bound = error_bounds.normal_numbers(name) * (10 * np.abs(b) + abs(arguments[0]))
        error_bounds.assert_within(a, b, bound)
        in_step_but_for_the_waiting_normal(ours, theirs)


def test_serial_numbers_to_the_last_bit() -> None:
    """Logarithms and exponentials are the C library's, as PyTorch's: the normal that waits for the next call is the same, too."""
    for seed in range(100):
        ours, theirs = both(seed)
        for size in (5, 2, 40):
            out = np.empty(size, np.float64)
            log_normal(out, ours)
            same_bits(out, torch.empty(size, dtype=torch.float64).log_normal_(generator=theirs))
            in_step(ours, theirs)


@pytest.mark.parametrize("mean", (700.0, -740.0))
def test_exponentials_beyond_the_range(mean: float) -> None:
    ours, theirs = both(5)
    out = np.empty(300, np.float64)
    log_normal(out, ours, mean, 20.0)
    assert np.isinf(out).any() or (out == 0).any()
    same_bits(out, torch.empty(300, dtype=torch.float64).log_normal_(mean, 20.0, generator=theirs))


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("replacement", (True, False))
@pytest.mark.parametrize("n", (1, 2, 7))
@pytest.mark.parametrize("categories", (7, 1000))
def test_multinomial(name: str, replacement: bool, n: int, categories: int) -> None:
    ours, theirs = both(n)
    table = torch.rand(5, categories, generator=theirs).to(getattr(torch, name)) + 0.01
    uniform(np.empty(5 * categories, np.float32), ours)
    got = multinomial(array_of(table), n, replacement, ours)
    expected = torch.multinomial(table, n, replacement, generator=theirs)
    np.testing.assert_array_equal(got, expected.numpy())
    in_step(ours, theirs)


def test_interleaved_calls_stay_in_step() -> None:
    ours, theirs = both(2**40 + 7)
    pick = np.random.default_rng(0)
    for _ in range(300):
        size, name = int(pick.integers(1, 70)), str(pick.choice(list(FLOATS)))
        kind, dtype = FLOATS[name], getattr(torch, name)
        out, tensor = np.empty(size, kind), torch.empty(size, dtype=dtype)
        match int(pick.integers(0, 8)):
            case 0:
                uniform(out, ours, -1.0, 2.0)
                same_bits(out, tensor.uniform_(-1.0, 2.0, generator=theirs))
            case 1 | 2:
                normal(out, ours)
                same_normals(out, tensor.normal_(generator=theirs))
            case 3:
                high = 2**7 if name in ("float16", "bfloat16") else 2**24
                random_integers(out, ours, 0, high)
                same_bits(out, tensor.random_(0, high, generator=theirs))
            case 4:
                bernoulli(out, ours, 0.2)
                same_bits(out, tensor.bernoulli_(0.2, generator=theirs))
            case 5:
                log_normal(out, ours)
                tensor.log_normal_(generator=theirs)
            case 6:
                order = np.empty(size, np.int64)
                permutation(order, ours)
                same_bits(order, torch.randperm(size, generator=theirs))
            case 7:
                exponential(out, ours)
                tensor.exponential_(generator=theirs)
        in_step_but_for_the_waiting_normal(ours, theirs)


@pytest.mark.parametrize("drawn", (0, 1, 5, 623, 624, 1000))
def test_states_are_exchanged_both_ways(drawn: int) -> None:
    torch.manual_seed(33)
    torch.rand(drawn)
    torch.randn(3)
    ours = Generator().set_state(torch.get_rng_state().numpy())
    np.testing.assert_array_equal(ours.get_state(), torch.get_rng_state().numpy())
    out = np.empty(5, np.float64)
    normal(out, ours)
    np.testing.assert_array_max_ulp(out, torch.randn(5, dtype=torch.float64).numpy(), 2)
    uniform(np.empty(77, np.float32), ours)
    normal(np.empty(4, np.float32), ours)
    torch.set_rng_state(torch.from_numpy(ours.get_state()))
    assert ours.initial_seed() == torch.initial_seed() == 33
    for _ in range(3):
        normal(out, ours)
        np.testing.assert_array_max_ulp(out, torch.randn(5, dtype=torch.float64).numpy(), 2)
    words = np.empty(700, np.int32)
    random_full(words, ours)
    same_bits(words, torch.empty(700, dtype=torch.int32).random_())
    same_but_for_the_waiting_normal(ours.get_state(), torch.get_rng_state().numpy())


def test_known_answers_are_those_of_this_pytorch() -> None:
    from drawing.known_answers_from_torch import TARGET, text

    written = TARGET.read_text(encoding="utf-8")
    start = written.index("KNOWN_ANSWERS: Final")  # above it is the version
    ours = text()
    assert written[start:] == ours[ours.index("KNOWN_ANSWERS: Final") :]
