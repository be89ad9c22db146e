"""What a tensor can do that is no function of tensors: its attributes, protocols, conversions and in-place writes."""
