"""Layers computed in parts, one in each process."""
