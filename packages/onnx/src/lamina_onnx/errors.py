"""What is raised where a model cannot be written or read as ONNX; PyTorch's names."""

from __future__ import annotations

__all__ = ["OnnxExporterError", "UnsupportedOperatorError"]


class OnnxExporterError(RuntimeError):
    """A model cannot be exported: the message says what stands against it, and where."""


class UnsupportedOperatorError(OnnxExporterError):
    """A function of the model, or an op of a graph, has no counterpart on the other side."""
