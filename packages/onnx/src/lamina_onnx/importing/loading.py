"""`load`: a model out of a file, bytes or a protocol buffer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import onnx
from google.protobuf.message import DecodeError

from .module import OnnxModule

__all__ = ["load"]


def load(source: str | os.PathLike[str] | bytes | onnx.ModelProto) -> OnnxModule:
    """Read an ONNX model as a module, which runs over lamina's functions and can be trained further.

    Nothing in a model is run but the ops of the standard. Files that hold tensors lie in the model's folder.

    Args:
        source: the path of a file, its bytes, or a model of the `onnx` package.

    Returns:
        A module whose parameters and buffers are the initializers.

    Raises:
        UnsupportedOperatorError: an op, a domain or a dtype is not served.
        ValueError: the file is no valid model, or names a file of tensors that is not in its folder.
        OSError: a file cannot be read.

    >>> import lamina_nn as nn
    >>> from lamina_onnx import export, load
    >>> model = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
    >>> export(model, (torch.ones(1, 2),), "model.onnx")  # doctest: +ELLIPSIS
    <lamina_onnx.program.ONNXProgram object at ...>
    >>> again = load("model.onnx")
    >>> bool((again(torch.ones(4, 2)) == model(torch.ones(4, 2))).all())
    True
    """
    folder = None
    if isinstance(source, onnx.ModelProto):
        model = onnx.ModelProto()
        model.CopyFrom(source)
    else:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
        folder = None if isinstance(source, bytes) else Path(source).resolve().parent
        model = onnx.ModelProto()
        try:
            model.ParseFromString(content)
        except DecodeError as error:
            raise ValueError(f"load: {told(source)} is no ONNX model: {error}") from error
    take_in(model.graph, folder, told(source))
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        raise ValueError(f"load: {told(source)} is no valid model: {error}") from error
    if model.functions:
        raise ValueError(
            f"load: {told(source)} defines functions of its own, {[f.name for f in model.functions]}, which are not run here"
        )
    return OnnxModule(model)


def told(source: Any) -> str:
    """What a source is called in errors."""
    if isinstance(source, bytes):
        return f"what has {len(source)} bytes"
    return "the model" if isinstance(source, onnx.ModelProto) else repr(os.fspath(source))


def take_in(graph: onnx.GraphProto, folder: Path | None, name: str) -> None:
    """Read the tensors that lie in files of their own.

    Raises:
        ValueError: a file does not lie in the model's folder, or has not the items that it is to have.
    """
    waiting = [graph]
    while waiting:
        part = waiting.pop()
        tensors = [*part.initializer, *(a.t for node in part.node for a in node.attribute if a.HasField("t"))]
        for tensor in tensors:
            if tensor.data_location == onnx.TensorProto.EXTERNAL:
                read_in(tensor, folder, name)
        waiting += [a.g for node in part.node for a in node.attribute if a.HasField("g")]
        waiting += [g for node in part.node for a in node.attribute for g in a.graphs]


def read_in(tensor: onnx.TensorProto, folder: Path | None, name: str) -> None:
    """Read one such tensor."""
    facts = {entry.key: entry.value for entry in tensor.external_data}
    location = facts.get("location", "")
    if folder is None:
        raise ValueError(f"load: the tensor {tensor.name!r} lies in the file {location!r}; load the model by its path")
    path = (folder / location).resolve()
    if not location or not path.is_relative_to(folder) or not path.is_file():
        raise ValueError(
            f"load: {name} keeps the tensor {tensor.name!r} in {location!r}, which is no file in its folder"
        )
    try:
        items = int(onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize)
        offset = int(facts.get("offset", "0"))
        length = int(facts["length"]) if "length" in facts else path.stat().st_size - offset
    except (KeyError, ValueError, TypeError) as error:
        raise ValueError(
            f"load: {name} says of the tensor {tensor.name!r} what is no offset, length or dtype: {error}"
        ) from error
    count = 1
    for n in tensor.dims:
        count *= n
    packed = items * count if tensor.data_type not in PACKED else -(-count // (8 // PACKED[tensor.data_type]))
    if offset < 0 or length != packed or offset + length > path.stat().st_size:
        raise ValueError(
            f"load: the tensor {tensor.name!r} of {name} is to have {packed} bytes, and is said to have {length} at {offset} of "
            f"{path.stat().st_size}"
        )
    with path.open("rb") as file:
        file.seek(offset)
        tensor.raw_data = file.read(length)
    tensor.data_location = onnx.TensorProto.DEFAULT
    del tensor.external_data[:]


PACKED = {
    getattr(onnx.TensorProto, name): bits
    for name, bits in (("INT4", 4), ("UINT4", 4), ("FLOAT4E2M1", 4), ("INT2", 2), ("UINT2", 2))
    if hasattr(onnx.TensorProto, name)
}
"""Dtypes of which several items share a byte -> the bits of one."""
