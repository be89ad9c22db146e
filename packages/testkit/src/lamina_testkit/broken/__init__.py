"""Deliberately broken backends: each has one fault, and names the test of the kit that finds it."""

from . import (
    faults_of_conduct,
    faults_of_declarations,
    faults_of_fusing,
    faults_of_layouts,
    faults_of_positions,
    faults_of_reductions,
    faults_of_values,
)
from .fault import FAULTS, BrokenBackend, Fault

__all__ = ["FAULTS", "BrokenBackend", "Fault"]
