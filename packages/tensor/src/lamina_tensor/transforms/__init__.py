"""Functions of functions: derivatives, mapping over a dimension, checkpoints, and ops that users write."""
