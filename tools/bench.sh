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

run_acl() { # adaptive contact linearization on the paper's scarf and afghan; bench/acl.csv
    "$(dirname "$0")/bench_acl.sh" "$bin/purl"
}
run_cloth() { # triangle cloth: the solve against Eigen's, threads, growth with size
    "$bin/purl" bench cloth
}

for name in ${*:-io acl cloth}; do
    printf '\n== %s\n' "$name"
    "run_$name"
done
