"""Methods that give views of another shape, tell sizes, or change a tensor's own shape."""
