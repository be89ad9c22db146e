"""What is raised where a model cannot be written or read as ONNX; PyTorch's names."""

from __future__ import annotations

__all__ = ["OnnxExporterError", "UnsupportedOperatorError"]


class OnnxExporterError(RuntimeError):
    """A model cannot be exported: the message says what stands against it, and where.

    >>> from lamina_onnx import OnnxExporterError, export
    >>> try:
    ...     export(lambda x: x if x.sum() > 0 else -x, (torch.ones(2),))
    ... except OnnxExporterError as error:
    ...     print(str(error).partition(",")[0])
    export: '__bool__' reads the items of a tensor that depends on an input
    """


class UnsupportedOperatorError(OnnxExporterError):
    """A function of the model, or an op of a graph, has no counterpart on the other side.

    >>> from lamina_onnx import UnsupportedOperatorError, export
    >>> try:
    ...     export(lambda x: torch.linalg.svd(x), (torch.ones(2, 2),))
    ... except UnsupportedOperatorError as error:
    ...     print(str(error).partition(",")[0])
    export: there is no ONNX for 'svd'
    """
