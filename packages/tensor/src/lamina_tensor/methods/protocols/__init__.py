"""What Python, NumPy and other libraries ask of a tensor."""
