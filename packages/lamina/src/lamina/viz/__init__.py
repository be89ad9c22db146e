"""Drawings of what is inside: how items lie in memory, the graph behind a result, a backward pass,
the kernels of a compiled function, the curves and the report of a run.

Each function gives a `Drawing`, which notebooks show, `print` writes as text, and `save` writes to a file. Nothing but lamina is needed.
"""

from .backward import BackwardStep, backward_steps
from .drawing import Drawing
from .graphs import graph
from .kernels import compiled
from .layouts import Place, layout
from .reports import report
from .training_curves import curves, read_history

__all__ = ["BackwardStep", "Drawing", "Place", "backward_steps", "compiled", "curves", "graph", "layout", "read_history", "report"]
