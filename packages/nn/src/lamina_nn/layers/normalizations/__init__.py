"""Normalisations and dropout as modules."""
