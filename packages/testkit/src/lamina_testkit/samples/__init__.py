"""How the kit makes inputs for each op of the table: makers by the names that the ops' records give."""

from .maker import Maker, Sample
from .makers import MAKERS

__all__ = ["MAKERS", "Maker", "Sample"]
