"""Readers of files: what they read. What is damaged or hostile is in `hostile_files`."""

import gzip
import pickle
import struct

import numpy as np
import pytest

from lamina_flatarray import CheckpointError
from lamina_nn.data import DataLoader
from lamina_nn.data.readers import (
    ImageFolder,
    TextLines,
    cifar10,
    cifar100,
    mnist,
    read_csv,
    read_idx,
    read_image,
)

RNG = np.random.default_rng(0)
CODES = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}


def idx(array):
    header = struct.pack(f">HBB{array.ndim}I", 0, CODES[array.dtype.str[1:]], array.ndim, *array.shape)
    return header + array.astype(array.dtype.newbyteorder(">")).tobytes()


def written(path, content):
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("kind", CODES)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_idx(tmp_path, kind, pack):
    array = (RNG.random((3, 4, 5)) * 100).astype(kind)
    got = read_idx(written(tmp_path / "a", pack(idx(array))))
    assert got.numpy().dtype == array.dtype
    assert np.array_equal(got.numpy(), array)


IMAGES = (RNG.random((6, 28, 28)) * 256).astype("u1")
LABELS = np.arange(6, dtype="u1")


def test_mnist(tmp_path):
    written(tmp_path / "train-images-idx3-ubyte", idx(IMAGES))
    written(tmp_path / "train-labels-idx1-ubyte.gz", gzip.compress(idx(LABELS)))
    data = mnist(tmp_path)
    images, labels = next(iter(DataLoader(data, 6)))
    assert np.array_equal(images.numpy(), IMAGES) and labels.tolist() == LABELS.tolist()
    assert labels.dtype.name == "int64"
    written(tmp_path / "train-labels-idx1-ubyte.gz", gzip.compress(idx(LABELS[:5])))
    with pytest.raises(CheckpointError, match=r"labels of shape \(5,\) for images of shape \(6, 28, 28\)"):
        mnist(tmp_path)
    with pytest.raises(FileNotFoundError, match="t10k-images"):
        mnist(tmp_path, train=False)


def test_the_caller_allows_more_to_be_unpacked(tmp_path):
    zeros = np.zeros((70, 1024, 1024), "u1")
    path = written(tmp_path / "zeros.gz", gzip.compress(idx(zeros), 1))
    with pytest.raises(CheckpointError, match=r"takes 73400320 bytes unpacked, and the whole file may take 67108864; .*max_unpacked"):
        read_idx(path)
    assert read_idx(path, max_unpacked=80 << 20).shape == zeros.shape
    with pytest.raises(CheckpointError, match="may take 1000"):
        read_idx(written(tmp_path / "a.gz", gzip.compress(idx(IMAGES))), max_unpacked=1000)
    assert read_idx(written(tmp_path / "a", idx(IMAGES)), max_unpacked=0).shape == IMAGES.shape  # which is not packed


def cifar_file(n, classes, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.stack([rng.integers(0, c, n) for c in classes], axis=1).astype("u1")
    pixels = rng.integers(0, 256, (n, 3, 32, 32)).astype("u1")
    return labels, pixels, np.concatenate([labels, pixels.reshape(n, -1)], axis=1).tobytes()


def test_cifar(tmp_path):
    parts = [cifar_file(4, (10,), i) for i in range(5)]
    for i, (_, _, content) in enumerate(parts):
        written(tmp_path / f"data_batch_{i + 1}.bin", content)
    images, labels = cifar10(tmp_path).tensors
    assert np.array_equal(images.numpy(), np.concatenate([p[1] for p in parts]))
    assert labels.tolist() == [int(label) for p in parts for label in p[0][:, 0]]
    both, pixels, content = cifar_file(7, (20, 100))
    written(tmp_path / "test.bin", content)
    for coarse in (False, True):
        images, labels = cifar100(tmp_path, train=False, coarse=coarse).tensors
        assert np.array_equal(images.numpy(), pixels)
        assert labels.tolist() == both[:, 0 if coarse else 1].tolist()


def test_csv(tmp_path):
    path = written(tmp_path / "a.csv", b'x,"y, or so",z\r\n1,2.5,3\r\n\r\n-4,5e-1,nan\r\n')
    assert read_csv(path).tolist()[0] == [1, 2.5, 3]
    assert read_csv(path, columns=["y, or so", "x"]).tolist() == [[2.5, 1], [0.5, -4]]
    assert read_csv(path, columns=[2, 0], dtype="float64").dtype.name == "float64"
    bare = written(tmp_path / "b.csv", b"1;2\n3;4")
    assert read_csv(bare, header=False, delimiter=";", dtype="int64").tolist() == [[1, 2], [3, 4]]
    assert read_csv(written(tmp_path / "c.csv", b"x,y\n")).shape == (0, 2)
    with pytest.raises(KeyError, match="no column 'w'"):
        read_csv(path, columns=["w"])


def test_lines(tmp_path):
    path = written(tmp_path / "a.txt", "eins\nzwei\r\n\ndrei ü".encode())
    lines = TextLines(path)
    assert list(lines) == ["eins", "zwei", "", "drei ü"] and len(lines) == 4
    assert lines[-1] == "drei ü"
    assert list(DataLoader(lines, 3)) == [["eins", "zwei", ""], ["drei ü"]]
    assert pickle.loads(pickle.dumps(lines))[1] == "zwei"
    with pytest.raises(IndexError):
        lines[4]
    assert len(TextLines(written(tmp_path / "empty.txt", b""))) == 0
    path.write_bytes(b"eins\n")
    with pytest.raises(CheckpointError, match="cut short"):
        TextLines.__getitem__(lines, 3)
    with pytest.raises(CheckpointError, match="can't decode"):
        TextLines(written(tmp_path / "b.txt", b"ok\n\xff\xfe\n"))[1]


def test_image_folders(tmp_path):
    image = pytest.importorskip("PIL.Image", reason="Pillow, the extra `images`, is not installed")
    pixels = {}
    for name in ("dog/b.png", "cat/a.png", "cat/deep/c.bmp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        pixels[name] = RNG.integers(0, 256, (5, 7, 3)).astype("u1")
        image.fromarray(pixels[name]).save(tmp_path / name)
        (tmp_path / name).with_suffix(".txt").write_text("no image")
    data = ImageFolder(tmp_path, target_transform=lambda label: label + 10)
    assert data.classes == ["cat", "dog"] and data.class_to_idx == {"cat": 0, "dog": 1} and data.targets == [0, 0, 1]
    for (got, label), name in zip(data, ("cat/a.png", "cat/deep/c.bmp", "dog/b.png"), strict=False):
        assert np.array_equal(got, pixels[name]) and label == data.targets[0] + 10 + (name[0] == "d")
    assert read_image(tmp_path / "cat/a.png", "L").shape == (5, 7)
    whole = (tmp_path / "cat/a.png").read_bytes()
    for content in (whole[:-30], whole[:40], b"", b"no image at all", whole[:60] + b"\0\0\0\0" + whole[64:]):
        with pytest.raises(CheckpointError, match=r"a\.png: not an image, damaged"):
            read_image(written(tmp_path / "a.png", content))
    (tmp_path / "bird").mkdir()
    with pytest.raises(FileNotFoundError, match="bird"):
        ImageFolder(tmp_path)
    with pytest.raises(FileNotFoundError, match="class folder"):
        ImageFolder(tmp_path / "bird")


def test_an_image_that_claims_too_many_pixels_is_refused(tmp_path):
    image = pytest.importorskip("PIL.Image", reason="Pillow, the extra `images`, is not installed")
    path = tmp_path / "a.png"
    image.new("L", (64, 64)).save(path)
    limit = image.MAX_IMAGE_PIXELS
    try:
        image.MAX_IMAGE_PIXELS = 4000
        with pytest.raises(CheckpointError, match="too large"):
            read_image(path)
    finally:
        image.MAX_IMAGE_PIXELS = limit
    with pytest.raises(CheckpointError, match="64 x 64 takes 4096 bytes unpacked, and the whole file may take 4095"):
        read_image(path, max_unpacked=4095)
    assert read_image(path, max_unpacked=4096).shape == (64, 64, 3)


def test_a_format_that_is_a_program_is_no_image(tmp_path):
    """Pillow would have PostScript run by Ghostscript."""
    image = pytest.importorskip("PIL.Image", reason="Pillow, the extra `images`, is not installed")
    path = tmp_path / "a.png"
    image.new("L", (8, 8)).save(path, "EPS")
    image.open(path).close()  # which it knows
    with pytest.raises(CheckpointError, match="not an image"):
        read_image(path)
