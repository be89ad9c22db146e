"""Graphs as modules: the ops of ONNX over lamina's functions, in files by family."""

from . import control, elementwise, layers, quantization, recurrences, reductions, resizing, shapes, windows
from .loading import load
from .module import OnnxModule
from .node import OPS

__all__ = ["OPS", "OnnxModule", "load"]
