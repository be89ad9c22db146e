"""Layout: how flat memory is read, and the arithmetic of shapes and strides."""
