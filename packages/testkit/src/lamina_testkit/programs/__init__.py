"""Random whole programs: written, run on a backend and on the reference, compared, and made shorter where they differ."""

from .comparing import compare
from .program import Program
from .shortening import shortest
from .writing import written

__all__ = ["Program", "compare", "shortest", "written"]
