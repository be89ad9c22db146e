"""What a file of tensors holds, by what its first bytes say it is. Only what tells of tensors is read, and nothing is executed."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from lamina_flatarray import CheckpointError

__all__ = ["Contents", "Stored", "contents"]

_NESTS: Final = (list, tuple, Mapping)


class Stored(NamedTuple):
    """A tensor in a file.

    Attributes:
        name: the way to it, with slashes: `model/0.weight`.
        dtype: how its items are stored, as the format calls it.
        shape: its lengths.
        nbytes: of its items; None where the format does not say.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    nbytes: int | None


class Contents(NamedTuple):
    """What a file holds.

    Attributes:
        format: of the file.
        tensors: in the file's order.
        about: the other values in it, by name, as texts.
    """

    format: str
    tensors: tuple[Stored, ...]
    about: dict[str, str]


def contents(path: str | Path) -> Contents:
    """Read what a file says of its tensors.

    Args:
        path: of a .pt, .safetensors, .gguf, .onnx, .npy or .npz file; its name does not matter.

    Returns:
        The format, the tensors, and what stands beside them.

    Raises:
        CheckpointError: the file is of another format, or damaged.
        ModuleNotFoundError: its format wants a package that is not installed.
        OSError: the file cannot be opened.
    """
    file = Path(path)
    with file.open("rb") as opened:
        start = opened.read(9)
    if start.startswith(b"GGUF"):
        return _of_gguf(file)
    if start.startswith(b"\x93NUMPY"):
        from lamina_ndarray import files

        return Contents("NumPy .npy", tuple(_walked({"array": files.load(file, mmap_mode="c")}, {})), {})
    if start.startswith(b"PK\x03\x04"):
        return _of_zip(file)
    if start[8:9] == b"{":
        return _of_safetensors(file)
    if start.startswith(b"\x80"):
        return _of_torch(file, mmap=False, format="PyTorch .pt, from before 1.6")
    if file.suffix == ".onnx" or start.startswith(b"\x08"):  # a model's first field is the version of its format
        return _of_onnx(file)
    raise CheckpointError(f"{file} is no file of tensors that lamina knows: it begins with {start!r}")


def _of_gguf(file: Path) -> Contents:
    from lamina_nn.gguf import open_gguf

    with open_gguf(file) as opened:
        tensors = tuple(Stored(name, opened.type(name), opened.shape(name), opened.nbytes(name)) for name in opened)
        return Contents(f"GGUF, version {opened.version}", tensors, _texts(opened.metadata))


def _of_safetensors(file: Path) -> Contents:
    from lamina_ndarray.files import open_safetensors

    open_safetensors(file).close()  # which has checked that the header is whole
    with file.open("rb") as opened:
        header = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
    about = header.pop("__metadata__", None) or {}
    tensors = [
        Stored(name, facts["dtype"], tuple(facts["shape"]), facts["data_offsets"][1] - facts["data_offsets"][0])
        for name, facts in header.items()
    ]
    return Contents("safetensors", tuple(tensors), _texts(about))


def _of_zip(file: Path) -> Contents:
    """NumPy's archives hold .npy files; PyTorch's a pickle."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile as error:
        raise CheckpointError(f"{file} is no whole archive: {error}") from error
    if names and all(name.endswith(".npy") for name in names):
        from lamina_ndarray import files

        return Contents("NumPy .npz", tuple(_walked(files.load(file), {})), {})
    return _of_torch(file, mmap=True, format="PyTorch .pt")


def _of_torch(file: Path, mmap: bool, format: str) -> Contents:
    from lamina_nn.files import load

    about: dict[str, str] = {}
    return Contents(format, tuple(_walked(load(file, map_location="cpu", mmap=mmap), about)), about)


def _of_onnx(file: Path) -> Contents:
    try:
        import onnx
        from google.protobuf.message import DecodeError
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{file} is read by the package onnx: pip install 'lamina[onnx]'", name=error.name) from error
    try:
        model = onnx.load(str(file), load_external_data=False)
    except DecodeError as error:
        raise CheckpointError(f"{file} is no ONNX model: {error}") from error
    tensors = []
    for tensor in model.graph.initializer:
        dtype, shape = onnx.TensorProto.DataType.Name(tensor.data_type).lower(), tuple(tensor.dims)
        tensors.append(Stored(tensor.name, dtype, shape, len(tensor.raw_data) or None))
    kinds = [node.op_type for node in model.graph.node]
    about = {
        "producer": f"{model.producer_name} {model.producer_version}".strip(),
        "opset": ", ".join(f"{opset.domain or 'ai.onnx'} {opset.version}" for opset in model.opset_import),
        "inputs": ", ".join(value.name for value in model.graph.input),
        "outputs": ", ".join(value.name for value in model.graph.output),
        "nodes": f"{len(kinds)}: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)),
    }
    return Contents("ONNX", tuple(tensors), about)


def _walked(tree: Any, about: dict[str, str]) -> Iterator[Stored]:
    """The tensors of a nest of mappings and sequences; other values go to `about`. Without recursion: files nest as deep as they like."""
    waiting: list[tuple[str, Any]] = [("", tree)]
    while waiting:
        name, value = waiting.pop()
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            shape = tuple(value.shape)
            yield Stored(name, getattr(value.dtype, "name", str(value.dtype)), shape, math.prod(shape) * value.dtype.itemsize)
        elif isinstance(value, Mapping) and value:
            waiting += reversed([(f"{name}/{key}".lstrip("/"), inner) for key, inner in value.items()])
        elif isinstance(value, list | tuple) and any(isinstance(inner, _NESTS) or hasattr(inner, "dtype") for inner in value):
            waiting += reversed([(f"{name}/{place}".lstrip("/"), inner) for place, inner in enumerate(value)])
        else:
            about.update(_texts({name: value}))


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: repr(value) if isinstance(value, str) and not value.isprintable() else str(value) for name, value in values.items()}
