#!/bin/sh
# What a snag and a pull at two corners leave in cotton: prints it, and writes yarns (.obj) and
# pictures to FOLDER. plastic_set.sh FOLDER [BUILD_FOLDER]
# needs a build (cmake --build build --target purl) and a minute or two.
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$1
build=${2:-$root/build}
lib=$build/core/libpurl_core.a
[ -n "$folder" ] || { echo "plastic_set.sh: no folder was given, expected plastic_set.sh FOLDER" >&2; exit 2; }
[ -f "$lib" ] || { echo "plastic_set.sh: $lib is not there, expected a build of purl" >&2; exit 3; }
mkdir -p "$folder"
program=$(mktemp)
trap 'rm -f "$program"' EXIT
c++ -std=c++17 -O2 -march=x86-64-v3 -I"$root/core" -isystem /usr/include/eigen3 \
    "$root/tools/plastic_set.cpp" "$lib" -o "$program" -ltbb -lopenvdb -lblosc -lpng -lz -lxxhash
"$program" "$folder"
for name in corners snag; do
    for when in drawn released slippery; do
        "$build/bin/purl" preview "$folder/${name}_$when.obj" --radius 0.00012 --view front \
            --no-ground --width 500 --quiet --out "$folder/${name}_$when.png"
    done
done
