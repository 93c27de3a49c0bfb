#!/usr/bin/env hython
"""A knitted sleeve on an arm that bends at the elbow.

hython hip_examples/elbow.py elbow.hip builds and saves the scene; hip_examples/elbow.json is the
same for a machine without Houdini: purl sim hip_examples/elbow.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, capsule, finish, keys, knit  # noqa: E402

FRAMES = 48


def build():
    geo = begin("elbow", FRAMES)
    pattern = knit(geo, pattern="stockinette", wales=16, courses=20, radius=0.00125, tube=1, placement="stand")
    cuff = after(geo, "purl::configure::1.0", "configure", pattern, pingroup="edge_top", pintype="stopped")
    arm = geo.createNode("merge", "arm")
    arm.setInput(0, capsule(geo, "upper", (0, 0, 0), (0, 0.08, 0), 0.022))
    bends = after(geo, "xform", "lower_bends", capsule(geo, "lower", (0, 0, 0), (0, -0.08, 0), 0.022))
    keys(bends.parm("rz"), [(1, 0), (36, 60)])  # about the elbow at the origin
    arm.setInput(1, bends)
    solver = after(geo, "purl::solver::1.0", "solver", cuff, friction=0.4)
    solver.setInput(2, arm)
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
