#!/bin/sh
# The pictures of help/ and docs/tutorial.md, rendered by `purl preview`: tools/houdini_pictures.sh PURL
# A few minutes; they are kept in the repository.
set -e
purl=${1:-build/bin/purl}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
help=help/images/purl
tutorial=docs/images/houdini
mkdir -p $help $tutorial
small="--width 560 --height 380 --quiet"

$purl pattern stockinette --wales 16 --courses 14 --out $work/knit.bgeo
$purl preview $work/knit.bgeo --view front $small --out $help/pattern.png
$purl preview $work/knit.bgeo --camera "0.01,0.0,0.05:0.005,0,0:28" --no-ground $small --out $help/yarn.png

# A quad of 12 cm above a ball of 4 cm, as in the tutorial.
cat > $work/drape.json <<'J'
{"pattern": {"name": "stockinette", "wales": 24, "courses": 30, "radius": 0.00125, "lie": true,
             "centre": [0, 0.046, 0]},
 "yarns": {"material": "wool"}, "colliders": ["sphere:0,0,0,0.04", "plane:0,1,0,-0.06"],
 "time": {"frames": "1-18", "fps": 24}}
J
$purl sim $work/drape.json --out "$work/d.\$F4.bgeo" --quiet
ball="--collider sphere:0,0,0,0.04"
$purl preview $work/d.0001.bgeo $ball --view three-quarter $small --out $tutorial/start.png
$purl preview $work/d.0018.bgeo $ball --view three-quarter $small --out $tutorial/drape.png
$purl preview $work/d.0018.bgeo $ball --camera "0.06,0.07,0.1:0.005,0.02,0.02:26" $small --out $tutorial/close.png
$purl preview "$work/d.\$F4.bgeo" $ball --sheet 3 --count 6 --width 320 --view three-quarter --quiet --out $tutorial/frames.png
cp $tutorial/drape.png $help/solver.png
$purl preview $work/d.0018.bgeo $ball --color contactforce --view three-quarter $small --out $help/check.png
$purl preview $work/d.0001.bgeo $ball --view front $small --out $help/collider.png

cat > $work/hang.json <<'J'
{"pattern": {"name": "rib2x2", "wales": 16, "courses": 14, "radius": 0.00125, "centre": [0, 0.08, 0]},
 "yarns": {"material": "wool"}, "pins": ["edge_top"], "time": {"frames": "1-8", "fps": 24}}
J
$purl sim $work/hang.json --out "$work/h.\$F4.bgeo" --quiet
$purl preview $work/h.0008.bgeo --view front $small --out $help/configure.png

$purl fabric hip_examples/woven_patch.json --out $work/woven.bgeo --quiet
$purl preview $work/woven.bgeo --camera "0.015,0.14,0.03:0,0.1,0:32" --no-ground $small --out $help/fabric.png

# A third of the size, if ImageMagick is there.
if command -v convert >/dev/null 2>&1; then
    for p in $help/*.png $tutorial/*.png; do convert "$p" -strip -dither FloydSteinberg -colors 160 "PNG8:$p"; done
fi
