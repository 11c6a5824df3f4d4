"""The micro-benchmark book's helper package."""
