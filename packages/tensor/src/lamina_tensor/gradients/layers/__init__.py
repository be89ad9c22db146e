"""Gradient rules of the fused ops of layers."""
