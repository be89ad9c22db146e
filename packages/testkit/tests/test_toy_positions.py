"""Positions and rearrangements on a device with the required kernels only agree with the host's."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray.backends import registry
from lamina_testkit.toy import ToyBackend

ITEMS = np.arange(24).reshape(2, 3, 4)


@pytest.fixture(scope="module")
def device():
    backend = ToyBackend()
    registry.register(backend)
    yield backend.device_type
    registry.unregister("toy")


def at(x, places):
    """Positions on the device of x."""
    return nd.to_device(nd.asarray(places), x.device)


CALLS = {
    "tril": nd.tril,
    "roll": lambda x: nd.roll(x, 3),
    "rot90": nd.rot90,
    "tile": lambda x: nd.tile(x, (2, 1)),
    "repeat_interleave": lambda x: nd.repeat_interleave(x, [1, 0, 2], 1),
    "diag": lambda x: nd.diag(x[0]),
    "diag_embed": nd.diag_embed,
    "block_diag": lambda x: nd.block_diag(x[0], x[1]),
    "hstack": lambda x: nd.hstack([x, x]),
    "masked_fill": lambda x: nd.masked_fill(x, x > 3, 9),
    "masked_select": lambda x: nd.masked_select(x, x > 3),
    "masked_scatter": lambda x: nd.masked_scatter(x, x > 3, x),
    "index_add": lambda x: nd.index_add(x, 1, at(x, [0, 0, 2]), x),
    "index_copy": lambda x: nd.index_copy(x, 1, at(x, [0, 0, 2]), x),
    "index_fill": lambda x: nd.index_fill(x, 1, at(x, [0, 0, 2]), 5),
    "take": lambda x: nd.take(x, at(x, [0, -1])),
    "argwhere": lambda x: nd.argwhere(x > 3),
    "nonzero_static": lambda x: nd.nonzero_static(x > 3, size=30),
    "tril_indices": lambda x: nd.tril_indices(3, 4, device=x.device),
    "diagonal_scatter": lambda x: nd.diagonal_scatter(x[0], x[1, :, 0]),
    "slice_scatter": lambda x: nd.slice_scatter(x, x[:, :1] * 2, 1, 1, 2),
    "unravel_index": lambda x: nd.unravel_index(x, (4, 6))[1],
    "take_along_axis": lambda x: nd.take_along_axis(x, at(x, [[[0], [1], [2]]]), 2),
    "a list": lambda x: x[:, [0, 2]],
    "a mask on the host": lambda x: x[..., nd.asarray([True, False, True, False])],
    "constant_pad": lambda x: nd.constant_pad(x, (1, -1)),
    **{
        f"scatter_reduce-{reduce}": lambda x, reduce=reduce: nd.scatter_reduce(
            x, 1, at(x, [[[0, 1, 1, 2], [0, 1, 0, 2], [0, 0, 0, 2]]]), x, reduce
        )
        for reduce in ("sum", "prod", "mean", "amax", "amin")
    },
}


@pytest.mark.parametrize("name", CALLS)
def test_a_device_agrees_with_the_host(name, device):
    x = nd.asarray(ITEMS)
    made = CALLS[name](nd.to_device(x, device))
    assert made.device.type == device
    np.testing.assert_array_equal(np.asarray(nd.to_device(made, "cpu")), np.asarray(CALLS[name](x)))


def test_writing_on_a_device(device):
    x, y = nd.asarray(ITEMS, copy=True), nd.to_device(nd.asarray(ITEMS), device)
    for a in (x, y):
        a[a > 20] = 1
        a[:, [0, 1]] = at(a, 2)
        a[0] = a[1]
        a[1:, ::2] = nd.asarray([7, 8, 9, 10])
    assert nd.to_device(y, "cpu").tolist() == x.tolist()
