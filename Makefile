# Qampaign: every target sets up what it needs. `make` alone lists them.
PYTHON ?= python3
CONFIG ?= config.yaml
CORES  ?= all
VENV   := .venv
BIN    := $(VENV)/bin
TESTS  ?= tests workflow
# Each worker sets up for itself what a session needs once, so the tests of a file stay together.
# Compiled modules are kept, whatever the environment says: jobs start thousands of times.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder
WORKERS ?= 3 # for two cores: one waits for Snakemake, a cluster or a browser most of its time

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev campaign pool test test-quick test-long test-all check format docs site pictures calibrate bench clean lock

help: ## List the targets
	@echo "Qampaign: from the raw runs of a question-answering campaign to a report."
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
		|| sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1  \2/p' $(MAKEFILE_LIST)

$(VENV)/made: requirements.lock pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Qampaign needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version 2>&1`. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/made-dev: $(VENV)/made requirements-dev.lock
	@echo "Setting up the tools for tests and checks (once)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

setup: $(VENV)/made ## Create the environment from the lock file

setup-dev: $(VENV)/made-dev ## The same, with the tools for tests and checks

campaign: setup ## Run the campaign of config.yaml to its report (CONFIG=my.yaml for yours)
	@$(BIN)/qampaign run "$(CONFIG)" --cores $(CORES)

pool: setup ## Write the answers that nobody has judged yet, ready to be labelled (CONFIG=my.yaml)
	@$(BIN)/qampaign pool "$(CONFIG)" --cores $(CORES)

test: setup-dev ## Run the tests, but for the long suite (5 minutes; TESTS=tests/input for some of them)
	@$(PYTEST) -n $(WORKERS) -m "not exhaustive" --hypothesis-profile short $(TESTS)

test-quick: setup-dev ## Run the quick ones, without Snakemake, browser or cluster (a minute)
	@$(PYTEST) -n 2 -m "not exhaustive and not outside and not slow" --hypothesis-profile quick $(TESTS)

test-long: setup-dev ## Run the long suite: rare faults, many cases, all examples of properties (MINUTES=15: skip what has not begun by then)
	@$(PYTEST) -n $(WORKERS) -m "exhaustive or hypothesis" $(if $(MINUTES),--minutes $(MINUTES) --day $(shell date +%j)) $(TESTS)

test-all: setup-dev ## Run both
	@$(PYTEST) -n $(WORKERS) $(TESTS)

check: setup-dev ## Lint, formats, types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/snakefmt --check Snakefile workflow/Snakefile workflow/rules
	@# all that Snakemake's linter finds but one: the environment is the lock file's, for all rules
	@! $(BIN)/snakemake --lint 2>&1 | grep '^    \* ' | grep -v 'Specify a conda environment'
	@$(BIN)/mypy

format: setup-dev ## Bring all code into its format
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/snakefmt Snakefile workflow/Snakefile workflow/rules

docs: setup-dev ## Make the references under docs/ from the declarations, and the site of all pages in site/
	@$(BIN)/python -m qampaign.measures.reference > docs/measures.md
	@$(BIN)/python -m qampaign.input.reference > docs/input.md
	@$(BIN)/python -m qampaign.input.logs.reference > docs/formats.md
	@$(BIN)/python -m qampaign.publishing.reference > docs/tables.md
	@$(BIN)/python -m qampaign.judging.key.coverage > docs/languages.md
	@$(BIN)/python -m qampaign.command.reference > docs/command.md
	@$(BIN)/python -m qampaign.config.reference
	@$(BIN)/python docs/_site/compared.py
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "Site: site/index.html"

site: setup ## The same, with the reports of both example campaigns (minutes)
	@$(BIN)/qampaign run config.yaml --cores $(CORES)
	@$(BIN)/qampaign run resources/assistants/config.yaml --cores $(CORES)
	@$(MAKE) docs

pictures: setup-dev ## Take the pictures of the report for docs/, of the bundled campaign (needs Chromium)
	@$(BIN)/qampaign run config.yaml --cores $(CORES)
	@$(BIN)/python -m tests.report.pictures results/five-papers/report/index.html docs/pictures
	@$(BIN)/python docs/_site/rule_graph.py results/five-papers docs/pictures/rules.svg

calibrate: setup-dev ## Check by simulation that intervals, tests and ranks hold (a quarter of an hour; SHORT=1: 2 minutes)
	@$(BIN)/python -m tests.bench.calibration $(if $(SHORT),--short,--write)

bench: setup-dev ## Measure speed against yardsticks (minutes)
	@$(BIN)/python -m tests.bench.run

lock: ## Pin the newest versions that pyproject.toml allows (needs uv)
	uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links pyproject.toml -o requirements.lock
	uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--no-emit-index-url --no-emit-find-links --extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean: ## Remove results and caches (the environment stays)
	rm -rf results site .snakemake .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -type d -prune -exec rm -rf {} +
