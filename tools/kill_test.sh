#!/bin/bash
# Kills a simulation at random moments, by SIGKILL and SIGTERM in turn, each time followed by the
# same command line, and compares every frame with those of a run that nobody disturbed.
#
#   tools/kill_test.sh PURL [KILLS] [SEED] -- SCENE.json [FLAGS of purl sim ...]
#
# The reference is made once, with its time; kills then come after a random part of it. Exit 0: all
# frames byte-identical, no temporary left, and a checkpoint cut at every 101st byte never accepted.
set -u
purl=$(realpath "$1"); shift
kills=20; seed=1
[ "$1" != -- ] && { kills=$1; shift; }
[ "$1" != -- ] && { seed=$1; shift; }
[ "$1" = -- ] && shift
scene=$(realpath "$1"); shift
RANDOM=$seed
work=$(mktemp -d "${TMPDIR:-/tmp}/purl_kill.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "kill_test: $*"; exit 1; }

begin=$(date +%s%N)
"$purl" sim "$scene" --out "$work/whole/f.\$F4.bgeo.sc" --progress none "$@" || fail "the reference run ended with $?"
ms=$((($(date +%s%N) - begin) / 1000000))

done_kills=0 runs=0 terms=0 died=0
while :; do
    runs=$((runs + 1))
    "$purl" sim "$scene" --out "$work/cut/f.\$F4.bgeo.sc" --progress none --resume auto \
        --checkpoint-every 0.2s "$@" 2>>"$work/log" &
    pid=$!
    if [ $done_kills -lt "$kills" ]; then
        # A kill may come anywhere, but runs must get on: a tenth of the reference on the average.
        wait_ms=$(((RANDOM % 1000) * (ms / 5 + 200) / 1000 + 20))
        sleep "$(printf '%d.%03d' $((wait_ms / 1000)) $((wait_ms % 1000)))"
        if [ $((done_kills % 2)) = 0 ]; then signal=KILL; else signal=TERM; fi
        if kill -$signal $pid 2>/dev/null; then done_kills=$((done_kills + 1)); fi
        wait $pid 2>/dev/null; code=$?
        case "$signal $code" in
        "KILL 137") died=$((died + 1)) ;;
        "TERM 75") terms=$((terms + 1)) ;;
        "TERM 143") died=$((died + 1)) ;; # before the program had begun
        *" 0")
            # It was through before the signal came: begin again, so that every kill counts.
            if [ $done_kills -lt "$kills" ]; then rm -rf "$work/cut"; fi ;;
        *) tail -n 5 "$work/log"; fail "SIG$signal gave exit $code" ;;
        esac
    else
        wait $pid; code=$?
        [ $code = 0 ] || { tail -n 5 "$work/log"; fail "the last run ended with $code"; }
        break
    fi
    [ $runs -lt 400 ] || fail "no end after $runs runs"
done

count=0
for f in "$work"/whole/f.*.bgeo.sc; do
    cmp -s "$f" "$work/cut/$(basename "$f")" || fail "$(basename "$f") differs"
    count=$((count + 1))
done
[ "$count" = "$(ls "$work"/cut/f.*.bgeo.sc | wc -l)" ] || fail "another number of frames"
ls -a "$work/cut" "$work/cut/checkpoints" | grep -q '\.tmp[0-9]' && fail "temporaries were left"

# A checkpoint cut anywhere is never taken: the run begins anew, with a warning, or refuses it.
state=$(ls "$work"/cut/checkpoints/state.* | tail -n 1)
size=$(stat -c %s "$state")
step=${CUT_STEP:-$((101 * (size / 101 / 12 + 1)))} # CUT_STEP=101 for all of them
cuts=0
for ((at = 0; at < size; at += step)); do
    head -c "$at" "$state" >"$work/cut.purlstate"
    "$purl" sim "$scene" --out "$work/no/f.\$F4.bgeo.sc" --progress none --resume "$work/cut.purlstate" \
        "$@" >"$work/said" 2>&1
    code=$?
    [ $code = 3 ] || fail "a checkpoint of $at of $size bytes gave exit $code"
    cuts=$((cuts + 1))
done
echo "kill_test: $count frames identical after $done_kills kills ($died died, $terms stopped with 75), $runs runs; $cuts cut checkpoints refused"
