"""Linear algebra: factorizations, solvers, norms and invariants of matrices and stacks of them."""
