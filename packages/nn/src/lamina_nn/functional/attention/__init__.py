"""Attention as functions: of one head, and of several with their projections."""
