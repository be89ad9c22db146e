"""Models cut into stages, one in each process, which a batch passes through in micro-batches."""
