"""PyTorch's functions item by item, one call of the dispatcher each: generated files."""
