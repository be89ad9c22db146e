"""From whatever the user gave to the operands of a map op: checked, promoted, of one shape."""
