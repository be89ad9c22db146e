"""lamina_testkit: does a backend mean the same as the reference? `pytest --pyargs lamina_testkit --backend NAME`."""

from .bisecting import Finding, bisect
from .cases import Case, cases_of
from .checking import check
from .levels import LEVELS

__all__ = ["LEVELS", "Case", "Finding", "bisect", "cases_of", "check"]
