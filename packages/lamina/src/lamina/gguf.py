"""GGUF files, which PyTorch itself does not read: weights as llama.cpp and its converters write them."""

from typing import TYPE_CHECKING

from lamina_nn.gguf import GGUFFile, load_gguf, open_gguf, save_gguf

from .absent_names import explained

__all__ = ["GGUFFile", "load_gguf", "open_gguf", "save_gguf"]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
