"""A config proposed for files that somebody has: what they are, and what can be made of them."""
