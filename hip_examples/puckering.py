#!/usr/bin/env hython
"""A rib without weight, one side held, draws together and puckers: its yarn wants to be straighter than the loop.

hython hip_examples/puckering.py puckering.hip builds and saves the scene; hip_examples/puckering.json is the
same for a machine without Houdini: purl sim hip_examples/puckering.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, finish, knit  # noqa: E402

FRAMES = 24


def build():
    geo = begin("puckering", FRAMES)
    pattern = knit(geo, pattern="rib2x2", wales=24, courses=16, radius=0.00125)
    springy = after(geo, "purl::configure::1.0", "configure", pattern, material="wool", restcurvature=0.2,
                    pingroup="edge_left", pintype="stopped")
    solver = after(geo, "purl::solver::1.0", "solver", springy, gravity=(0, 0, 0))
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
