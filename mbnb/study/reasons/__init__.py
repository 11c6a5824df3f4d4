"""Why selectors and estimators do what they do, taken apart on one matrix."""
