"""Items in order, found, counted, and as sets."""
