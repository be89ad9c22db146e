"""Sums, differences, products, and what is a few of them."""
