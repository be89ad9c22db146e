"""Arrays in files: NumPy's .npy and .npz, and safetensors. Nothing in them is executed, and writes are whole or not at all."""

from .numpy_files import load, save, savez, savez_compressed
from .safetensors_files import SafetensorsFile, load_safetensors, open_safetensors, save_safetensors

__all__ = [
    "SafetensorsFile", "load", "load_safetensors", "open_safetensors", "save", "save_safetensors", "savez", "savez_compressed",
]  # fmt: skip
