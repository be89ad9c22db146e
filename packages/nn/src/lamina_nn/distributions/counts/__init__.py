"""Distributions of counts and categories."""
