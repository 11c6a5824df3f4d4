"""How a simulated leaderboard is fitted to a response matrix, and how near it comes."""
