"""A module on several devices or in several processes."""
