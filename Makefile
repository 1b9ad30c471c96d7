# Two commands do everything on a fresh machine: `make book` and `make test`.

PYTHON ?= python3
PORT ?= 8000

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
LITE := .venv-lite
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt
SITE := _build/html
LAB := my-notebooks

# One thread per process: two chapters or two test workers share the cores, and sums come out in the same order.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export MKL_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help book chapter offline npm pdf lighthouse pages live test lint types tests conformance fuzz serve lab notebooks written \
	student instructor nbgrader hub lite messages gettext map op exercise bench release check-all clean

help:
	@echo "make book       execute the chapters and render the pages that changed, say where the site is"
	@echo "make chapter NAME=08   execute that chapter if anything changed that it uses, and render its page alone"
	@echo "make offline    a copy of the book whose live cells need no other host: _build/offline, and as a .zip"
	@echo "make pdf        print the whole book into _build/book.pdf; needs Chromium"
	@echo "make lighthouse measure three pages with Lighthouse; needs Chromium and npm"
	@echo "make pages      visit every page of the built book in a browser: errors, links, other hosts, phones"
	@echo "make live       run every live cell of every chapter in a browser: some minutes"
	@echo "make test       lint, types, layers, tests and doctests"
	@echo "make conformance  every op on all of PyTorch's samples and against mpmath; writes the records that the book shows"
	@echo "make fuzz       20 000 random programs on each state machine: some minutes"
	@echo "make serve      build the book and serve it at http://127.0.0.1:$(PORT)"
	@echo "make lab        open copies of the chapters as notebooks in JupyterLab; they stay in $(LAB)"
	@echo "make notebooks  write the chapters as .ipynb, for a branch that Colab, Binder or a JupyterHub opens"
	@echo "make student    the chapters as notebooks without solutions"
	@echo "make instructor the chapters as notebooks with all solutions, and a key"
	@echo "make nbgrader   the exercises as an nbgrader course"
	@echo "make hub        a JupyterHub on this machine, with the student notebooks"
	@echo "make lite       JupyterLab with the chapters as a site without a server, in _build/lite"
	@echo "make messages   the sentences of figures and pages for translators; updates and compiles translations"
	@echo "make gettext    the text of the chapters for translators, in _build/gettext"
	@echo "make op NAME=mul  renew and test what an op that was added or changed can break"
	@echo "make exercise ID=02.keep  renew and test what an exercise that was added or changed can break"
	@echo "make map        draw who imports whom, and count what some calls do, before and now"
	@echo "make bench      measure autograd_core against its rivals, ONLY=softmax some of it, AGAINST=HEAD~1 against itself"
	@echo "make release    check what a release needs, and publish nothing"
	@echo "make check-all  make test with all samples and the slow tests, and the book from nothing"
	@echo "make clean      remove what was built; keeps the environments and $(LAB)"
	@echo
	@echo "PYTHON=python3.12 chooses the Python that makes $(VENV); 3.11, 3.12 and 3.13 work."

$(INSTALLED): requirements.txt constraints.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, and \
	$(PYTHON) is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -r requirements.txt -e .
	@touch $@

book: $(INSTALLED)
	@$(BIN)/python tools/build_book.py

chapter: $(INSTALLED)
	@$(BIN)/python tools/build_book.py "$(NAME)"

# What pages take from npm only offline, and what checks them. npm comes with Node.js, or else from PyPI.
npm: $(INSTALLED)
	@command -v npm >/dev/null || $(INSTALL) -e '.[node]'
	@$(BIN)/python tools/npm.py

offline: book npm
	@$(BIN)/python tools/make_offline.py

pdf: book
	@$(BIN)/python tools/make_pdf.py

lighthouse: book npm
	@$(BIN)/python tools/lighthouse.py

pages: book npm
	$(BIN)/pytest -n 2 -m slow tests/browser/test_pages.py

live: book npm
	$(BIN)/pytest -n 2 -m slow tests/browser/test_live.py tests/tools --ignore=tests/tools/test_nbgrader.py

test: lint types tests

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(INSTALLED)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

tests: $(INSTALLED)
	$(BIN)/pytest -n 2

conformance: $(INSTALLED)
	$(BIN)/pytest -n 2 tests/conformance tests/accuracy --whole --record

fuzz: $(INSTALLED)
	PROGRAMS=20000 $(BIN)/pytest -n 2 -rP tests/machines

serve: book
	@$(BIN)/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT))).close()' 2>/dev/null || \
	{ echo "Port $(PORT) is taken, or no port. Choose another: make serve PORT=8001"; exit 1; }
	@echo "http://127.0.0.1:$(PORT)   (stop with Ctrl-C)"
	@$(BIN)/python -m http.server $(PORT) --bind 127.0.0.1 --directory $(SITE)

# The reader's own copies, outside of what is built anew: what they change in them stays.
$(LAB):
	@$(MAKE) --no-print-directory notebooks
	@cp -r _build/notebooks $(LAB)

lab: $(INSTALLED) $(LAB)
	@echo "The chapters are in $(LAB), which is yours: nothing here writes over it. Remove it to begin anew."
	$(BIN)/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root) --ServerApp.default_url=/lab/tree/$(LAB)/00_how_to.ipynb

# Folders of the book that are made from the code, for what is made of the chapters without building the book.
written: $(INSTALLED)
	@PYTHONPATH=tools $(BIN)/python -c "import build_book; build_book.write_folders()"

notebooks: written
	@$(BIN)/python tools/make_notebooks.py

$(LITE)/.installed: tools/lite.txt
	$(PYTHON) -m venv $(LITE)
	$(LITE)/bin/python -m pip install --disable-pip-version-check -r tools/lite.txt
	@touch $@

lite: book $(LITE)/.installed
	@$(BIN)/python tools/make_lite.py $(LITE)

student instructor: written
	@$(BIN)/python tools/make_builds.py $@

hub: written
	@$(BIN)/python deploy/jupyterhub/start.py

nbgrader: $(INSTALLED)
	@$(BIN)/python tools/make_nbgrader.py

messages: $(INSTALLED)
	@$(BIN)/python tools/make_messages.py

gettext: book
	$(BIN)/jupyter-book build --quiet --all --builder custom --custom-builder gettext .

op: $(INSTALLED)
	@$(BIN)/python tools/describe_op.py "$(NAME)"
	@$(BIN)/python tools/make_stubs.py
	@$(BIN)/python tools/make_torch_names.py
	$(MAKE) lint types
	$(BIN)/pytest -n 2 -k "$(NAME) or docs or families or catalogue" tests/ops tests/core tests/conformance tests/test_docs.py \
		tests/test_catalogue.py autograd_core/ops
	$(MAKE) chapter NAME=24

exercise: $(INSTALLED)
	@$(BIN)/python -c "import sys; from autograd_book.check import find; print(find(sys.argv[1]))" "$(ID)"
	@$(BIN)/python tools/make_messages.py
	@$(BIN)/python -m tools.record_exercises
	$(BIN)/pytest -n 2 -k "$(firstword $(subst ., ,$(ID))) or once or student" tests/test_book_contract.py tests/test_notebooks.py \
		tests/exercises/test_exercises.py tests/tools/test_builds.py tests/tools/test_nbgrader.py

map: $(INSTALLED)
	@$(BIN)/python tools/make_map.py

bench: $(INSTALLED)
	$(INSTALL) -e '.[bench]'
	$(BIN)/python benchmarks/run.py $(if $(ONLY),--only "$(ONLY)") $(if $(AGAINST),--against $(AGAINST))

release: $(INSTALLED)
	@$(BIN)/python tools/release.py

check-all: lint types
	rm -rf _build
	$(MAKE) book npm
	$(BIN)/pytest -n 2 -m "slow or not slow" --whole

clean:
	rm -rf _build book/catalogue book/map book/_static/vendor build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find autograd_core tests tools benchmarks book -name __pycache__ -prune -exec rm -rf {} +
