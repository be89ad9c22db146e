"""What tests of compiled functions ask: whether two tensors are the same, and what became of a function."""

CALLS = 6
"""Enough for a call to be eager, two recorded, and some repeated."""


def ways(compiled):
    return getattr(compiled, "_compiled_function", compiled).explain()


def is_compiled(compiled):
    return ways(compiled)[-1].kernels is not None


def trouble(compiled):
    return [way.trouble for way in ways(compiled) if way.trouble]


def same(x, y):
    return x.shape == y.shape and x.dtype == y.dtype and x.stride() == y.stride() and x.tolist() == y.tolist()
