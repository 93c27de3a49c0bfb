#!/bin/bash
# A long run of a small scene with a collider that goes up and down: memory must not grow after
# frame 100, and the energy audit must close.
#   tools/soak.sh PURL [FRAMES (2000)]
set -u
purl=$(realpath "$1"); frames=${2:-2000}
work=$(mktemp -d "${TMPDIR:-/tmp}/purl_soak.XXXXXX")
trap 'rm -rf "$work"' EXIT
python3 - "$frames" >"$work/scene.json" <<'PY'
import json, sys
frames = int(sys.argv[1])
keys = [{"frame": f, "translate": [0, 0.01 if (f // 24) % 2 else 0, 0]} for f in range(1, frames + 24, 24)]
print(json.dumps({
    "pattern": {"name": "stockinette", "wales": 5, "courses": 5, "radius": "1.25 mm", "lie": True, "centre": [0, 0.006, 0]},
    "colliders": [{"shape": "sphere:0,-0.06,0,0.06", "friction": 0.8, "keys": keys}],
    "time": {"frames": f"1-{frames}", "fps": 96}}))
PY
"$purl" sim "$work/scene.json" --out "$work/f.\$F4.bgeo.sc" --stats "$work/stats.jsonl" --progress none \
    --threads 1 --resume auto --checkpoint-every 50 || { echo "soak: ended with $?"; exit 1; }
python3 - "$work/stats.jsonl" <<'PY'
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])][1:]
start = min(100, len(lines) // 2)
base = max(l["memory"] for l in lines[:start])
most = max(l["memory"] for l in lines[start:])
growth = most / base - 1
worst = max((l["certificate"]["energy_excess"] / max(l["certificate"]["energy_scale"], 1e-30), l["frame"])
            for l in lines if "certificate" in l) if any("certificate" in l for l in lines) else (0, 0)
# What is not accounted for, either way, of all that there was or was turned to heat.
gap, at = max((abs(l["energy"]["balance"]) / max(l["energy"]["turnover"], 1e-30), l["frame"]) for l in lines[24:])
end = lines[-1]["energy"]
rejections = sum(l.get("rejections", 0) for l in lines)
print(f"soak: {len(lines) + 1} frames, memory {base/1e6:.2f} MB up to frame {start}, {most/1e6:.2f} MB after "
      f"({100*growth:+.2f} %), energy from nowhere at most {100*worst[0]:.3f} % (frame {worst[1]}), "
      f"balance off by at most {100*gap:.3f} % (frame {at}), "
      f"{rejections} steps rejected, {sum(l.get('seconds', 0) for l in lines):.0f} s")
print("soak: the account at its end, J:", ", ".join(f"{k} {v:.3g}" for k, v in end.items()))
sys.exit(0 if growth < 0.01 and worst[0] < 0.01 and gap < 0.01 else 1)
PY
