# One command each. Everything is installed into .venv by the project's own files.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

ifeq ($(shell command -v $(PYTHON) 2>/dev/null),)
PYTHON := python3
endif

.PHONY: run test test-slow test-all quick slow-stories chaos durations check fix reader bench screenshots setup clean

setup: $(STAMP)

# torch first and pinned: a plain `torch` would fetch gigabytes of GPU libraries on many machines.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "PMG needs Python 3.11 or newer: set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt torch
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $(STAMP)

# Opens the page in the browser where there is one. PMG_PORT, PMG_HOME and PMG_NO_BROWSER=1 are heard.
run: $(STAMP)
	@$(BIN)/python app.py

# The tests start hundreds of processes: each would compile all of the program again where an environment says not to keep what was compiled.
unexport PYTHONDONTWRITEBYTECODE

# The order of the files is ours (tests/scheduling.py): the slowest first. Two workers more than cores: many tests wait for pages and processes
# (with one more, a fifth of two cores was idle).
WORKERS := $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 2)
PARALLEL := -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# More workers than cores: threads of one that wait for each other only keep the others from their work.
test test-slow test-all quick durations: export OMP_NUM_THREADS = 1

# Everyday: security and loss, and each subject once. At most 12 minutes on two quiet cores (tests/test_tiers.py adds up tests/durations.json).
test: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL) --durations 15 -m "not slow"

# Kills, the wheel, notebooks, the other browser stories, whole matrices.
test-slow: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL) --durations 15 -m slow

test-all: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL) --durations 15

# The quickest files, as many as fit 70 seconds on two cores by tests/durations.json.
quick: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL) --budget 70 -m "not slow"

# Measures every file anew for the order above; on a quiet machine only.
durations: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL) --record-durations

# Torn writes, kills, damage and full disks over adding, closing, importing, forgetting, upkeep and backup: a thousand rounds (76 minutes beside other work on two cores);
# then the kills of `make test-all`, ten times as many.
chaos: $(STAMP)
	$(BIN)/python -m tests.chaos.run
	PMG_KILL_ROUNDS=10 $(BIN)/python -m pytest $(PARALLEL) -m crash --ignore tests/chaos

# The stories in a browser four times slower, each answer of the server late by a random while: what hangs on their order fails here.
slow-stories: $(STAMP)
	PMG_SLOW_PAGE=4 $(BIN)/python -m pytest $(PARALLEL) tests/browser

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Teaches the reader (docs/reader.md): READING is a folder of public questions, LARGER the weights of all-mpnet-base-v2, which is taught first where it is named.
NOT_TAUGHT := T3,T8,T14,T20
reader: $(STAMP)
	mkdir -p build
	$(BIN)/python -m training.build $(READING) build/pack.npz $(LARGER)
	test -z "$(LARGER)" || $(BIN)/python training/teach.py build/pack.npz build/mpnet.npz build --name teacher --held $(NOT_TAUGHT) --look 5000 --steps 550 --groups 48 --rate 6e-5
	$(BIN)/python training/teach.py build/pack.npz build/minilm.npz build --name reader --held $(NOT_TAUGHT) --look 5000 --steps 1800 --groups 48 --rate 3e-4 --drop 0 \
		$(if $(LARGER),--teacher build/teacher.npz --teacher-model build/mpnet.npz)
	$(BIN)/python -m training.export build/reader.npz build/manifest.json

bench: $(STAMP)
	$(BIN)/python -m benchmarks speed

screenshots: $(STAMP)
	$(BIN)/python docs/make_screenshots.py

clean:
	rm -rf $(VENV) build *.egg-info
