# Two commands for a newcomer: `make book` and `make test`. Each sets up all it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= $(shell $(PYTHON) -c "import os; print(os.cpu_count() or 1)")

.PHONY: help book test test-all check clean
.DEFAULT_GOAL := help

help:
	@echo "make book      set up $(VENV), run the study, build _build/html/index.html"
	@echo "make test      set up $(VENV), run the linters and the quick tests"
	@echo "make test-all  all tests, those that take minutes too"
	@echo "make check     check the chapters' sources"
	@echo "make clean     remove what was built (not $(VENV))"

book: $(VENV)/installed
	$(BIN)/mbnb build --jobs $(JOBS)

test: $(VENV)/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/python -m pytest -n $(JOBS)

test-all: $(VENV)/installed
	$(BIN)/python -m pytest -n $(JOBS) -m "slow or not slow"

check: $(VENV)/installed
	$(BIN)/mbnb check

clean:
	rm -rf _build

# Made anew when what it is made from changes.
$(VENV)/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c "import sys; sys.exit('Python 3.11 or later is needed; this is ' + sys.version.split()[0] if sys.version_info < (3, 11) else 0)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@
