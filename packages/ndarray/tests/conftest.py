"""Hypothesis without deadlines: machines may be shared and slow."""

from hypothesis import settings

settings.register_profile("lamina", deadline=None)
settings.load_profile("lamina")
