"""Functions item by item."""
