"""Derived ops of neural networks: losses, normalisations, attention, recurrences, optimizer steps."""
