# The short front of the CMake build: `make help` lists what there is.
PRESET ?= release
BUILD := build/$(PRESET)
WAYMARK := $(BUILD)/bin/waymark
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
CTEST := ctest --output-on-failure --no-tests=error -j $(JOBS)
CLANG_FORMAT ?= clang-format-19

.PHONY: all help packages demo check check-sanitize check-real check-extended fuzz bench install package \
	fmt stats clean

all: packages ## build everything into build/release
	@cmake --preset $(PRESET) >/dev/null
	@cmake --build --preset $(PRESET) -j $(JOBS)

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1\t\2/p' Makefile | expand -t 18

packages: ## install the Debian packages that are missing
	@scripts/install-packages

demo: all ## profile the bundled interpreter and show its report
	@examples/demo $(WAYMARK)

check: all check-sanitize ## all tests: unit (also sanitized), programs, csmith, one real program
	@cd $(BUILD) && $(CTEST) -LE extended

check-sanitize: packages ## the unit tests with address and undefined-behaviour sanitizers
	@cmake --preset sanitize -DWAYMARK_WERROR=$(if $(filter ci,$(PRESET)),ON,OFF) >/dev/null
	@cmake --build --preset sanitize -j $(JOBS)
	@cd build/sanitize && $(CTEST) -L unit

check-real: all ## real programs from Debian source packages
	@cd $(BUILD) && $(CTEST) -C extended -L real

check-extended: all ## thousands of random programs, all real programs: takes hours
	@cd $(BUILD) && $(CTEST) -C extended -L extended

fuzz: packages ## ten minutes of hostile input for every reader, under sanitizers
	@tests/fuzz/run

bench: all ## cost against plain clang and others; the papers' tables on our programs; the cost model; threads, kills; growth
	@bench/run $(WAYMARK) --instructions --json=build/bench.json --chart=build/bench.svg
	@bench/figure24 $(WAYMARK)
	@bench/paths_study $(WAYMARK)
	@bench/cost_model $(WAYMARK)
	@bench/threads $(WAYMARK)
	@bench/lost_counts $(WAYMARK)
	@bench/growth $(WAYMARK) --json=build/growth.json --chart=build/growth.svg

install: all ## install below PREFIX (default /usr/local); DESTDIR is honoured
	@cmake --install $(BUILD) --prefix $(PREFIX)

package: all ## a Debian package in the build folder
	@cd $(BUILD) && cpack -G DEB >/dev/null && ls $$PWD/waymark_*.deb

fmt: ## format the C and C++ sources
	@git ls-files '*.c' '*.h' '*.cpp' | xargs $(CLANG_FORMAT) -i

stats: ## lines and functions per folder
	@scripts/stats

clean: ## remove the build trees
	@rm -rf build
