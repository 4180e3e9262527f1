# make           build every table of the default configuration (CORES=n; default: all)
# make full      build the full configuration too: the rows of the longest duel, wider ranges
# make test      run the tests
# make check     build the tables, and compare them with the documentation and the printed record
# make lint      check the code's style; make format applies it
# make bench     measure speed: the scripts of benchmarks/, but not its studies and tools
# make peers     compare with other solvers, in an environment of their own: docs/why/peers.md
# make proof     build the verified checker of certificates, and check some: docs/why/proof.md; needs Coq
# make s3        an environment with Snakemake's plug-in for object storage: docs/scale/storage.md
# make slurm     the same for a cluster under Slurm: docs/scale/cluster.md
# make report    one HTML with the values, certificates, pictures and the audit: results/report.html
# make docs      the documentation as a site, with a page per table and a Python reference: results/site
# make notebooks run the notebooks of the documentation again, over the results
# make pictures  draw the pictures of the documentation again, from the results
# make release   make the wheel, an archive of the tables, a dataset, the explorer and the documentation: dist
# make values    record the tables' values, with which `dicebase verify --values` compares other builds
# make lock      resolve the dependencies again (UPGRADE=--upgrade for the newest)
# make clean     remove the results; make distclean also the environment
#
# Each target first sets up .venv from the locked dependencies if needed: docs/use/install.md.
# PYTHON=... names the interpreter to make it with.

VENV := .venv
BIN := $(VENV)/bin
CORES ?= all
LOCKS := requirements/pip.lock requirements/dicebase.lock
SNAKEFILES = $(wildcard Snakefile workflow)

# Rules and tests call `dicebase` and `python` by name: find them in .venv.
RUN := PATH="$(CURDIR)/$(BIN):$$PATH"
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input

# Do not compile modules at installation: most are never imported.
INSTALL := install --no-compile --require-hashes --no-build-isolation
unexport PYTHONHOME PYTHONPATH VIRTUAL_ENV PYTHONDONTWRITEBYTECODE

.PHONY: all full setup tools test check lint format bench peers proof s3 slurm docs notebooks pictures report values \
    release lock clean distclean

# Build the configuration given by the options.
define build
@$(RUN) $(BIN)/snakemake --cores $(CORES) --workflow-profile workflow/profiles/default --logger dicebase $(1)
@echo 'Tables:   results/dicebase.duckdb; as Parquet files results/tables'
@echo 'A lookup: $(BIN)/dicebase lookup ten_thousand_turn turn_total=0 roll=11235'
@echo 'Explorer: $(BIN)/dicebase serve, at http://127.0.0.1:8000/explorer/'
endef

all: setup
	$(call build)

full: setup
	$(call build,--configfile config/full.yaml)

setup: $(VENV)/installed

tools: $(VENV)/tools

test: tools
	$(RUN) $(BIN)/python -m pytest --numprocesses auto --dist worksteal

check: all tools
	$(RUN) DICEBASE_RESULTS=results $(BIN)/python -m pytest --numprocesses auto --dist worksteal -m results tests/docs tests/audit

lint: tools
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/snakefmt --check $(SNAKEFILES)
	$(BIN)/python benchmarks/tools/prose.py

format: tools
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/snakefmt $(SNAKEFILES)

bench: all tools
	@set -e; for script in $(sort $(wildcard benchmarks/[!_]*.py)); do \
	    echo "== $$script"; $(RUN) $(BIN)/python "$$script"; \
	done

PEERS := benchmarks/peers/.venv
PEERS_LOCKS := requirements/pip.lock benchmarks/peers/peers.lock

peers: tools
	@set -e; cat $(PEERS_LOCKS) | cmp -s - $(PEERS)/locked || { \
	    $(BIN)/python -m venv --clear $(PEERS); \
	    echo '*' >$(PEERS)/.gitignore; \
	    pip="$(PEERS)/bin/python -m pip -qq --disable-pip-version-check --no-input"; \
	    $$pip install --require-hashes -r requirements/pip.lock; \
	    $$pip install --require-hashes --no-build-isolation -r benchmarks/peers/peers.lock; \
	    cat $(PEERS_LOCKS) >$(PEERS)/locked; }
	$(RUN) $(BIN)/python benchmarks/peers/run.py --page

proof: all
	@$(RUN) $(MAKE) --no-print-directory -f proof/Makefile

notebooks: all tools
	$(BIN)/python docs/notebooks/run.py results

pictures: all tools
	@set -e; for script in docs/pictures/*.py; do $(BIN)/python $$script results $${script%.py}.png; done
	cp results/pictures/*.png docs/pictures

docs: all tools
	$(RUN) $(BIN)/python docs/site.py results results/site

VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
# Archives depend only on the commit, not on the time or the user of a release.
MADE_AT = $(or $(shell git log -1 --format=%ct 2>/dev/null),1577836800)
# Leftovers of the build are not part of the release.
LEFT_OUT := .snakemake_timestamp results/logs results/site results/report.html results/.[!.]*

release: docs
	rm -rf build dist
	SOURCE_DATE_EPOCH=$(MADE_AT) $(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .
	tar --use-compress-program 'gzip -n' --sort=name --mtime=@$(MADE_AT) --owner=0 --group=0 --numeric-owner \
	    --mode=u+rw,go+r-w $(LEFT_OUT:%=--exclude='%') -cf dist/dicebase-$(VERSION)-tables.tar.gz results
	SOURCE_DATE_EPOCH=$(MADE_AT) $(BIN)/python -m dicebase.catalog.dataset results dist/dataset
	cp -r results/site dist/documentation
	cp -r results/explorer dist/explorer
	cd dist && sha256sum *.whl *.tar.gz >SHA256SUMS

values: all
	$(BIN)/python -m dicebase.pipeline.checks.second_build results

report: all
	$(RUN) $(BIN)/snakemake --cores 1 --report results/report.html

clean:
	rm -rf results .snakemake proof/build

distclean: clean
	rm -rf $(VENV)

# The environment -------------------------------------------------------------

# $(VENV)/locked holds this folder's path and the locks it was made from. A touched lock
# therefore costs nothing; a changed lock, a moved checkout or a missing interpreter
# makes the environment anew.
ifneq ($(CURDIR),$(shell ( $(BIN)/python -c 'print(next(open("$(VENV)/locked")).strip())' ) 2>/dev/null))
.PHONY: $(VENV)/locked
endif

$(VENV)/locked: $(LOCKS)
	@if { echo '$(CURDIR)'; cat $(LOCKS); } | cmp -s - $@ && $(BIN)/python -c ''; then \
	    touch $@; exit; \
	fi; \
	set -e; python=; \
	for below in '(3, 14)' '(4,)'; do \
	    for candidate in $(or $(PYTHON),python3 python3.13 python3.12 python3.11); do \
	        test -n "$$python" || ! $$candidate -c "import ensurepip, sys, venv; \
	sys.exit(not (3, 11) <= sys.version_info < $$below)" >/dev/null 2>&1 || python=$$candidate; \
	    done; \
	done; \
	if test -z "$$python"; then \
	    echo "error: dicebase needs Python 3.11 or newer with venv;" \
	        "none found as $(or $(PYTHON),python3 or python3.11 to 3.13): make PYTHON=..." >&2; \
	    exit 1; \
	fi; \
	echo "Installing the locked dependencies into $(VENV) with $$($$python --version):" \
	    "0.8 GB, half a minute"; \
	$$python -m venv --clear $(VENV); \
	$(PIP) install --require-hashes -r requirements/pip.lock; \
	$(PIP) $(INSTALL) -r requirements/dicebase.lock; \
	{ echo '$(CURDIR)'; cat $(LOCKS); } >$@

# This folder's package, with extras whose packages the lock file lists.
$(VENV)/installed: EXTRAS := build,excel,serve
$(VENV)/tools: EXTRAS := build,excel,serve,docs,notebooks,dev
define install_package
@$(PIP) install --no-index --no-build-isolation --editable '.[$(EXTRAS)]' || { \
    echo 'error: the lock does not fit pyproject.toml: make lock' >&2; exit 1; }
@touch $@
endef

$(VENV)/installed: $(VENV)/locked pyproject.toml
	$(install_package)

$(VENV)/tools: requirements/dev.lock $(VENV)/installed
	@$(PIP) $(INSTALL) -r $<
	$(install_package)

# Environments above .venv with one plug-in each, because every plug-in slows down each start of Snakemake.
ABOVE := s3 slurm
$(ABOVE): %: $(VENV)/%/installed

$(ABOVE:%=$(VENV)/%/installed): $(VENV)/%/installed: requirements/%.lock $(VENV)/installed
	@$(BIN)/python -m venv --clear --without-pip $(@D)
	@where='import sysconfig; print(sysconfig.get_path("purelib"))'; \
	echo "import site; site.addsitedir('$$($(BIN)/python -c "$$where")')" \
	    >"$$($(@D)/bin/python -c "$$where")/below.pth"
	@$(PIP) --python $(@D)/bin/python install --require-hashes --no-deps --no-build-isolation -r $<
	@$(PIP) --python $(@D)/bin/python check
	@touch $@

# A lock must not depend on the settings of the machine that made it, and must serve the
# oldest Python, which may need packages that newer ones have built in.
COMPILE = env -u PIP_FIND_LINKS -u PIP_EXTRA_INDEX_URL PIP_CONFIG_FILE=/dev/null \
    $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
    --no-emit-index-url --no-emit-trusted-host --no-emit-find-links $(UPGRADE)

# All extras except those of dicebase.environments, which have environments of their own.
DEV_EXTRAS := arrow build excel serve model docs notebooks dev

lock: $(VENV)/locked
	$(PIP) $(INSTALL) -r requirements/dev.lock
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) and \
	    "error: the lock is made with Python 3.11: make distclean lock PYTHON=python3.11")'
	$(COMPILE) --output-file requirements/pip.lock requirements/pip.in
	$(COMPILE) $(DEV_EXTRAS:%=--extra %) --constraint requirements/pip.lock --output-file requirements/dev.lock \
	    pyproject.toml
	$(COMPILE) --extra build --extra excel --extra serve --constraint requirements/dev.lock \
	    --output-file requirements/dicebase.lock pyproject.toml
	# Packages of .venv are not resolved again, except python-dateutil, of which botocore needs an older version.
	sed -n '/^python-dateutil==/d; s/^\([a-z0-9._-]*==[^ ]*\).*/\1/p' requirements/dev.lock >$(VENV)/below
	set -e; for name in $(ABOVE); do $(COMPILE) --constraint $(VENV)/below \
	    --output-file requirements/$$name.lock requirements/$$name.in; done
	$(COMPILE) --output-file requirements/environments.lock requirements/environments.in
	@if grep -n -e '://' -e '^-' $(LOCKS) requirements/dev.lock requirements/environments.lock \
	    $(ABOVE:%=requirements/%.lock); then \
	    echo 'error: a lock names an address' >&2; exit 1; fi
