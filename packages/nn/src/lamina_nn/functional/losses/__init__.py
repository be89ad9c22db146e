"""Losses as functions."""
