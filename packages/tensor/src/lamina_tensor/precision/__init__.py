"""Mixed precision: which dtype ops run in, and gradients scaled so that they do not vanish in it."""
