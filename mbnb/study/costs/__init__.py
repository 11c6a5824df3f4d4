"""What choosing and judging cost: timed, at rates, and forecast."""
