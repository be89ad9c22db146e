"""Where a gradient went wrong: call sites, NaN, and what an error in a backward pass says."""
