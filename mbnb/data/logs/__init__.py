"""What readers of logs have in common: rows, values, choices, and putting answers together."""
