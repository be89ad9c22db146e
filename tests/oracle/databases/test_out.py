"""`out=` over PyTorch's op database: where PyTorch writes a result, lamina writes the same one, and gives that very tensor back."""

import pytest
import torch
from databases import op_database, op_out

import lamina

ENTRIES = {name: info for name, info in op_database.everything().items() if op_out.takes_out(info)}


@pytest.mark.parametrize("name", ENTRIES)
def test_results_are_written_where_the_caller_wants_them(name):
    assert op_out.check(ENTRIES[name])


@pytest.mark.parametrize("name", ENTRIES)
def test_an_out_of_another_shape_is_resized_with_a_warning(name):
    """Where PyTorch resizes an `out` that has items it warns, and other tensors of that memory see the result if it fits."""
    if not op_out.check_resized(ENTRIES[name]):
        pytest.skip("PyTorch takes no out for any of its samples")


def test_an_out_of_another_shape_keeps_its_memory():
    results = []
    for t in (lamina, torch):
        whole = t.zeros(3, 4)
        with pytest.warns(UserWarning, match=r"since it had shape \[2, 4\], which does not match the required output shape \[3\]"):
            t.add(t.ones(3), 1, out=whole[1:])
        part = whole[2:]
        with pytest.warns(UserWarning, match="was resized"):
            t.exp(t.zeros(50), out=part)
        results.append((whole[1].tolist(), tuple(part.shape), part.tolist()))  # of a memory too short, ours is a longer copy
    assert results[0] == results[1]


def test_an_operand_is_not_resized():
    for t in (lamina, torch):
        x = t.ones(3)
        with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
            t.add(x, t.ones(2, 3), out=x)
        assert x.tolist() == [1.0, 1.0, 1.0]
