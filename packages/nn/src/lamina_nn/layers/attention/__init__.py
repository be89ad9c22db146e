"""Attention and transformers as modules."""
