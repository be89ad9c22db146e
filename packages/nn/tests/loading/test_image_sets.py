"""Known image sets from torchvision's folders, and grids of images."""

import io
import struct

import numpy as np
import pytest

import lamina_tensor as lt
from lamina_flatarray import CheckpointError
from lamina_nn.data import DataLoader
from lamina_nn.data.grids import make_grid, save_image
from lamina_nn.data.image_sets import CIFAR10, CIFAR100, MNIST, FakeData, FashionMNIST
from lamina_nn.data.transforms import ToTensor


def written(folder, count=6):
    folder.mkdir(parents=True)
    for part in ("train", "t10k"):
        pixels = np.arange(count * 784).astype(np.uint8)
        (folder / f"{part}-images-idx3-ubyte").write_bytes(struct.pack(">4i", 0x803, count, 28, 28) + pixels.tobytes())
        (folder / f"{part}-labels-idx1-ubyte").write_bytes(struct.pack(">2i", 0x801, count) + bytes(range(count)))


def test_mnist_lies_where_torchvision_puts_it(tmp_path):
    written(tmp_path / "FashionMNIST" / "raw")
    plain = FashionMNIST(tmp_path, download=True)
    assert plain.data.shape == (6, 28, 28) and plain.targets.tolist() == list(range(6)) and len(plain) == 6
    image, label = plain[lt.tensor(2)]
    assert isinstance(image, np.ndarray) and image[0, 1] == (2 * 784 + 1) % 256 and label == 2
    assert plain.class_to_idx["Sandal"] == 5 and "Split: Train" in repr(plain)
    changed = FashionMNIST(str(tmp_path), train=False, transform=ToTensor(), target_transform=lambda label: 10 * label)
    images, labels = next(iter(DataLoader(changed, batch_size=4)))
    assert images.shape == (4, 1, 28, 28) and labels.tolist() == [0, 10, 20, 30]
    with pytest.raises(FileNotFoundError, match=r"MNIST: .*Nothing is downloaded here: put train-images-idx3-ubyte, .*MNIST.raw"):
        MNIST(tmp_path, download=True)


def test_cifar_is_read_from_its_binary_version(tmp_path):
    folder = tmp_path / "cifar-10-batches-bin"
    with pytest.raises(FileNotFoundError, match="binary version"):
        CIFAR10(tmp_path, download=True)
    folder.mkdir()
    (folder / "batches.meta.txt").write_text("airplane\nautomobile\n\n")
    record = bytes([7]) + bytes(range(256)) * 12
    for name in [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]:
        (folder / f"{name}.bin").write_bytes(record)
    photos = CIFAR10(tmp_path)
    assert photos.data.shape == (5, 32, 32, 3) and photos.targets == [7] * 5 and photos.classes == ["airplane", "automobile"]
    image, label = photos[0]
    assert image[0, 1].tolist() == [1, 1, 1] and image[1, 0, 0] == 32 and label == 7
    (folder / "batches.meta.txt").write_bytes(b"airplane\n\xff\n")
    with pytest.raises(CheckpointError, match=r"batches\.meta\.txt: the names of classes: .*position 9"):
        CIFAR10(tmp_path)
    folder = tmp_path / "cifar-100-binary"
    folder.mkdir()
    (folder / "fine_label_names.txt").write_text("apple\nbee\n")
    (folder / "test.bin").write_bytes(bytes([3]) + record)
    assert CIFAR100(tmp_path, train=False)[0][1] == 7


def test_noise_is_the_same_for_a_position():
    noise = FakeData(3, (1, 4, 5), num_classes=2, transform=ToTensor())
    state = lt.get_rng_state()
    image, label = noise[1]
    assert image.shape == (1, 4, 5) and label in (0, 1) and lt.equal(noise[1][0], image)
    assert not lt.equal(noise[2][0], image) and lt.equal(lt.get_rng_state(), state)
    assert lt.equal(FakeData(3, (1, 4, 5), random_offset=1, transform=ToTensor())[0][0], image)
    with pytest.raises(IndexError):
        noise[3]


def test_grids():
    images = lt.arange(5).reshape(5, 1, 1, 1).expand(5, 1, 2, 3).float()
    grid = make_grid(images, nrow=3, padding=1, pad_value=9)
    assert grid.shape == (3, 7, 13) and grid[0, 1].tolist() == [9, 0, 0, 0, 9, 1, 1, 1, 9, 2, 2, 2, 9]
    assert grid[2, 4].tolist() == [9, 3, 3, 3, 9, 4, 4, 4, 9, 9, 9, 9, 9]
    assert make_grid(images, normalize=True).max().item() == 1
    assert make_grid(images, normalize=True, value_range=(0, 2), pad_value=0.25).unique().tolist() == [0, 0.25, 0.5, 1]
    assert make_grid(list(images), normalize=True, scale_each=True).max().item() == 0  # each is of one colour
    assert make_grid(images[0, 0]).shape == make_grid(images[0]).shape == (3, 2, 3)
    with pytest.raises(TypeError, match="list of tensors"):
        make_grid(3)


def test_images_are_written(tmp_path):
    pillow = pytest.importorskip("PIL.Image", reason="Pillow, the extra `images`, is not installed")
    colours = lt.tensor([0.0, 0.5, 2.0, -1.0]).reshape(1, 1, 2, 2)
    save_image(colours, tmp_path / "a.png")
    assert np.asarray(pillow.open(tmp_path / "a.png"))[..., 1].tolist() == [[0, 128], [255, 0]]
    file = io.BytesIO()
    save_image([colours[0], colours[0]], file, format="png", padding=0)
    assert pillow.open(file).size == (4, 2)
