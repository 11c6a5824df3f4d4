"""What uniform sampling must do, without a trial: exact and approximate agreement, and plans."""
