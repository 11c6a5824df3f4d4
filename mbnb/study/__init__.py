"""The study floor: from a response matrix to trials, agreement and MDAD; it reads no file."""
