"""lamina_course: a tensor library of one's own in six chapters, and lamina to mark it. `python -m lamina_course` begins."""

from .chapters import CHAPTERS, Chapter
from .marking import Mark, mark

__all__ = ["CHAPTERS", "Chapter", "Mark", "mark"]
