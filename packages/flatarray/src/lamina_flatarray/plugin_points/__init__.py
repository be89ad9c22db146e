"""What all plug-in points have in common: finding, loading and refusing plug-ins."""
