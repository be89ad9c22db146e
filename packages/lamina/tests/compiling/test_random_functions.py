"""Random functions give the same bits compiled as eagerly; those that did not, once, and what makes much of little memory."""

from itertools import product

import pytest
from compiling.random_functions import (
    OTHER_LENGTHS,
    SAME_LENGTHS,
    TWO_LENGTHS,
    RandomFunction,
    difference,
    runs,
    shortest,
    written,
)

import lamina as torch
from lamina_ndarray.programs import recomputing


@pytest.mark.parametrize(
    ("lengths", "little"),
    [(SAME_LENGTHS, recomputing._LITTLE), (SAME_LENGTHS, 0), *[(each, recomputing._LITTLE) for each in (OTHER_LENGTHS, TWO_LENGTHS)]],
    ids=["as it is", "all is recomputed", "at other lengths", "at two other lengths"],
)
@pytest.mark.parametrize("seed", range(0, 30, 3))
def test_random_functions(seed, lengths, little, monkeypatch):
    monkeypatch.setattr(recomputing, "_LITTLE", little)
    ran = 0
    for one, writes, with_gradients in product(range(seed, seed + 3), (False, True), (False, True)):
        function = written(one, writes=writes, with_gradients=with_gradients)
        told = difference(function, lengths)
        assert told is None, f"{told}\n{function.source()}"
        ran += runs(function, lengths) is not None
    assert ran


@pytest.mark.parametrize(
    "lines",
    [
        "v0 = x0.sin(); v1 = v0 + v0.t()",
        "v0 = torch.atan2(x0, x1); v1 = v0.clone(); v1[:1] += v1[1:2]",
        "v0 = x0.sin(); v1 = v0.tanh(); v2 = v0.sum(0)",
    ],
)
def test_what_once_differed(lines):
    for with_gradients in (False, True):
        function = RandomFunction([(40, 40), (40, 40)], lines.split("; "), ["v1"], with_gradients)
        assert runs(function) is not None
        assert difference(function) is None


def test_a_difference_is_found_and_made_short(monkeypatch):
    compiled = torch.compile
    monkeypatch.setattr(torch, "compile", lambda f: compiled(lambda *given: [x + 1 for x in f(*given)]))
    function = RandomFunction([(4, 4), (4, 4)], ["v0 = x0 + x1", "v1 = v0.exp()", "v2 = v1.sin()"], ["v2", "v0"], False)
    assert difference(function) == "call 0: results [0, 1] differ"
    assert shortest(function) == RandomFunction([(4, 4), (4, 4)], ["v0 = x0 + x1"], ["v0"], False)
