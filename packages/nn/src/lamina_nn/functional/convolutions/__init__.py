"""Convolutions as functions, and the blocks that they see."""
