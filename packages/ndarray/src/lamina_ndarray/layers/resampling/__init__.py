"""Resampling: an axis at other points, as weighted sums of the items around them, and planes at any points."""
