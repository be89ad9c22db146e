"""ONNX for lamina: `export` writes what a module does as a graph, and `load` reads a graph as a module."""

from .errors import OnnxExporterError, UnsupportedOperatorError
from .exporting import export
from .importing import OnnxModule, load
from .program import ONNXProgram

__all__ = ["ONNXProgram", "OnnxExporterError", "OnnxModule", "UnsupportedOperatorError", "export", "load"]
