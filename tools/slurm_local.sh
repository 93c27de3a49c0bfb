#!/bin/sh
# A real Slurm on this machine alone, for trying farm jobs and for tests: Debian's slurmctld, slurmd
# and munged with everything (keys, state, logs, ports) in one folder, and nothing in /etc touched.
#
#   tools/slurm_local.sh start DIR     then:  export SLURM_CONF=DIR/slurm.conf; sbatch ...
#   tools/slurm_local.sh stop DIR
#
# Two partitions: `farm` (the default; its jobs are preempted: SIGTERM, 30 s, requeue) and `urgent`.
# Needs root (slurmd changes users) and: apt-get install slurmctld slurmd slurm-client munge.
# Exit 77 when Slurm is not there or cannot run here: tests take that for "skip".
set -eu
[ $# = 2 ] || { sed -n '2,11p' "$0" | sed 's/^# \{0,1\}//'; exit 2; }
mkdir -p "$2"
dir=$(cd "$2" && pwd)

stop_one() { # by the process number that the daemon left
    [ -s "$1" ] || return 0
    pid=$(cat "$1")
    case "$(tr '\0' ' ' </proc/"$pid"/cmdline 2>/dev/null)" in *"$2"*) kill "$pid" || true ;; esac
}

if [ "$1" = stop ]; then
    for p in "$dir"/slurmd.pid "$dir"/slurmctld.pid "$dir"/munge/munged.pid; do
        stop_one "$p" "$(basename "$p" .pid)"
    done
    exit 0
fi

for tool in slurmctld slurmd sbatch munged; do
    PATH=$PATH:/usr/sbin command -v $tool >/dev/null || {
        echo "slurm_local: no $tool here; apt-get install slurmctld slurmd slurm-client munge" >&2
        exit 77
    }
done
[ "$(id -u)" = 0 ] || { echo "slurm_local: needs root" >&2; exit 77; }
PATH=$PATH:/usr/sbin
host=$(hostname -s)
# Ports of its own, so that several can run side by side.
base=$((20000 + $$ % 20000))

mkdir -p "$dir/munge" "$dir/state" "$dir/spool"
chmod 755 "$dir"
dd if=/dev/urandom of="$dir/munge/key" bs=1 count=1024 2>/dev/null
chown -R munge "$dir/munge"
chmod 600 "$dir/munge/key"
chmod 755 "$dir/munge"
runuser -u munge -- munged --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
    --pid-file="$dir/munge/munged.pid" --log-file="$dir/munge/munged.log" \
    --seed-file="$dir/munge/seed" --force 2>"$dir/munge/start.log" || {
    echo "slurm_local: munged did not start ($(tail -n 1 "$dir/munge/start.log")); can the user munge" \
        "read $dir/munge?" >&2
    exit 77
}

cat >"$dir/slurm.conf" <<CONF
ClusterName=purl
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$base
SlurmdPort=$((base + 1))
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
KillWait=30
ReturnToService=2
SlurmctldParameters=enable_configless
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=farm Nodes=$host Default=YES MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime=30
PartitionName=urgent Nodes=$host MaxTime=INFINITE State=UP PriorityTier=10 PreemptMode=OFF
CONF
export SLURM_CONF="$dir/slurm.conf"
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    case "$(sinfo -h -o %T -p farm 2>/dev/null)" in idle | mixed | allocated) exit 0 ;; esac
    sleep 1
done
echo "slurm_local: the node did not come up; see $dir/slurmctld.log and slurmd.log" >&2
"$0" stop "$dir"
exit 77
