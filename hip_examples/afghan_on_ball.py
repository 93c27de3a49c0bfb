#!/usr/bin/env hython
"""An afghan of moss stitch drapes over a ball.

hython hip_examples/afghan_on_ball.py afghan_on_ball.hip builds and saves the scene; hip_examples/afghan_on_ball.json is the
same for a machine without Houdini: purl sim hip_examples/afghan_on_ball.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, finish, knit, put  # noqa: E402

FRAMES = 48


def build():
    geo = begin("afghan_on_ball", FRAMES)
    pattern = knit(geo, pattern="moss", wales=24, courses=24, radius=0.00125, t=(0, 0.06, 0))
    wool = after(geo, "purl::configure::1.0", "configure", pattern, material="wool")
    ball = geo.createNode("sphere", "ball")
    put(ball, {"type": "poly", "rows": 48, "cols": 96, "rad": (0.05, 0.05, 0.05)})
    collider = after(geo, "purl::collider::1.0", "collider", ball, yarnradius=0.00125)
    solver = after(geo, "purl::solver::1.0", "solver", wool)
    solver.setInput(2, collider)
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
