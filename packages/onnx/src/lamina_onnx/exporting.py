"""`export`: a model as an ONNX program."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

import onnx

from lamina_nn import Module

from .errors import OnnxExporterError
from .inputs import named_inputs
from .program import ONNXProgram, compare
from .runs import runs_of
from .writing import written

__all__ = ["NEWEST", "OLDEST", "export"]

OLDEST: Final = 17
"""The oldest opset that lowerings serve: the first with LayerNormalization."""

NEWEST: Final = 23
"""The newest opset that lowerings are tested at."""

DEFAULT: Final = 20
"""The opset that is written where none is asked for."""


def export(
    model: Callable[..., Any],
    args: tuple[Any, ...] = (),
    f: str | os.PathLike[str] | None = None,
    *,
    kwargs: dict[str, Any] | None = None,
    verbose: bool | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset_version: int | None = None,
    external_data: bool = True,
    dynamic_shapes: Mapping[str, Any] | Sequence[Any] | None = None,
    verify: bool = False,
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
    dynamic_axes: Mapping[str, Mapping[int, str] | Sequence[int]] | None = None,
) -> ONNXProgram:
    """Write what a model does with its arguments as an ONNX graph.

    The model is run, in evaluation mode, and the functions that it calls are written down. It is run again with other items, and at
    other sizes of the axes that are named: integers that differ become expressions of these sizes, and whatever else differs is an
    error that names the place. https://docs.pytorch.org/docs/stable/onnx_export.html

    Args:
        model: a module, or a function of tensors.
        args: its arguments; a single tensor may stand alone.
        f: the path of a file to write, or None.
        kwargs: its arguments by name.
        verbose: whether the graph is printed.
        input_names: names for the tensors among the arguments, in order; by default those of the parameters of `forward`.
        output_names: names for the outputs, in order.
        opset_version: the version of the ops, from `OLDEST` to `NEWEST`.
        external_data: whether a model that is too large for one file has its parameters in a second one.
        dynamic_shapes: for each argument, in order or by name, a dict from an axis to a name for its size, or a list of these names;
            None for what is constant. Objects with `__name__`, `min` and `max`, as PyTorch's `Dim`, may stand for names.
        verify: whether onnxruntime is asked for the outputs, and they are compared.
        export_params: whether the values of parameters and buffers are written.
        keep_initializers_as_inputs: whether parameters and buffers are inputs, too.
        dynamic_axes: for an input by name, a dict from an axis to a name for its size, or a list of axes.

    Returns:
        The program.

    Raises:
        OnnxExporterError: the model cannot be written, or `verify` finds a difference; an `UnsupportedOperatorError` where a function
            has no ONNX.
        TypeError: the arguments do not fit the model.
        ValueError: names do not fit the tensors, or the opset is not served.
        ModuleNotFoundError: `verify` needs onnxruntime, which is not installed.

    >>> import lamina_nn as nn
    >>> from lamina_onnx import export
    >>> program = export(nn.Linear(2, 3), (torch.ones(4, 2),), dynamic_axes={"input": {0: "batch"}})
    >>> [d.dim_param or d.dim_value for d in program.model_proto.graph.output[0].type.tensor_type.shape.dim]
    ['batch', 3]
    """
    opset = DEFAULT if opset_version is None else opset_version
    if not OLDEST <= opset <= NEWEST:
        raise ValueError(f"export: opset_version must be from {OLDEST} to {NEWEST}, got {opset}")
    positional = tuple(args) if isinstance(args, (tuple, list)) else (args,)
    forward = model.forward if isinstance(model, Module) else model
    inputs = named_inputs(forward, positional, kwargs or {}, input_names, dynamic_axes, dynamic_shapes)
    state, modules, training = {}, {}, []
    if isinstance(model, Module):
        state = {**dict(model.named_parameters()), **dict(model.named_buffers())}
        modules = dict(model.named_modules())
        training = [module for module in model.modules() if module.training]
    for name in inputs.tensors.keys() & state.keys():
        raise ValueError(f"export: an input and a parameter are both called {name!r}; give input_names")
    for module in training:
        module.training = False
    try:
        runs = runs_of(model, inputs, state, modules)
    finally:
        for module in training:
            module.training = True
    proto = written(
        runs, inputs, state, opset, output_names, export_params, keep_initializers_as_inputs, version("lamina-onnx")
    )
    if proto.ByteSize() < 2**31:
        try:
            onnx.checker.check_model(proto, full_check=True)
        except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
            raise OnnxExporterError(f"export: the graph is not valid: {error}") from error
    if verify:
        verified(proto, runs, inputs.tensors)
    program = ONNXProgram(proto)
    if verbose:
        print(onnx.printer.to_text(proto))
    if f is not None:
        program.save(f, external_data=None if external_data else False)
    return program


def verified(proto: onnx.ModelProto, runs: Sequence[Any], names: Mapping[str, Any]) -> None:
    """Compare what onnxruntime answers in each run with what the model answered.

    Raises:
        OnnxExporterError: they differ.
    """
    for run in runs:
        values = run.record.values[: len(names)]
        feeds = {value.name: value.tensor.numpy(force=True) for value in values}
        compare(proto, feeds, [x.numpy(force=True) for x in run.outputs])
