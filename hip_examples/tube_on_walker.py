#!/usr/bin/env hython
"""A knitted tube, like the body of a sweater, on a walking rig of capsules.

hython hip_examples/tube_on_walker.py tube_on_walker.hip builds and saves the scene; hip_examples/tube_on_walker.json is the
same for a machine without Houdini: purl sim hip_examples/tube_on_walker.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, finish, knit, put  # noqa: E402

FRAMES = 48


def build():
    geo = begin("tube_on_walker", FRAMES)
    pattern = knit(geo, pattern="rib2x2", wales=48, courses=20, radius=0.00125, tube=1, placement="stand")
    top = after(geo, "purl::configure::1.0", "configure", pattern, pingroup="edge_top",
                pintype="pintoanimation")
    body = geo.createNode("tube", "body")
    put(body, {"type": "poly", "cap": 1, "height": 0.12, "rad1": 0.018, "rad2": 0.018, "cols": 48})
    walk = after(geo, "xform", "walk", body)
    walk.parm("rz").setExpression("8 * sin(($F - 1) * 15)")
    walk.parm("tx").setExpression("0.0005 * ($F - 1)")
    pins = after(geo, "xform", "pins", top)  # the rim walks along
    pins.parm("rz").setExpression("8 * sin(($F - 1) * 15)")
    pins.parm("tx").setExpression("0.0005 * ($F - 1)")
    solver = after(geo, "purl::solver::1.0", "solver", top)
    solver.setInput(1, pins)
    solver.setInput(2, walk)
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
