"""What tests of compiled functions ask: whether two tensors are the same, and what became of a function."""

import lamina as torch

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


def kernels_of_repetitions(function, *arguments):
    """How many kernels a call of a compiled function takes, whose results and arguments have the bits of the function's."""
    compiled = torch.compile(function)
    for _ in range(4):
        ours, theirs = ([x.clone() for x in arguments] for _ in range(2))
        results = [[*made] if isinstance(made, tuple) else [made] for made in (compiled(*ours), function(*theirs))]
        for got, expected in zip(*[[*own, *given] for own, given in zip(results, (ours, theirs), strict=True)], strict=True):
            assert got.dtype == expected.dtype
            assert got.numpy().tobytes() == expected.numpy().tobytes()
    (way,) = torch.viz.compiled(compiled).data
    return len(way.steps[0])
