"""Kernels of factorizations and linear systems."""
