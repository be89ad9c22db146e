"""What arrays look like in memory, and what a call would run, told in plain text."""

from .calls import explain
from .layouts import explain_layout

__all__ = ["explain", "explain_layout"]
