"""Whether eager or compiled calls are faster is asked again where eager ones were: other programs take time from either."""

import math

import pytest

import lamina as torch


@pytest.fixture
def compiled():
    function = torch.compile(lambda x: x + 1)
    for _ in range(9):
        function(torch.ones(2))
    (way,) = function._ways
    assert way.trials == 0
    way.calls, way.looks, way.next_look = 9, 0, math.inf
    way.look_again()
    return function


def _call(function, count):
    for _ in range(count):
        assert function(torch.ones(2)).tolist() == [2.0, 2.0]


def test_compiled_calls_that_are_faster_are_kept(compiled):
    (way,) = compiled._ways
    way.best = [math.inf, -1.0]
    _call(compiled, 300)
    assert (way.trials, way.is_eager, way.looks) == (0, False, 0)


def test_eager_calls_that_are_faster_are_looked_at_four_times(compiled):
    (way,) = compiled._ways
    way.best = [-1.0, math.inf]
    _call(compiled, 6)
    assert (way.trials, way.is_eager, way.looks) == (0, True, 1)
    _call(compiled, way.next_look - way.calls + 1)
    assert (way.trials, way.is_eager) == (5, False)
    while way.next_look < math.inf:
        _call(compiled, 50)
    assert (way.trials, way.is_eager, way.looks) == (0, True, 4)


def test_a_moment_does_not_decide(compiled):
    (way,) = compiled._ways
    way.best = [-1.0, math.inf]
    _call(compiled, 6)
    assert way.is_eager
    way.best[1] = -2.0
    _call(compiled, way.next_look - way.calls + 7)
    assert (way.trials, way.is_eager, way.looks) == (0, False, 1)
