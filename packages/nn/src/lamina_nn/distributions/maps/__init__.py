"""Maps of samples, and distributions of what they map."""
