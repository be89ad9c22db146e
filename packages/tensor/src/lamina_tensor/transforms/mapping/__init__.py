"""Functions of one slice, run on all slices at once."""
