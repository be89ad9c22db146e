"""lamina_testkit: does a backend mean the same as the reference? `pytest --pyargs lamina_testkit --backend NAME`."""

from .cases import Case, cases_of
from .checking import check
from .report import LEVELS

__all__ = ["LEVELS", "Case", "cases_of", "check"]
