#!/bin/bash
# Slurm for real: submits a simulation, preempts it, lets it be requeued and resume, and compares
# every frame with an undisturbed run; then a 3 x 3 wedge as an array job with its sheet and table.
#
#   tools/slurm_test.sh PURL [FOLDER]
#
# Starts a private Slurm with tools/slurm_local.sh and stops it again. Exit 77 (skipped) where
# Slurm is not installed or may not run; 0 when all is as it should be.
set -u
tools=$(cd "$(dirname "$0")" && pwd)
purl=$(realpath "$1")
work=${2:-$(mktemp -d "${TMPDIR:-/tmp}/purl_slurm.XXXXXX")}
mkdir -p "$work"; work=$(realpath "$work")
chmod 755 "$work" # munged runs as a user of its own
"$tools/slurm_local.sh" start "$work/slurm" || exit $?
export SLURM_CONF=$work/slurm/slurm.conf
finish() { scancel -u "$(id -un)" 2>/dev/null; "$tools/slurm_local.sh" stop "$work/slurm"; [ $# = 0 ] || rm -rf "$work"; }
fail() { echo "slurm_test: $*"; tail -n 20 "$work"/*.log 2>/dev/null; finish; exit 1; }
cpus=$(nproc)

cat >"$work/scene.json" <<'JSON'
{"pattern": {"name": "stockinette", "wales": 10, "courses": 10, "radius": "1.25 mm", "lie": true,
             "centre": [0, 0.03, 0]},
 "colliders": [{"shape": "sphere:0,0,0,0.02", "keys": [{"frame": 1, "translate": [0, 0, 0]},
                                                       {"frame": 60, "translate": [0.02, 0.01, 0]}]}],
 "time": {"frames": "1-60", "fps": 60}}
JSON
"$purl" sim "$work/scene.json" --out "$work/whole/f.\$F4.bgeo.sc" --progress none --threads 1 ||
    fail "the reference run ended with $?"

# The recipe of docs/farm.md: srun gets the signals, 75 asks for the queue again.
cat >"$work/sim.sbatch" <<BATCH
#!/bin/bash
#SBATCH --requeue --open-mode=append --signal=USR1@60 --time=30 -c $cpus -o $work/sim.log
echo "begins, restart \${SLURM_RESTART_COUNT:-0}"
srun "$purl" sim "$work/scene.json" --out '$work/cut/f.\$F4.bgeo.sc' --progress alf \\
    --resume auto --checkpoint-every 10s --threads 1
code=\$?
echo "ends with \$code"
if [ \$code = 75 ]; then scontrol requeue "\$SLURM_JOB_ID"; sleep 60; fi
exit \$code
BATCH
job=$(sbatch --parsable -p farm "$work/sim.sbatch") || fail "sbatch"
wait_for() { # seconds, what for, command
    local i
    for ((i = 0; i < $1 * 5; ++i)); do eval "$3" && return 0; sleep 0.2; done
    fail "no $2 after $1 s"
}
state() { scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p' | head -n 1; }
preempted=0
for round in 1 2; do
    frames=$((round * 12))
    wait_for 240 "frame $frames" "[ -e '$work/cut/f.$(printf %04d $frames).bgeo.sc' ]"
    urgent=$(sbatch --parsable -p urgent -c "$cpus" -o /dev/null --wrap 'sleep 1') || fail "sbatch urgent"
    wait_for 60 "preemption" "[ \"\$(state $job)\" = PENDING ]"
    preempted=$((preempted + 1))
    wait_for 60 "end of the urgent job" "case \$(state $urgent) in COMPLET*) true ;; *) false ;; esac"
    # Slurm holds a requeued job back for two minutes; a farm waits, a test does not.
    wait_for 60 "restart" "scontrol update JobId=$job StartTime=now 2>/dev/null; [ \"\$(state $job)\" = RUNNING ]"
done
wait_for 300 "end of the job" "case \$(state $job) in COMPLETED) true ;; FAILED) fail 'the job failed' ;; *) false ;; esac"
[ "$(grep -c 'ends with 75' "$work/sim.log")" = $preempted ] || fail "preemption did not end in 75"
for f in "$work"/whole/f.*; do
    cmp -s "$f" "$work/cut/$(basename "$f")" || fail "$(basename "$f") differs after preemption"
done
echo "slurm_test: job $job preempted $preempted times, requeued, resumed: 60 frames identical"

# 3 x 3 as an array job, waited for.
sed -i 's/"1-60", "fps": 60/"1-6", "fps": 120/' "$work/scene.json"
"$purl" wedge "$work/scene.json" --vary friction=0.1,0.4,0.8 --vary contact/accuracy=0.01,0.04,0.1 \
    --out "$work/wedge" --engine slurm --sbatch '-p farm -c 1' --wait --threads 1 --width 160 ||
    fail "the wedge ended with $?"
[ "$(grep -c ',done,6,' "$work/wedge/table.csv")" = 9 ] || fail "not nine done: $(cat "$work/wedge/table.csv")"
[ -s "$work/wedge/sheet.png" ] || fail "no sheet"
# The same nine here give the same state hashes.
"$purl" wedge "$work/scene.json" --vary friction=0.1,0.4,0.8 --vary contact/accuracy=0.01,0.04,0.1 \
    --out "$work/here" --jobs 2 --threads 1 --width 160 --progress none || fail "the wedge here ended with $?"
[ "$(cut -d, -f 1,11 "$work/wedge/table.csv")" = "$(cut -d, -f 1,11 "$work/here/table.csv")" ] ||
    fail "the wedge on Slurm differs from the one here"
echo "slurm_test: 3 x 3 wedge as an array job: 9 done, sheet and table, same hashes as here"
[ $# -ge 2 ] && finish || finish remove
