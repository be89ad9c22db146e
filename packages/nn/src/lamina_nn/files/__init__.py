"""Files of tensors: PyTorch's .pt, safetensors, and whole training runs. Nothing is executed; writes are whole or not at all."""

from .named_tensors import load_file, load_sharded, save_file
from .runs import load_run, save_run
from .torch_files import load, save

__all__ = ["load", "load_file", "load_run", "load_sharded", "save", "save_file", "save_run"]
