"""Methods that write to the tensor that they are called on."""
