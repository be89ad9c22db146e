"""Folds over axes and along them: sums, extremes, moments, running results."""
