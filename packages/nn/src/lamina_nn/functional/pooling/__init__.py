"""Pooling over windows, as functions, and what undoes it."""
