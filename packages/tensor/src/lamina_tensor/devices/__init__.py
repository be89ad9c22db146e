"""Devices as PyTorch's programs speak of them: defaults, random states, streams, memory shared and exchanged."""
