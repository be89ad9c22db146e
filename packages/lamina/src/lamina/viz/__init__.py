"""Drawings of what is inside: how items lie in memory, the graph behind a result, a backward pass, the curves and the report of a run.

Each function gives a `Drawing`, which notebooks show, `print` writes as text, and `save` writes to a file. Nothing but lamina is needed.
"""

from .backward import BackwardStep, backward_steps
from .curves import curves, read_history
from .drawing import Drawing
from .graph import graph
from .layout import Place, layout
from .report import report

__all__ = ["BackwardStep", "Drawing", "Place", "backward_steps", "curves", "graph", "layout", "read_history", "report"]
