"""Functions along one axis, item after item."""
