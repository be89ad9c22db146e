"""Matrix products, sums of products, and distances."""
