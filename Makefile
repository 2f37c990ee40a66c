# Each target makes its own virtual environment when there is none; a second call installs nothing again.
PYTHON ?= python3
BIN := .venv/bin
# More processes would want more memory than small machines have. Tests of one file share what is dear to set up.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder
PUZZLES := @course-1 @course-2 @course-3 @course-4

.PHONY: run serve test lint bench clean

run: .venv/installed
	$(BIN)/crosscount compare $(PUZZLES)

serve: .venv/installed
	$(BIN)/crosscount serve $(SERVE)

test: .venv/installed-test
	$(PYTEST) $(TESTS)

lint: .venv/installed-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/installed-bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("crosscount needs Python 3.11 or later; set PYTHON=...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]'
	touch $@

.venv/installed-test: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all,test]'
	touch $@ .venv/installed

.venv/installed-lint: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all,test,lint]'
	touch $@ .venv/installed .venv/installed-test

.venv/installed-bench: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all,bench]'
	touch $@ .venv/installed
