"""Fused functions of layers, each recorded as one node."""
