"""Parameters of modules computed from others: parametrizations, norms taken apart, and pruning."""
