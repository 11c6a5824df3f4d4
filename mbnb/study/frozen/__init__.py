"""Micro-benchmarks to keep: freezing them, scoring new models by them, and watching them wear."""
