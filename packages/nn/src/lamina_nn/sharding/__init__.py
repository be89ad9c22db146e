"""Models that no process holds as a whole: tensors in shards, modules that gather them, layers in parts, and their checkpoints."""
