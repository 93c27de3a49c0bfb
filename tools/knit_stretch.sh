#!/bin/sh
# The stretch of a stockinette of crossings beside one of rods. knit_stretch.sh [BUILD_FOLDER]
# needs a build (cmake --build build --target purl_core) and a minute or two.
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$root/build}
lib=$build/core/libpurl_core.a
[ -f "$lib" ] || { echo "knit_stretch.sh: $lib is not there, expected a build of purl_core" >&2; exit 3; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
c++ -std=c++17 -O2 -march=x86-64-v3 -I"$root/core" -isystem /usr/include/eigen3 \
    "$root/tools/knit_stretch.cpp" "$lib" -o "$out/knit_stretch" \
    -ltbb -lopenvdb -lblosc -lpng -lz -lxxhash
"$out/knit_stretch"
