"""Kernels of fused ops: layers, losses and optimizer steps in one launch, or the fewest."""
