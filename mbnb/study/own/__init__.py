"""A benchmark of one's own: what it allows, what its trials say, and what to do by them."""
