#!/bin/bash
# The forecast's memory against what runs really took, on six scenes: within 20 % or exit 1.
#   tools/forecast_test.sh PURL [FRAMES (24)]
set -u
purl=$(realpath "$1"); frames=${2:-24}
work=$(mktemp -d "${TMPDIR:-/tmp}/purl_dry.XXXXXX")
trap 'rm -rf "$work"' EXIT
knit() { echo "{\"pattern\": {\"name\": \"$1\", \"wales\": $2, \"courses\": $2, \"radius\": \"1.25 mm\", \"lie\": true, \"centre\": [0, 0.035, 0]}, \"colliders\": [\"sphere:0,0,0,0.03\", \"plane:0,1,0,-0.03\"], $3 \"time\": {\"fps\": 240}}"; }
sheet() { echo "{\"cloth\": {\"grid\": {\"rows\": $1, \"columns\": $1, \"width\": 0.4, \"height\": 0.4, \"lie\": true, \"centre\": [0, 0.11, 0]}}, \"colliders\": [\"sphere:0,0,0,0.1\"]}"; }
knit stockinette 10 "" >"$work/1_stockinette10.json"
knit stockinette 40 "" >"$work/2_stockinette40.json"
knit garter 24 "" >"$work/3_garter24.json"
knit rib2x2 24 '"contact": {"method": "exact"},' >"$work/4_rib_exact.json"
sheet 30 >"$work/5_sheet30.json"
sheet 120 >"$work/6_sheet120.json"
bad=0
for scene in "$work"/*.json; do
    told=$("$purl" sim "$scene" --frames "1-$frames" --out "$work/out/f.\$F4.bgeo.sc" --dry-run | sed -n 's/^memory: .*(\([0-9]*\) bytes).*/\1/p')
    "$purl" sim "$scene" --frames "1-$frames" --out "$work/out/f.\$F4.bgeo.sc" --progress none || exit 1
    took=$(python3 -c "import json; print(int(json.load(open('$work/out/manifest.json'))['peak_memory']))")
    off=$(python3 -c "print(f'{100*($told/$took-1):+.1f}')")
    python3 -c "import sys; sys.exit(abs($told/$took-1) > 0.2)" || bad=1
    echo "forecast: $(basename "$scene" .json): told $((told / 1000000)) MB, took $((took / 1000000)) MB, $off %"
    rm -rf "$work/out"
done
exit $bad
