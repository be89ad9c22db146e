"""One call of an op on the stand-in and on the NumPy reference, whose results are compared item by item."""

import numpy as np

import lamina_ndarray  # noqa: F401 - the reference's decompositions
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtypes import DTYPES, dtype_of
from lamina_testkit.placement import place, read, untouched

__all__ = ["assert_as_reference", "placed"]


def placed(backend, values, kind="compact"):
    """An operand of these values, or None for None."""
    return None if values is None else place(values, kind, backend, dtype_of(values.dtype))


def assert_as_reference(cuda, op, inputs, outputs, bounds, kind="compact", **params):
    """Hold a native kernel against the reference's, or its decomposition.

    Args:
        cuda: the backend on the stand-in; the kernels that it launches for this call stay in its port's list.
        op, inputs, params: what is called; inputs are NumPy arrays, or None.
        outputs: shape and dtype name of each result.
        bounds: how far each may be off, absolutely, given an array of them or a number for all.
        kind: the layout of all operands.

    Returns:
        What the stand-in computed.
    """
    reference = registry.backend("numpy")
    first = next(x for x in inputs if x is not None)
    results = []
    for backend in (reference, cuda):
        arrays = [placed(backend, x, kind) for x in inputs]
        outs = tuple(place(np.zeros(shape, DTYPES[name].numpy), kind, backend, DTYPES[name]) for shape, name in outputs)
        out = outs if len(outs) > 1 else outs[0]
        if backend is cuda:
            cuda.port.launches.clear()
            cuda.kernel(op)(out, *arrays, **params)
        else:
            KernelTable.of(reference, 0, dtype_of(first.dtype))[op](out, *arrays, **params)
        assert all(untouched(x) for x in outs)
        results.append([read(x) for x in outs])
    for wanted, found, bound in zip(*results, bounds, strict=True):
        far = np.abs(found.astype(float) - wanted.astype(float)) > bound
        assert not far.any(), f"{op}: {found[far][:3]} instead of {wanted[far][:3]} at {np.argwhere(far)[0]}, within {bound}"
        assert (np.isnan(found.astype(float)) == np.isnan(wanted.astype(float))).all()
    return results[1]
