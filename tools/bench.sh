#!/bin/sh
# bench.sh <folder of programs> [names...]: runs the benchmarks, each of which prints a ratio of two
# times of the same run, so that a slow or busy machine changes little.
set -eu
bin=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

run_io() { # .bgeo.sc of 2 million points: 3.00 is the most for both ratios, 2.50 for the memory
    for threads in 0 1; do "$bin/io_bench" "$scratch" 2000000 $threads; done
}

for name in ${*:-io}; do
    printf '\n== %s\n' "$name"
    "run_$name"
done
