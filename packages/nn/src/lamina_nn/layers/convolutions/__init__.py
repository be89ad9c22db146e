"""Convolutions, padding, and modules that wait for their first input."""
