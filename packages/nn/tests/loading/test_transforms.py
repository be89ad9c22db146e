"""Transforms of images: tensors and arrays alike, and what they draw."""

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_nn.data.transforms import (
    CenterCrop,
    Compose,
    Grayscale,
    InterpolationMode,
    Lambda,
    Normalize,
    Pad,
    RandomCrop,
    RandomHorizontalFlip,
    RandomResizedCrop,
    RandomVerticalFlip,
    Resize,
    ToTensor,
)

PIXELS = np.random.default_rng(0).integers(0, 256, (17, 23, 3)).astype(np.uint8)
EVERY = [
    RandomHorizontalFlip(1), RandomVerticalFlip(1), RandomHorizontalFlip(0), Pad((1, 2, 3, 4), 7), Pad((1, 2), (1, 2, 3)),
    Pad(3, 0, "reflect"), Pad(2, 0, "edge"), Pad(2, 0, "symmetric"), CenterCrop(9), CenterCrop((30, 20)), Resize(10),
    Resize(10, max_size=12), Resize((5, 50), "nearest"), Resize((40, 9)), RandomCrop(8, padding=2), RandomCrop((17, 23)),
    RandomCrop(28, pad_if_needed=True), RandomCrop((4, 9), padding=(1, 2), padding_mode="reflect"),
    RandomResizedCrop(12), RandomResizedCrop((5, 30), scale=(0.01, 0.02), ratio=(30, 40)), Resize(7, InterpolationMode.NEAREST),
]  # fmt: skip


@pytest.mark.parametrize("transform", EVERY, ids=repr)
def test_tensors_and_arrays_come_out_alike(transform):
    planes = lt.from_numpy(PIXELS.transpose(2, 0, 1).copy())
    lt.manual_seed(0)
    a = transform(PIXELS)
    lt.manual_seed(0)
    b = transform(planes)
    assert isinstance(a, np.ndarray) and a.dtype == np.uint8 and b.dtype is planes.dtype
    assert np.array_equal(a, b.numpy().transpose(1, 2, 0))
    lt.manual_seed(0)
    batch = transform(lt.stack([planes, planes]))
    assert lt.equal(batch[0], b) and lt.equal(batch[1], b)


def test_geometry():
    grid = np.arange(12).reshape(3, 4)
    assert RandomHorizontalFlip(1)(grid)[0].tolist() == [3, 2, 1, 0]
    assert RandomVerticalFlip(1)(grid)[:, 0].tolist() == [8, 4, 0]
    assert CenterCrop((1, 2))(grid).tolist() == [[5, 6]]
    assert Pad((1, 0, 0, 2), 9)(grid).tolist() == [[9, 0, 1, 2, 3], [9, 4, 5, 6, 7], [9, 8, 9, 10, 11], [9] * 5, [9] * 5]
    assert Resize(6)(PIXELS).shape == (6, 8, 3) and Resize(6)(PIXELS.transpose(1, 0, 2)).shape == (8, 6, 3)
    assert Resize(100, max_size=110)(PIXELS).shape == (81, 110, 3)


def test_random_ones_draw_from_the_default_generator_as_torchvision_does():
    x = lt.arange(100).reshape(1, 10, 10)
    lt.manual_seed(3)
    flipped = [RandomHorizontalFlip(0.3)(x)[0, 0, 0].item() == 9 for _ in range(20)]
    crops = [RandomCrop((4, 7))(x)[0, 0, 0].item() for _ in range(5)]
    lt.manual_seed(3)
    assert flipped == [lt.rand(1).item() < 0.3 for _ in range(20)]
    assert crops == [10 * lt.randint(0, 7, (1,)).item() + lt.randint(0, 4, (1,)).item() for _ in range(5)]
    before = lt.get_rng_state()
    RandomCrop(10)(x)  # one place only: nothing to draw
    assert lt.equal(lt.get_rng_state(), before)


def test_to_tensor_and_normalize():
    got = ToTensor()(PIXELS)
    assert got.dtype.name == "float32" and got.shape == (3, 17, 23)
    assert np.array_equal(got.numpy(), PIXELS.transpose(2, 0, 1) / np.float32(255))
    assert ToTensor()(PIXELS[:, :, 0]).shape == ToTensor()(lt.from_numpy(PIXELS[:, :, 0].copy())).shape == (1, 17, 23)
    assert ToTensor()(PIXELS.astype(np.float64) * 2).max().item() > 255
    mean, std = (0.5, 0.4, 0.3), (0.2, 0.25, 0.3)
    expected = (PIXELS / np.float32(255) - np.float32(mean)) / np.float32(std)
    whole = Compose([ToTensor(), Lambda(lambda x: x + 0), Normalize(mean, std)])
    assert np.allclose(whole(PIXELS).numpy().transpose(1, 2, 0), expected, rtol=1e-6)
    assert np.allclose(Normalize(mean, std)(PIXELS / np.float32(255)), expected, rtol=1e-6)
    Normalize(mean, std, inplace=True)(got)
    assert lt.equal(got, whole(PIXELS))
    assert "Normalize" in repr(whole)


def test_pillow_images_are_taken():
    image = pytest.importorskip("PIL.Image", reason="Pillow, the extra `images`, is not installed")
    assert np.array_equal(RandomHorizontalFlip(1)(image.fromarray(PIXELS)), PIXELS[:, ::-1])


@pytest.mark.parametrize("size", [(5, 23), (31, 9), (60, 60), (17, 8), (5, 6), (17, 23)])
def test_sizes_and_brightness_are_pillows_to_the_bit(size):
    image = pytest.importorskip("PIL.Image", reason="Pillow, the extra `images`, is not installed")
    for pixels in (PIXELS, PIXELS[:, :, 0]):
        theirs = image.fromarray(pixels).resize(size[::-1], image.Resampling.BILINEAR)
        assert np.array_equal(Resize(size)(pixels), theirs)
    grey = image.fromarray(PIXELS).convert("L")
    assert np.array_equal(Grayscale()(PIXELS), grey) and Grayscale(3)(PIXELS).shape == PIXELS.shape
    planes = ToTensor()(PIXELS)
    assert np.allclose(Grayscale()(planes)[0].numpy() * 255, grey, atol=1) and Grayscale(3)(planes).shape == planes.shape
    assert np.array_equal(Grayscale()(PIXELS[:, :, 0]), PIXELS[:, :, 0])


def test_parts_of_random_shape_are_drawn_as_torchvision_draws_them():
    x = lt.arange(400).reshape(1, 20, 20)
    lt.manual_seed(4)
    got = RandomResizedCrop((20, 20), interpolation="nearest")(x)
    lt.manual_seed(4)
    area, log_ratio = lt.empty(1).uniform_(0.08, 1.0).item() * 400, lt.empty(1).uniform_(*np.log(np.float32([0.75, 4 / 3])).tolist())
    ratio = log_ratio.exp().item()
    wide, high = round((area * ratio) ** 0.5), round((area / ratio) ** 0.5)
    top, left = lt.randint(0, 20 - high + 1, (1,)).item(), lt.randint(0, 20 - wide + 1, (1,)).item()
    assert got[0, 0, 0].item() == 20 * top + left > 0 and (high, wide) != (20, 20)
    assert got[0, -1, -1].item() == 20 * (top + 19 * high // 20) + left + 19 * wide // 20


@pytest.mark.parametrize("bad, error", [
    (lambda: Grayscale(2), ValueError), (lambda: Grayscale()(np.zeros((2, 2, 4))), ValueError),
    (lambda: RandomCrop(30)(PIXELS), ValueError), (lambda: RandomCrop(0), ValueError), (lambda: Resize(-1), ValueError),
    (lambda: Resize(5, "cubic"), ValueError), (lambda: Resize((5, 6), max_size=9), ValueError), (lambda: Pad(-1), ValueError),
    (lambda: Pad(1, 0, "wrap"), ValueError), (lambda: Normalize(0.5, 0.0), ValueError),
    (lambda: Normalize(0.5, 0.5)(PIXELS), TypeError), (lambda: Normalize(0.5, 0.5)(lt.zeros(1, 2, 2, dtype="uint8")), TypeError),
    (lambda: ToTensor()([[1]]), TypeError), (lambda: CenterCrop(2)(np.zeros(3)), TypeError), (lambda: Lambda(3), TypeError),
    (lambda: RandomHorizontalFlip(2), ValueError),
])  # fmt: skip
def test_what_cannot_be_is_refused(bad, error):
    with pytest.raises(error):
        bad()
