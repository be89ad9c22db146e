"""The graph of what was computed, and the backward pass over it."""
