#!/usr/bin/env hython
"""A knitted tube, like the body of a sweater, on a rig of capsules that walks on the spot: a trunk that
sways and two legs that swing. Its upper rim is held.

hython hip_examples/tube_on_walker.py tube_on_walker.hip builds and saves the scene; hip_examples/tube_on_walker.json is the
same for a machine without Houdini: purl sim hip_examples/tube_on_walker.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, capsule, finish, keys, knit  # noqa: E402

FRAMES = 48
STEP = ((1, 0), (7, 1), (19, -1), (31, 1), (43, -1), (48, 0))  # two strides
# Name, ends, radius; axis it turns about at the hips, degrees.
RIG = (("trunk", (0, 0, 0), (0, 0.09, 0), 0.03, "rz", 4), ("left", (-0.016, 0, 0), (-0.016, -0.1, 0), 0.014, "rx", 25),
       ("right", (0.016, 0, 0), (0.016, -0.1, 0), 0.014, "rx", -25))


def build():
    geo = begin("tube_on_walker", FRAMES)
    pattern = knit(geo, pattern="rib2x2", wales=24, courses=16, radius=0.00125, tube=1, placement="stand")
    rim = after(geo, "purl::configure::1.0", "configure", pattern, pingroup="edge_top", pintype="stopped")
    walker = geo.createNode("merge", "walker")
    for i, (name, a, b, radius, axis, degrees) in enumerate(RIG):
        moves = after(geo, "xform", name + "_moves", capsule(geo, name, a, b, radius))
        keys(moves.parm(axis), [(frame, share * degrees) for frame, share in STEP])
        walker.setInput(i, moves)
    solver = after(geo, "purl::solver::1.0", "solver", rim)
    solver.setInput(2, walker)
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
