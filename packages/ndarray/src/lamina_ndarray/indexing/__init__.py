"""Items read and written at an index: slices, masks and arrays of indices."""
