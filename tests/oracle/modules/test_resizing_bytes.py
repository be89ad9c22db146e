"""Pictures of uint8 resized: PyTorch's bytes, smoothed and not, by size and by factor, in both orders of memory."""

import numpy as np
import pytest
import torch

import lamina

SIZES = [((20, 24), (12, 16)), ((7, 9), (15, 31)), ((33, 5), (8, 5)), ((1, 40), (3, 2)), ((64, 48), (5, 7)), ((6, 6), (6, 1))]


@pytest.mark.parametrize(("given", "size"), SIZES, ids=str)
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("options", [{}, {"antialias": True}, {"align_corners": True}], ids=str)
def test_the_same_bytes(given, size, mode, options):
    pixels = np.random.default_rng(0).integers(0, 256, (2, 3, *given), dtype=np.uint8)
    pixels[1] = np.where(pixels[1] > 127, 255, 0)  # where a cubic curve leaves the range of bytes
    theirs, ours = (
        library.nn.functional.interpolate(library.from_numpy(pixels), size, mode=mode, **options).numpy() for library in (torch, lamina)
    )
    assert ours.dtype == np.uint8
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("channels", [1, 4, 6])  # from five on PyTorch takes another path
@pytest.mark.parametrize("factor", [0.37, 1.0, (2.6, 0.8)], ids=str)
def test_factors_channels_and_orders_of_memory(channels, factor):
    pixels = np.random.default_rng(1).integers(0, 256, (2, channels, 17, 23), dtype=np.uint8)
    for antialias in (False, True):
        theirs, ours = (
            library.nn.functional.interpolate(
                library.from_numpy(pixels).to(memory_format=library.channels_last),
                scale_factor=factor, mode="bilinear", antialias=antialias,
            )
            for library in (torch, lamina)
        )
        np.testing.assert_array_equal(ours.numpy(), theirs.numpy())
        assert channels == 1 or ours.stride() == theirs.stride()


def test_many_channels_to_one_column():
    """PyTorch writes into another order than it reads here: six channels at once are not those channels three by three."""
    pixels = torch.randint(0, 256, (2, 6, 10, 5), dtype=torch.uint8)
    resized = [torch.nn.functional.interpolate(part, (35, 1), mode="bilinear", antialias=True) for part in pixels.split(3, 1)]
    ours = lamina.nn.functional.interpolate(lamina.from_numpy(pixels.numpy()), (35, 1), mode="bilinear", antialias=True)
    np.testing.assert_array_equal(ours.numpy(), torch.cat(resized, 1).numpy())


@pytest.mark.parametrize("library", [torch, lamina], ids=["torch", "lamina"])
def test_other_whole_numbers_and_ranks_are_refused(library):
    asked = [((1, 2, 4, 5), "int32", "bilinear"), ((1, 2, 5), "uint8", "linear"), ((1, 2, 3, 4, 5), "uint8", "trilinear")]
    for shape, dtype, mode in asked:
        with pytest.raises((NotImplementedError, RuntimeError, TypeError), match="not implemented for"):
            library.nn.functional.interpolate(
                library.ones(shape, dtype=getattr(library, dtype)), size=[3] * (len(shape) - 2), mode=mode
            )
