# A thin front for CMake; CMakePresets.json has the builds, scripts/ the longer steps.
# `make help` lists what there is.

PREFIX ?= /usr/local
DESTDIR ?=
ROW ?=
FUZZ_SECONDS ?= 60
COVERAGE_MIN ?= 95
SOAK_SECONDS ?= 600
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export JOBS
BUILD = scripts/build.sh
CTEST = scripts/ctest.sh

.DEFAULT_GOAL := help
.PHONY: help run examples test test-c check check-c python bench fuzz soak coverage tsan rules generate format format-check install amalgamation clean FORCE

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

# CMake runs where it has not yet, where the presets have changed, or where something that it looks
# for has come or gone since.
build/%/configured: FORCE
	@$(BUILD) $* --configure

FORCE:

run: ## build the program and watch 4,096 grid worlds run, for 5 seconds
	@scripts/bootstrap.sh cc cmake
	@$(BUILD) release cosm_program
	build/release/bin/cosm run grid --worlds 4096 --steps 100 --watch

examples: ## build the examples into build/release/examples
	@scripts/bootstrap.sh cc cmake
	@$(BUILD) release examples
	@echo "the examples are in build/release/examples"

test: ## build once, with sanitizers, and pass every test: a few minutes
	@scripts/test.sh test

check: ## pass the rest: other compilers, levels and machines, the package, training: half an hour
	@scripts/test.sh check

test-c check-c: ## the same without Python: nothing of it is installed or run
	@scripts/test.sh $@

python: ## build the Python package; use it with PYTHONPATH=build/release/python
	@scripts/bootstrap.sh cc cmake python3-dev
	@$(BUILD) release cosm_python
	@echo "the package is in build/release/python: PYTHONPATH=build/release/python"

bench: ## measure; ROW=iter2 measures one row; the table goes to build/bench.csv too
	@scripts/bootstrap.sh cc cmake
	@scripts/bootstrap.sh xxhash python3-dev python3-numpy || true
	@$(BUILD) bench bench_targets
	@scripts/bench.sh $(ROW)

fuzz: ## fuzz each target for FUZZ_SECONDS (60)
	@scripts/bootstrap.sh cmake clang clang-rt
	@$(BUILD) fuzz fuzz_targets
	@scripts/fuzz.sh build/fuzz $(FUZZ_SECONDS)

soak: ## churn on all workers for SOAK_SECONDS (600); memory must stay flat
	@scripts/bootstrap.sh cc cmake
	@$(BUILD) release soak
	build/release/bin/soak --seconds $(SOAK_SECONDS)

coverage: ## print the line coverage of src/; fails below COVERAGE_MIN=95
	@scripts/bootstrap.sh gcc cmake
	@$(BUILD) coverage
	@find build/coverage -name '*.gcda' -delete
	@$(CTEST) coverage -LE 'rules|package'
	@scripts/coverage.sh build/coverage $(COVERAGE_MIN)

tsan: ## run every test under the thread sanitizer
	@scripts/bootstrap.sh gcc cmake
	@$(BUILD) tsan
	@$(CTEST) tsan -LE 'rules|package'

rules: ## run only the rules about the source tree, and show what they say
	@scripts/bootstrap.sh gcc g++ cmake
	-@$(BUILD) dev cosm_static cosm_text >/dev/null
	-@$(BUILD) dev cosm_zstd >/dev/null 2>&1
	-@$(BUILD) dev cosm_sim >/dev/null 2>&1
	@test/rules/sizes.sh
	@$(CTEST) dev -L rules

generate: ## write again what cosm-gen makes of scenes and examples, where their headers changed
	@scripts/bootstrap.sh cc cmake libclang
	@$(BUILD) release cosm_gen
	@scripts/generate.sh build/release/bin/cosm-gen

format: ## format every C file
	@scripts/bootstrap.sh clang-format
	@scripts/format.sh

format-check: ## say which files `make format` would change
	@scripts/bootstrap.sh clang-format
	@scripts/format.sh --check

install: ## install to PREFIX (/usr/local), under DESTDIR if given
	@scripts/bootstrap.sh cc cmake
	@$(BUILD) release cosm_installed
	@scripts/install.sh build/release "$(PREFIX)" "$(DESTDIR)"

amalgamation: ## make the two-file form, build/amalgamation/cosm.h and cosm.c
	@scripts/amalgamate.sh build/amalgamation

clean: ## remove everything that was built
	rm -rf build
