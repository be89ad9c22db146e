"""What is compared: each module has `cases(lib)`, one step by name, in `lib`: lamina or PyTorch."""
