"""GGUF files, which PyTorch itself does not read: weights as llama.cpp and its converters write them."""

from lamina_nn.gguf import GGUFFile, QuantizedGroups, load_gguf, open_gguf, save_gguf

__all__ = ["GGUFFile", "QuantizedGroups", "load_gguf", "open_gguf", "save_gguf"]
