"""The data floor: everything that is read or simulated becomes one ResponseMatrix."""
