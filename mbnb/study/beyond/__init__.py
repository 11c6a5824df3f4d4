"""What is no accuracy of right and wrong: graded scores, battles, checkpoints, shown scores."""
