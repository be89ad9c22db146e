"""Divergences between two distributions."""
