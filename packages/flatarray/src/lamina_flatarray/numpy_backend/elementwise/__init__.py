"""Kernels that work item by item."""
