"""Special functions: the error, gamma and Bessel families, polynomials, and entropies."""
