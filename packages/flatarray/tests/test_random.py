"""The random numbers by themselves: known answers, states, Philox, exact arithmetic, refusals."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from lamina_flatarray import random
from lamina_flatarray.random import MT19937, RandomError, cephes
from lamina_flatarray.random.fma import affine
from lamina_flatarray.random.generator import DEFAULT_SEED, Generator, default_generator
from lamina_flatarray.random.known_answers import KNOWN_ANSWERS, PHILOX_ANSWERS, KnownAnswer

# These call functions of NumPy in float64 whose last bit may depend on the processor.
INEXACT = ("normal", "log_normal", "exponential", "cauchy")


def name_of(case: KnownAnswer) -> str:
    return f"{case.op}-{case.dtype}-{case.seed}-{case.size}-{len(case.parameters)}"


def dtype_named(name: str) -> np.dtype[Any]:
    return np.dtype(ml_dtypes.bfloat16 if name == "bfloat16" else name)


def draw(kind: str = "cpu", size: int = 1000, seed: int = 5) -> np.ndarray[Any, Any]:
    out = np.empty(size, np.float32)
    random.uniform(out, Generator(kind).manual_seed(seed))
    return out


@pytest.mark.parametrize("case", KNOWN_ANSWERS, ids=name_of)
def test_known_answer(case: KnownAnswer) -> None:
    source = Generator().manual_seed(case.seed)
    kind = dtype_named(case.dtype)
    parameters = dict(case.parameters)
    if case.op == "multinomial":
        weights = np.array([parameters.pop("probabilities")], kind)
        out = random.multinomial(weights, generator=source, **parameters)[0]
        kind = np.dtype(np.int64)
    else:
        out = np.empty(case.size, kind)
        getattr(random, case.op)(out, source, **parameters)
    ours, theirs = out[-16:], np.array(case.values, kind)
    if case.op in INEXACT and kind == np.float64:
        np.testing.assert_allclose(ours, theirs, rtol=1e-15)
    else:
        np.testing.assert_array_equal(ours, theirs)


def test_the_words_are_those_of_the_mt19937_paper() -> None:
    engine = MT19937(5489)
    assert engine.draws32(1)[0] == 3499211612
    engine.skip(9998)
    assert engine.draws32(1)[0] == 4123659995  # the C++ standard's 10000th value


def test_unseeded_generators_start_from_pytorchs_constant() -> None:
    assert Generator().initial_seed() == DEFAULT_SEED == 67280421310721
    assert default_generator.device == "cpu"


@pytest.mark.parametrize("device", ("cpu", "cuda:0"))
def test_seeds(device: str) -> None:
    source = Generator(device)
    assert source.manual_seed(-1).initial_seed() == 2**64 - 1
    assert source.seed() == source.initial_seed() != source.seed()
    for seed in (2**64, -(2**63) - 1):
        with pytest.raises(RandomError, match="manual_seed: seed"):
            source.manual_seed(seed)


@pytest.mark.parametrize("device", ("cpu", "cuda:0"))
@pytest.mark.parametrize("before", (0, 3, 624, 1000))
def test_state_goes_round(device: str, before: int) -> None:
    source = Generator(device).manual_seed(9)
    random.uniform(np.empty(before, np.float32), source)
    random.normal(np.empty(3, np.float32), source)
    state = source.get_state()
    twin, other = source.clone(), Generator(device).set_state(state)
    expected = np.empty(1001, np.float64)
    random.normal(expected[:5], source)
    random.normal(expected[5:], source)
    for copy in (twin, other):
        out = np.empty(1001, np.float64)
        random.normal(out[:5], copy)
        random.normal(out[5:], copy)
        np.testing.assert_array_equal(out, expected)
        np.testing.assert_array_equal(copy.get_state(), source.get_state())
    assert not np.array_equal(source.get_state(), state)


def test_compact_state_goes_round() -> None:
    engine = MT19937(3)
    engine.draws64(100)
    engine.next_normal = 0.25
    state = engine.state()
    expected = engine.draws32(700)
    other = MT19937(4)
    other.restore(state)
    np.testing.assert_array_equal(other.draws32(700), expected)
    assert (other.seed_value, other.next_normal) == (3, 0.25)
    with pytest.raises(RandomError, match="624 words"):
        other.restore(state._replace(position=625))


@pytest.mark.parametrize(
    "damage",
    [lambda s: s[:-1], lambda s: s.view(np.int8), lambda s: np.zeros_like(s), lambda s: np.full_like(s, 255)],
    ids=["short", "dtype", "zeros", "ones"],
)
def test_damaged_state_is_refused_and_changes_nothing(damage: Callable[[Any], Any]) -> None:
    source = Generator().manual_seed(1)
    before = source.get_state()
    with pytest.raises(RandomError, match="set_state"):
        source.set_state(damage(before))
    np.testing.assert_array_equal(source.get_state(), before)
    with pytest.raises(RandomError, match="shape"):
        Generator("cuda").set_state(before)


@pytest.mark.parametrize(("counter", "key", "words"), PHILOX_ANSWERS)
def test_philox_known_answers(counter: tuple[int, ...], key: tuple[int, int], words: tuple[int, ...]) -> None:
    got = random.philox4x32(tuple(np.array([c], np.uint32) for c in counter), key)  # type: ignore[arg-type]
    assert tuple(int(w[0]) for w in got) == words


def test_philox_element_depends_on_seed_offset_and_index_only() -> None:
    long, short = draw("cuda", 100_000), draw("cuda", 70)
    np.testing.assert_array_equal(long[:70], short)
    assert np.unique(long[40_000:40_070]).size > 60
    assert not np.array_equal(short, draw("cuda", 70, seed=6))
    source = Generator("cuda").manual_seed(5)
    a, b = np.empty(70, np.float32), np.empty(70, np.float32)
    random.uniform(a, source)
    random.uniform(np.empty(0, np.float32), source)  # no element, no offset
    random.uniform(b, source)
    assert not np.array_equal(a, b)
    words = random.philox4x32(
        tuple(np.array([c], np.uint32) for c in (69, 0, 1, 0)),  # type: ignore[arg-type]
        (5, 0),
    )
    assert b[69] == (int(words[0][0]) & 0xFFFFFF) / 2**24


@pytest.mark.parametrize("device", ("cpu", "cuda"))
@pytest.mark.parametrize("kind", (np.float32, np.float64, np.float16, ml_dtypes.bfloat16))
def test_moments(device: str, kind: Any) -> None:
    source, out = Generator(device).manual_seed(0), np.empty(200_000, kind)
    for fill, arguments, mean, std in (
        (random.uniform, (-1.0, 3.0), 1.0, 4 / 12**0.5),
        (random.normal, (2.0, 0.5), 2.0, 0.5),
        (random.exponential, (2.0,), 0.5, 0.5),
        (random.bernoulli, (0.25,), 0.25, 0.1875**0.5),
        (random.random_integers, (0, 7), 3.0, 2.0),
        (random.geometric, (0.5,), 2.0, 2**0.5),
    ):
        fill(out, source, *arguments)  # type: ignore[operator]
        values = out.astype(np.float64)
        assert abs(values.mean() - mean) < 0.02 and abs(values.std() - std) < 0.03, fill.__name__


@pytest.mark.parametrize("device", ("cpu", "cuda"))
def test_permutation_holds_every_element_once(device: str) -> None:
    source = Generator(device)
    for size in (0, 1, 2, 3, 10, 1000):
        out = np.empty(size, np.int64)
        random.permutation(out, source)
        np.testing.assert_array_equal(np.sort(out), np.arange(size))


def test_permutation_is_the_serial_exchange() -> None:
    for size in range(2, 40):
        out, source, engine = np.empty(size, np.int64), Generator().manual_seed(size), MT19937(size)
        random.permutation(out, source)
        places = list(range(size))
        for i, word in enumerate(engine.draws32(size - 1).tolist()):
            j = i + word % (size - i)
            places[i], places[j] = places[j], places[i]
        assert out.tolist() == places


@pytest.mark.parametrize("device", ("cpu", "cuda"))
def test_multinomial(device: str) -> None:
    weights = np.array([[0.0, 1.0, 3.0], [2.0, 0.0, 2.0]], np.float32)
    source = Generator(device).manual_seed(1)
    many = random.multinomial(weights, 4000, True, source)
    assert many.shape == (2, 4000) and many.dtype == np.int64
    shares = np.array([np.bincount(row, minlength=3) / 4000 for row in many])
    np.testing.assert_allclose(shares, weights / weights.sum(1, keepdims=True), atol=0.04)
    for _ in range(50):
        few = random.multinomial(weights, 2, False, source)
        assert {tuple(sorted(row)) for row in few.tolist()[:1]} == {(1, 2)} and sorted(few[1].tolist()) == [
            0,
            2,
        ]
    with pytest.raises(RandomError, match="without replacement"):
        random.multinomial(weights, 3, False, source)
    with pytest.raises(RandomError, match="NaN"):
        random.multinomial(weights * np.float32("nan"), 1, True, source)
    with pytest.raises(ValueError, match="rows"):
        random.multinomial(weights[0], 1, True, source)


def test_threads_share_one_stream_without_a_tear() -> None:
    source, parts = Generator().manual_seed(5), np.empty((40, 25), np.float64)

    def work(rows: range) -> None:
        for row in rows:
            random.uniform(parts[row], source)

    threads = [threading.Thread(target=work, args=(range(k, 40, 4),)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = np.empty(1000, np.float64)
    random.uniform(whole, Generator().manual_seed(5))
    assert {row.tobytes() for row in parts} == {row.tobytes() for row in whole.reshape(40, 25)}


@pytest.mark.parametrize("kind", (np.float32, np.float64))
def test_affine_is_rounded_once(kind: Any) -> None:
    x = np.random.default_rng(0).standard_normal(400).astype(kind)
    for scale, shift in ((8.4, -3.1), (0.2, -0.1), (3.0, 1e6), (1e-8, 1.0), (2.3, 0.7)):
        got = affine(x, scale, shift)
        a, b = Fraction(float(kind(scale))), Fraction(float(kind(shift)))
        for value, result in zip(x, got, strict=True):
            exact = Fraction(float(value)) * a + b
            error = abs(Fraction(float(result)) - exact)
            assert error <= Fraction(float(np.spacing(abs(result)))) / 2, (value, scale, shift)


def test_float32_functions() -> None:
    x = np.linspace(2.0**-24, 1.0, 100_001, dtype=np.float32)
    np.testing.assert_array_max_ulp(cephes.log(x), np.log(x.astype(np.float64)).astype(np.float32), 2)
    angle = np.linspace(0, 2 * np.pi, 100_001, dtype=np.float32)
    for ours, theirs in zip(cephes.sine_cosine(angle), (np.sin, np.cos), strict=True):
        np.testing.assert_allclose(ours, theirs(angle.astype(np.float64)), rtol=0, atol=1.2e-7)


def test_results_do_not_depend_on_the_blocks_of_a_fill() -> None:
    whole = draw(size=100_000)
    source, parts = Generator().manual_seed(5), np.empty(100_000, np.float32)
    for start in range(0, 100_000, 7777):
        random.uniform(parts[start : start + 7777], source)
    np.testing.assert_array_equal(whole, parts)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda o, g: random.uniform(o[::2], g), np.float32, "1-D contiguous"),
        (random.uniform, np.int32, "floating dtype"),
        (random.normal, np.int32, "floating dtype"),
        (random.random_full, np.complex64, "real dtype"),
        (lambda o, g: random.uniform(o, g, 1.0, 0.0), np.float32, "low <= high"),
        (lambda o, g: random.uniform(o, g, 0.0, float("nan")), np.float32, "low <= high"),
        (lambda o, g: random.normal(o, g, 0.0, -1.0), np.float32, "std >= 0"),
        (lambda o, g: random.random_integers(o, g, 3, 3), np.int32, "low < high"),
        (lambda o, g: random.random_integers(o, g, 0, 257), np.uint8, "outside of uint8"),
        (lambda o, g: random.bernoulli(o, g, 1.5), np.float32, "0 <= p <= 1"),
        (lambda o, g: random.bernoulli(o, g, np.full(3, 0.5)), np.float32, "shape"),
        (lambda o, g: random.exponential(o, g, 0.0), np.float32, "lambd > 0"),
        (lambda o, g: random.cauchy(o, g, 0.0, 0.0), np.float32, "sigma > 0"),
        (lambda o, g: random.geometric(o, g, 1.0), np.float32, "0 < p < 1"),
        (lambda o, g: random.log_normal(o, g, 0.0, 0.0), np.float32, "std > 0"),
        (lambda o, g: random.permutation(np.empty(300, np.uint8), g), np.uint8, "permutation: 300"),
    ],
)
def test_refusals_leave_output_and_stream_alone(call: Callable[..., None], kind: Any, message: str) -> None:
    out, source = np.full(10, 7, kind), Generator().manual_seed(0)
    before = source.get_state()
    with pytest.raises((RuntimeError, TypeError), match=message):
        call(out, source)
    assert (out == 7).all()
    np.testing.assert_array_equal(source.get_state(), before)
