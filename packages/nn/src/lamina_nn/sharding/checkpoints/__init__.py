"""Checkpoints of which each process writes its own part, read again by any number of processes."""
