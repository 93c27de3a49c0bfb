#!/bin/sh
# demo.sh <purl> <outdir>: knits a patch, drops it on a ball, makes a contact sheet of it.
# All numbers are in scenes/demo.json.
set -eu
purl=$1
out=$2
scene=$(dirname "$0")/../scenes/demo.json

step() { # says what is done, then does it
    printf '\n%s\n' "$1"
    shift
    printf '  $ purl'
    shift
    for word in "$@"; do
        case $word in *[\$\ ]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    "$purl" "$@"
}

rm -rf "$out"
step "1. Knit a patch" purl pattern "$scene" --out "$out/patch.bgeo.sc"
step "2. Make a ball (OpenVDB level set)" purl collider "$scene" --out "$out/ball.vdb"
step "3. Let it fall" purl sim "$scene" --yarns "$out/patch.bgeo.sc" --collider "$out/ball.vdb" \
    --collider plane:0,1,0,-0.06 --out "$out/drape.\$F4.bgeo.sc" --stats "$out/stats.jsonl"
step "4. Take pictures" purl preview "$out/drape.\$F4.bgeo.sc" --collider "$out/ball.vdb" --sheet 4 \
    --frames 1-48 --count 8 --title "A knit falls on a ball" --out "$out/sheet.png"

printf '\nHoudini geometry: %s\nContact sheet:    %s\n' "$out/drape.\$F4.bgeo.sc" "$out/sheet.png"
