"""An exported model: its graph, and a run of it by onnxruntime."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx

import lamina_tensor as lt
from lamina_ndarray.files.replacing import replacing
from lamina_tensor import Tensor

from .errors import OnnxExporterError

__all__ = ["ONNXProgram"]

LARGEST = 2**31 - 2**20
"""Bytes that protocol buffers can hold in one message, less some for what is no tensor."""


class ONNXProgram:
    """What `export` returns.

    Args:
        model_proto: the model, as the `onnx` package has it.

    >>> import lamina_nn as nn
    >>> from lamina_onnx import export
    >>> program = export(nn.Linear(2, 3), (torch.ones(1, 2),))
    >>> [node.op_type for node in program.model_proto.graph.node]
    ['Gemm']
    """

    def __init__(self, model_proto: onnx.ModelProto) -> None:
        self.model_proto = model_proto

    def save(
        self,
        destination: str | os.PathLike[str],
        *,
        include_initializers: bool = True,
        keep_initializers_as_inputs: bool = False,
        external_data: bool | None = None,
    ) -> None:
        """Write the model to a file, which appears whole or not at all; one of items takes its place just before it.

        Args:
            destination: its path.
            include_initializers: whether parameters and constants are written with it.
            keep_initializers_as_inputs: whether they are inputs, too, which a run may replace.
            external_data: whether their items go to a file of their own beside it, `NAME.data`; by default, where the model is
                larger than 2 GB, which one file cannot be.

        Raises:
            ValueError: the model is larger than one file can be, and `external_data` is false.

        >>> import lamina_nn as nn
        >>> from lamina_onnx import export
        >>> export(nn.Linear(2, 3), (torch.ones(1, 2),)).save("linear.onnx")
        """
        model = onnx.ModelProto()
        model.CopyFrom(self.model_proto)
        if keep_initializers_as_inputs or not include_initializers:
            have = {value.name for value in model.graph.input}
            for tensor in model.graph.initializer:
                if tensor.name not in have:
                    value = onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
                    model.graph.input.append(value)
        if not include_initializers:
            del model.graph.initializer[:]
        large = model.ByteSize() > LARGEST
        if large and external_data is False:
            raise ValueError(
                f"save: the model has {model.ByteSize()} bytes, which one file cannot hold; pass external_data=True"
            )
        if not (external_data or large):
            with replacing(destination) as file:
                file.write(model.SerializeToString())
            return
        folder, name = os.path.split(os.path.realpath(destination))
        items = f"{name}.data"
        with TemporaryDirectory(dir=folder) as beside:
            made = os.path.join(beside, name)
            onnx.save_model(model, made, save_as_external_data=True, location=items, size_threshold=1024)
            if os.path.exists(os.path.join(beside, items)):  # where a tensor is large enough
                os.replace(os.path.join(beside, items), os.path.join(folder, items))
            os.replace(made, os.path.join(folder, name))

    def __call__(self, *args: Tensor, **kwargs: Tensor) -> tuple[Tensor, ...]:
        """Run the graph by onnxruntime, on the CPU.

        Args:
            *args: tensors for the inputs, in order.
            **kwargs: tensors for inputs, by name.

        Returns:
            The outputs.

        Raises:
            ModuleNotFoundError: onnxruntime is not installed.
            TypeError: an input is missing, or there is none of that name.

        >>> import lamina_nn as nn
        >>> from lamina_onnx import export
        >>> program = export(nn.ReLU(), (torch.ones(2),))
        >>> program(torch.tensor([-1.0, 1.0]))  # doctest: +SKIP
        (tensor([0., 1.]),)
        """
        names = [value.name for value in self.model_proto.graph.input]
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        initialized = {tensor.name for tensor in self.model_proto.graph.initializer}
        if len(args) > len(names) or given.keys() - names or set(names) - given.keys() - initialized:
            raise TypeError(f"ONNXProgram() takes the inputs {names}, got {len(args)} by position and {sorted(kwargs)}")
        outputs = run_by_onnxruntime(self.model_proto, {name: x.numpy(force=True) for name, x in given.items()})
        return tuple([lt.tensor(array) for array in outputs])


def run_by_onnxruntime(model: onnx.ModelProto, feeds: dict[str, Any]) -> list[Any]:
    """What onnxruntime answers on the CPU.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    try:
        import onnxruntime
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "running an exported model needs onnxruntime: pip install lamina-onnx[run]", name=error.name
        ) from error
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # what it would rather have had is no affair of the caller's
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    used = {value.name for value in session.get_inputs()}
    return list(session.run(None, {name: np.ascontiguousarray(x) for name, x in feeds.items() if name in used}))


def compare(model: onnx.ModelProto, feeds: dict[str, Any], expected: list[Any]) -> None:
    """Compare what onnxruntime answers with what the model answered.

    Raises:
        OnnxExporterError: a dtype, a shape or an item differs.
    """
    for value, ours, theirs in zip(model.graph.output, expected, run_by_onnxruntime(model, feeds), strict=True):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            raise OnnxExporterError(
                f"export: the output {value.name!r} is {ours.dtype}{list(ours.shape)} of the model, and {theirs.dtype}{list(theirs.shape)} "
                "of the graph"
            )
        tolerance = 1e-3 if ours.dtype.kind == "f" else 0
        if not np.allclose(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True):
            worst = float(np.nanmax(np.abs(ours.astype(np.float64) - theirs.astype(np.float64))))
            raise OnnxExporterError(
                f"export: the output {value.name!r} of the graph is up to {worst:.3g} off the model's"
            )
