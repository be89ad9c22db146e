"""Plausible wrong solutions: ours, with a few words changed, and the check that must catch each by name."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple


class Mistake(NamedTuple):
    """`was` in the chapter's file is replaced by `instead`. The first task that is not right is that of `caught_by`, whose check is
    among those that fail; and `says` is a part of what the learner is told."""

    name: str
    was: str
    instead: str
    caught_by: tuple[str, str]
    says: str


def mistakes(chapter: str) -> tuple[Mistake, ...]:
    """Those of a chapter."""
    return import_module(f"mistakes.{chapter}").MISTAKES
