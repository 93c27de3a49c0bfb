#!/bin/sh
# bench_acl.sh <purl>: adaptive contact linearization on the paper's scarf and afghan. Each run adds
# a line to bench/acl.csv (bench/README.md tells the columns).
set -eu
purl=$1
"$purl" bench acl --quiet --threads-compare
"$purl" bench acl --quiet --tau 0.004 --seconds 0.1
"$purl" bench acl --quiet --loops 54340 --seconds 0.05
