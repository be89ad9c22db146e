"""Image files, and folders of them with a subfolder for each class; Pillow reads them, which the extra `images` brings."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from lamina_flatarray import CheckpointError
from lamina_ndarray.files.unpacking import Unpacking

from ..dataset import Dataset

__all__ = ["ImageFolder", "read_image"]

EXTENSIONS: Final = (".bmp", ".gif", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp")


_WIDTHS: Final = {"I": 4, "F": 4}
_FORMATS: Final = ("BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP")
"""Pillow's names of what has these endings. Of other formats, PostScript's files are programs, which it has Ghostscript run."""


def read_image(
    path: str | os.PathLike[str], mode: str = "RGB", *, max_unpacked: int | None = None
) -> np.ndarray[Any, Any]:
    """An image file as an array.

    Args:
        path: a BMP, GIF, JPEG, PNG, PPM or PGM, TIFF or WebP file, whatever its name says.
        mode: Pillow's name of the pixels' kind: "RGB", "L" for grey, "RGBA".
        max_unpacked: how many bytes the pixels may take in the file's own kind; None: 64 for each byte of the file, or 64 MiB
            where that is more. Pillow's own limit, Image.MAX_IMAGE_PIXELS, stands beside it.

    Returns:
        uint8, (height, width, channels), or (height, width) for "L".

    Raises:
        ModuleNotFoundError: Pillow is not installed.
        CheckpointError: the file is damaged, cut short or no such image, or unpacks to more than is allowed.
    """
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise ModuleNotFoundError("images are read by Pillow: pip install 'lamina-nn[images]'", name="PIL") from None
    with open(path, "rb") as file:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                content = file.read()  # from a file, Pillow reads as much as a chunk claims, into memory for it
                with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
                    width = len(image.getbands()) * _WIDTHS.get(image.mode.partition(";")[0], 1)
                    unpacked = image.width * image.height * width
                    Unpacking("the image", len(content), max_unpacked).take(unpacked, f"{image.width} x {image.height}")
                    return np.array(image.convert(mode))
        except Exception as error:  # Pillow's decoders do not say what they raise for which damage
            raise CheckpointError(f"{os.fspath(path)}: not an image, damaged, cut short or too large: {error!s:.500}") from error


class ImageFolder(Dataset[tuple[Any, int]]):
    """Images in subfolders, one for each class: `root/cat/1.png`. Classes are numbered in the order of their names.

    Args:
        root: the folder.
        transform: from an image to what is given for it.
        target_transform: from the class's number to what is given for it.
        loader: from a path to an image; by default `read_image`: uint8, (height, width, 3).
        is_valid_file: which files are taken; by default those with an image's ending.

    Attributes:
        classes: names by number.
        class_to_idx: numbers by name.
        samples: (path, number of the class) of each image; `imgs` is the same list.
        targets: the numbers alone.

    Raises:
        FileNotFoundError: there are no classes, or one without images.
    """

    def __init__(
        self, root: str | os.PathLike[str], transform: Callable[[Any], Any] | None = None,
        target_transform: Callable[[Any], Any] | None = None, loader: Callable[[str], Any] = read_image,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:  # fmt: skip
        self.root, self.transform, self.target_transform, self.loader = os.fspath(root), transform, target_transform, loader
        self.classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
        if not self.classes:
            raise FileNotFoundError(f"Couldn't find any class folder in {self.root}.")
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}
        self.samples: list[tuple[str, int]] = []
        for name, number in self.class_to_idx.items():
            paths = _images(Path(root) / name, is_valid_file)
            if not paths:
                raise FileNotFoundError(f"{self.root}: found no image for the class {name}")
            self.samples += [(path, number) for path in paths]
        self.imgs = self.samples
        self.targets = [number for _, number in self.samples]

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        path, target = self.samples[index]
        image = self.loader(path)
        return (
            image if self.transform is None else self.transform(image),
            target if self.target_transform is None else self.target_transform(target),
        )

    def __len__(self) -> int:
        return len(self.samples)


def _images(folder: Path, is_valid_file: Callable[[str], bool] | None) -> Sequence[str]:
    paths = (os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    return sorted(p for p in paths if (p.lower().endswith(EXTENSIONS) if is_valid_file is None else is_valid_file(p)))
