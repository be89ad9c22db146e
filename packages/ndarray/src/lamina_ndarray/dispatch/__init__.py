"""What every function of arrays does with its operands before a kernel sees them, and what it calls its results."""
