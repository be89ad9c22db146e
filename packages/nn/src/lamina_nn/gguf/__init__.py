"""GGUF files, as llama.cpp and its converters write them: metadata, and tensors mapped into memory, plain or in blocks of few bits.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Nothing in a file is executed.
"""

from .reading import GGUFFile, load_gguf, open_gguf
from .writing import save_gguf

__all__ = ["GGUFFile", "load_gguf", "open_gguf", "save_gguf"]
