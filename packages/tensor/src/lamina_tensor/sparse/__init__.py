"""Sparse tensors: coordinates of the items that are stored, and their values; all others are zero."""
