"""What source models do to a selector: how many they are, which, and how far from the targets."""
