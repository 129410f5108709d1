# Everything a newcomer or a machine needs; `make help` lists it. Written for make 3.81 and a POSIX shell.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup test test-deep verify verify-std site check format bench lock clean

help:
	@echo 'make setup      a virtual environment in .venv, every package checked by hash'
	@echo 'make test       set up, and run the tests'
	@echo 'make test-deep  set up, and run the tests that take minutes'
	@echo 'make verify     set up, and check, play and prove the Il Principe rulebook'
	@echo 'make verify-std set up, and prove the standard library for any purse, floor and raise'
	@echo 'make site       set up, and publish all games and the handbook in site/'
	@echo 'make check      set up, and lint, formatting, types and import directions'
	@echo 'make format     rewrite the code in the one format'
	@echo 'make bench      set up, and measure the engines'
	@echo 'make lock       choose package versions anew and write requirements.lock'
	@echo 'make clean      remove the environment, the caches and what was built'

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@python=$$(sh .ci/find-python) && $$python .ci/setup.py

test: setup
	$(BIN)/python -m pytest -n 2 -m 'not deep'

test-deep: setup
	$(BIN)/python -m pytest -n 2 -m deep

verify: setup
	$(BIN)/rulespec verify il_principe --no-lock

site: setup
	$(BIN)/rulespec docs build $$($(BIN)/python -c "import rulespec; print(*rulespec.games())") --out site

check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup
	$(BIN)/python benchmarks

# uv resolves for every platform and Python at once, which pip cannot.
lock: setup
	$(BIN)/python -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lock/bin/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
	    --generate-hashes --upgrade --no-config --no-sources --no-emit-index-url --no-emit-find-links \
	    --no-annotate --custom-compile-command 'make lock' --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist site .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find rulespec compiler engine proofs tests -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf *.egg-info
