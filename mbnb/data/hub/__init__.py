"""Fetching logs of the Open LLM Leaderboards from the Hugging Face hub."""
