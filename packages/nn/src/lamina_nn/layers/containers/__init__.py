"""Modules that hold other modules, and parameters."""
