"""What an optimizer keeps between steps."""
