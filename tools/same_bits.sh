#!/bin/bash
# The same frames at every thread count and in every repeat, in every mode.
#   tools/same_bits.sh PURL [REPEATS (5)] [FRAMES (6)]
set -u
purl=$(realpath "$1"); repeats=${2:-5}; frames=${3:-6}
work=$(mktemp -d "${TMPDIR:-/tmp}/purl_bits.XXXXXX")
trap 'rm -rf "$work"' EXIT
ball='"colliders": [{"shape": "sphere:0,0,0,0.02", "keys": [{"frame": 1, "translate": [0, 0, 0]}, {"frame": 30, "translate": [0.02, 0.01, 0]}]}]'
knit='"pattern": {"name": "stockinette", "wales": 12, "courses": 12, "radius": "1.25 mm", "lie": true, "centre": [0, 0.025, 0]}'
echo "{$knit, $ball, \"time\": {\"fps\": 120}}" >"$work/yarns_acl.json"
echo "{$knit, $ball, \"contact\": {\"method\": \"exact\"}, \"time\": {\"fps\": 120}}" >"$work/yarns_exact.json"
echo "{$knit, $ball, \"integrator\": {\"method\": \"implicit\"}, \"time\": {\"fps\": 120}}" >"$work/yarns_implicit.json"
fabric='"fabric": {"grid": {"columns": 10, "rows": 10, "width": 0.03, "height": 0.03, "lie": true, "centre": [0, 0.022, 0]}, "draft": "plain", "spacing": "1 mm", "material": "cotton"'
echo "{$fabric}, \"colliders\": [\"sphere:0,0,0,0.02\"], \"time\": {\"fps\": 48}}" >"$work/fabric.json"
scenes=$(realpath "$(dirname "$0")/../scenes") # the mixed scene names a file beside it
sed "s|\"patches/|\"$scenes/patches/|" "$scenes/mixed_ball.json" >"$work/mixed.json"
echo "{\"cloth\": {\"grid\": {\"rows\": 40, \"columns\": 40, \"width\": 0.2, \"height\": 0.2, \"lie\": true, \"centre\": [0, 0.025, 0]}}, $ball}" >"$work/cloth.json"
bad=0
for scene in "$work"/*.json; do
    mode=$(basename "$scene" .json); first="" runs=0
    for threads in 1 2 3 8; do
        for ((k = 0; k < repeats; ++k)); do
            rm -rf "$work/out"
            "$purl" sim "$scene" --frames "1-$frames" --out "$work/out/f.\$F4.bgeo.sc" --progress none \
                --manifest none --threads $threads || { echo "same_bits: $mode failed"; exit 1; }
            sum=$(cat "$work"/out/f.*.bgeo.sc | sha256sum)
            runs=$((runs + 1))
            [ -z "$first" ] && first=$sum
            [ "$sum" = "$first" ] || { echo "same_bits: $mode differs with $threads threads, repeat $k"; bad=1; }
        done
    done
    echo "same_bits: $mode: $runs runs with 1, 2, 3, 8 threads, hash ${first:0:16}"
done
exit $bad
