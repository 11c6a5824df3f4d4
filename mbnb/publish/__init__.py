"""The book floor: executes chapters, draws their charts, builds the site."""
