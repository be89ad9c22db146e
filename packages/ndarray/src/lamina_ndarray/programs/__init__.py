"""Programs: kernel calls that were recorded, made again without what decided on them; and such programs in files."""

from .frozen import FrozenProgram, load_program

__all__ = ["FrozenProgram", "load_program"]
