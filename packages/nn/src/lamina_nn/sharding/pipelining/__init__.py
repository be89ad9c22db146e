"""Models cut into stages, one or several in each process, which a batch passes through in micro-batches."""
