#!/usr/bin/env hython
"""A scarf falls on the floor.

hython hip_examples/scarf_on_plane.py scarf_on_plane.hip builds and saves the scene; hip_examples/scarf_on_plane.json is the
same for a machine without Houdini: purl sim hip_examples/scarf_on_plane.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, finish, knit  # noqa: E402

FRAMES = 48


def build():
    geo = begin("scarf_on_plane", FRAMES)
    pattern = knit(geo, pattern="stockinette", wales=24, courses=24, radius=0.00125, t=(0, 0.05, 0))
    wool = after(geo, "purl::configure::1.0", "configure", pattern, material="wool")
    solver = after(geo, "purl::solver::1.0", "solver", wool, useground=1)
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver, output="plies", plies=3, twist=150.0)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
