"""Discrete Fourier transforms over one axis or several."""
