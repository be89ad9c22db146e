"""PyTorch's `torch.onnx`: `export` writes a model as an ONNX graph, with the package lamina-onnx, which the extra `onnx` installs."""

from __future__ import annotations

import enum
import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..absent_names import explained

if TYPE_CHECKING:
    from lamina_onnx import ONNXProgram

__all__ = ["OperatorExportTypes", "TrainingMode", "export", "is_in_onnx_export", "register_custom_op_symbolic"]


class TrainingMode(enum.IntEnum):
    """In which mode a model is exported.

    >>> torch.onnx.TrainingMode.EVAL.value
    0
    """

    EVAL = 0
    PRESERVE = 1
    TRAINING = 2


class OperatorExportTypes(enum.IntEnum):
    """Which ops an exported model may have: there are those of ONNX.

    >>> torch.onnx.OperatorExportTypes.ONNX.value
    0
    """

    ONNX = 0
    ONNX_ATEN = 1
    ONNX_ATEN_FALLBACK = 2
    ONNX_FALLTHROUGH = 3


def export(
    model: Any,
    args: tuple[Any, ...] = (),
    f: str | os.PathLike[str] | None = None,
    *,
    kwargs: dict[str, Any] | None = None,
    verbose: bool | None = None,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    opset_version: int | None = None,
    dynamo: bool = True,
    external_data: bool = True,
    dynamic_shapes: dict[str, Any] | tuple[Any, ...] | list[Any] | None = None,
    custom_translation_table: dict[Callable[..., Any], Callable[..., Any]] | None = None,
    report: bool = False,
    optimize: bool = True,
    verify: bool = False,
    profile: bool = False,
    dump_exported_program: bool = False,
    artifacts_dir: str | os.PathLike[str] = ".",
    export_params: bool = True,
    keep_initializers_as_inputs: bool = False,
    dynamic_axes: Mapping[str, Mapping[int, str]] | Mapping[str, Sequence[int]] | None = None,
    training: TrainingMode = TrainingMode.EVAL,
    operator_export_type: OperatorExportTypes = OperatorExportTypes.ONNX,
    do_constant_folding: bool = True,
    custom_opsets: Mapping[str, int] | None = None,
    export_modules_as_functions: bool | Collection[type[Any]] = False,
    autograd_inlining: bool = True,
) -> ONNXProgram | None:
    """Write what a model does with its arguments as an ONNX graph: see `lamina_onnx.export`.

    Args:
        model: a module, or a function of tensors.
        args: its arguments.
        f: the path of a file to write, or None.
        kwargs: its arguments by name.
        verbose: whether the graph is printed.
        input_names: names for the tensors among the arguments, in order.
        output_names: names for the outputs, in order.
        opset_version: the version of the ops.
        dynamo: false for None as the result; there is one way to export.
        external_data: whether a model that is too large for one file has its parameters in a second one.
        dynamic_shapes: for each argument, which axes are dynamic.
        custom_translation_table: not supported.
        report, profile, dump_exported_program: not supported.
        optimize: without effect: constants are folded, and nothing else is rewritten.
        verify: whether onnxruntime is asked for the outputs, and they are compared.
        artifacts_dir: without effect: there are no artifacts.
        export_params: whether the values of parameters and buffers are written.
        keep_initializers_as_inputs: whether parameters and buffers are inputs, too.
        dynamic_axes: for an input by name, a dict from an axis to a name for its size, or a list of axes.
        training: only evaluation is supported.
        operator_export_type: only ops of ONNX are supported.
        do_constant_folding: without effect: what depends on neither inputs nor parameters is always folded.
        custom_opsets, export_modules_as_functions: not supported.
        autograd_inlining: without effect: there are no subgraphs of gradients.

    Returns:
        The program, or None where `dynamo` is false.

    Raises:
        ModuleNotFoundError: lamina-onnx is not installed.
        NotImplementedError: what is asked for is not supported.
        RuntimeError: the model cannot be written; the message says why and where.

    >>> program = torch.onnx.export(torch.nn.Linear(2, 3), (torch.ones(1, 2),))  # doctest: +SKIP
    """
    refused = {
        "custom_translation_table": custom_translation_table, "report": report, "profile": profile,
        "dump_exported_program": dump_exported_program, "custom_opsets": custom_opsets,
        "export_modules_as_functions": export_modules_as_functions,
    }  # fmt: skip
    for name, value in refused.items():
        if value:
            raise NotImplementedError(f"torch.onnx.export: {name}={value!r} is not supported")
    if training == TrainingMode.TRAINING or (training == TrainingMode.PRESERVE and getattr(model, "training", False)):
        raise NotImplementedError(
            "torch.onnx.export: a model is exported in evaluation mode only; there is no training graph"
        )
    if operator_export_type != OperatorExportTypes.ONNX:
        raise NotImplementedError(
            f"torch.onnx.export: {operator_export_type!r} is not supported: there are ops of ONNX only"
        )
    try:
        from lamina_onnx import export as write
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"torch.onnx.export needs the package {error.name}: pip install lamina[onnx]", name=error.name
        ) from error
    program = write(
        model, args, f, kwargs=kwargs, verbose=verbose, input_names=input_names, output_names=output_names, opset_version=opset_version,
        external_data=external_data, dynamic_shapes=dynamic_shapes, verify=verify, export_params=export_params,
        keep_initializers_as_inputs=keep_initializers_as_inputs, dynamic_axes=dynamic_axes,
    )  # fmt: skip
    return program if dynamo else None


def is_in_onnx_export() -> bool:
    """Tell whether a model is being exported, here and now.

    Returns:
        A bool.

    >>> torch.onnx.is_in_onnx_export()
    False
    """
    loaded = sys.modules.get("lamina_onnx.runs")
    return loaded is not None and bool(loaded.exporting.get())


def register_custom_op_symbolic(symbolic_name: str, symbolic_fn: Callable[..., Any], opset_version: int) -> None:
    """Accept how an op is to be exported: PyTorch's older exporter would ask for it, and `export` does not.

    Args:
        symbolic_name: the op's, with its namespace.
        symbolic_fn: what it is in ONNX.
        opset_version: from which version of ONNX's ops on.

    >>> torch.onnx.register_custom_op_symbolic("mine::twice", lambda g, x: x, 17)
    """


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
