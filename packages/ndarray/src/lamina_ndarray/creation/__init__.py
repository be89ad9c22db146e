"""Arrays made from nothing, from numbers, from other memory, and at random."""
