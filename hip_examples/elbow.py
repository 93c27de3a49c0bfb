#!/usr/bin/env hython
"""A knitted sleeve on an arm that bends at the elbow.

hython hip_examples/elbow.py elbow.hip builds and saves the scene; hip_examples/elbow.json is the
same for a machine without Houdini: purl sim hip_examples/elbow.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, finish, knit, put  # noqa: E402

FRAMES = 48


def build():
    geo = begin("elbow", FRAMES)
    pattern = knit(geo, pattern="stockinette", wales=40, courses=24, radius=0.00125, tube=1, placement="stand")
    cuff = after(geo, "purl::configure::1.0", "configure", pattern, pingroup="edge_top", pintype="stopped")
    arm = geo.createNode("merge", "arm")
    for i, name in enumerate(("upper", "lower")):
        bone = geo.createNode("tube", name)
        put(bone, {"type": "poly", "cap": 1, "height": 0.06, "rad1": 0.014, "rad2": 0.014, "cols": 48,
                   "ty": 0.03 if name == "upper" else -0.03})
        moved = after(geo, "xform", name + "_moves", bone)
        if name == "lower":  # about the elbow at the origin, up to 60 degrees
            moved.parm("rz").setExpression("60 * smooth($F, 1, 36)")
        arm.setInput(i, moved)
    solver = after(geo, "purl::solver::1.0", "solver", cuff, friction=0.4)
    solver.setInput(2, arm)
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
