# make          build (installs missing Debian packages when it may)
# make demo     knit a patch, drop it on a ball, show the pictures
# make test     build and run every test
# make bench    measure: files against Blosc's own speed, contact against exact contact, cloth
# make package  the folder to drop into Houdini (nodes only for versions that were built, see docs/houdini.md)
# make fuzz     feed damaged files to every reader, under sanitizers
.RECIPEPREFIX = >
.DEFAULT_GOAL := build
.PHONY: build configure demo test bench package deps format tidy fuzz clean

BUILD ?= build
PACKAGES = g++ make cmake ninja-build ccache libeigen3-dev libtbb-dev libopenvdb-dev libblosc-dev \
  libembree-dev libpng-dev zlib1g-dev nlohmann-json3-dev libcli11-dev libgtest-dev libxxhash-dev libboost-dev \
  python3

deps:
> @tools/install_packages.sh $(PACKAGES)

configure: deps
> @cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release >$(BUILD).configure.log 2>&1 || { cat $(BUILD).configure.log; exit 1; }
> @rm -f $(BUILD).configure.log

build: configure
> @cmake --build $(BUILD)

demo: configure
> @cmake --build $(BUILD) --target purl
> @tools/demo.sh $(BUILD)/bin/purl demo

# The farm's tests run a real Slurm where there is one; a CI machine (CI set) gets it installed.
FARM_PACKAGES = slurmctld slurmd slurm-client munge

test: build
> @[ -z "$$CI" ] || tools/install_packages.sh $(FARM_PACKAGES) || true
> @cd $(BUILD) && ctest --output-on-failure -j2

bench: configure
> @cmake --build $(BUILD) --target purl benches
> @tools/bench.sh $(BUILD)/bin

package:
> @python3 plugin/package/make_package.py . package $(wildcard build-houdini*)

format:
> clang-format -i $$(git ls-files '*.h' '*.cpp')

# Needs clang; one minute a reader unless SECONDS_EACH says otherwise.
fuzz: deps
> @tools/fuzz.sh $(or $(SECONDS_EACH),60)

tidy: build
> clang-tidy -p $(BUILD) --quiet $$(git ls-files 'core/*.cpp' 'cli/*.cpp' 'preview/*.cpp')

clean:
> rm -rf $(BUILD) demo
