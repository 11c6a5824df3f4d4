"""What a micro-benchmark does to a whole ranking: rank correlation, ranks, ties and the top."""
