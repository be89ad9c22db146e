"""torch.compiler.is_compiling: a call is told what it asks, and nobody else is."""

import pytest
from compiling.outcomes import CALLS

import lamina as torch


@pytest.mark.parametrize("asks", [False, True])
def test_a_call_that_stays_eager_is_told_what_it_asks(asks):
    seen = []

    def small(x):
        if asks and torch.compiler.is_compiling():
            return x + 1
        return x + 2

    function = torch.compile(small)
    x = torch.ones(2)
    for _ in range(CALLS + 6):
        seen.append(function(x).tolist())
    assert seen == len(seen) * [2 * [2.0 if asks else 3.0]]
    (way,) = function._ways
    assert way.asks is asks
    way.is_eager, way.trials = True, 0  # whichever was faster just now
    assert function(x).tolist() == seen[0]
    assert not torch.compiler.is_compiling()


def test_an_error_leaves_no_call_to_be_compiled():
    @torch.compile
    def fails(x):
        raise KeyError(torch.compiler.is_compiling())

    for _ in range(2):
        with pytest.raises(KeyError, match="True"):
            fails(torch.ones(2))
        assert not torch.compiler.is_compiling()
