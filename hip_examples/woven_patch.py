#!/usr/bin/env hython
"""A twill patch, held at its upper edge, falls against the floor: yarns as crossings that slide.

hython hip_examples/woven_patch.py woven_patch.hip builds and saves the scene; hip_examples/woven_patch.json
is the same for a machine without Houdini: purl sim hip_examples/woven_patch.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, finish, put  # noqa: E402

FRAMES = 48


def build():
    geo = begin("woven_patch", FRAMES)
    grid = geo.createNode("grid", "patch")
    put(grid, {"sizex": 0.2, "sizey": 0.15, "rows": 16, "cols": 21, "ty": 0.1})
    edge = after(geo, "groupcreate", "edge_top", grid, groupname="edge_top", grouptype="point",
                 basegroup="315-335")
    pinned = after(geo, "purl::configure::1.0", "pins", edge, kind="cloth", pingroup="edge_top",
                   pintype="stopped")
    fabric = after(geo, "purl::fabric::1.0", "fabric", pinned, draft="twill2/2", warpspacing=0.003,
                   material="cotton", rest="input")
    solver = after(geo, "purl::solver::1.0", "solver", fabric, mode="fabric", useground=1)
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver, sides=6, pieces=1)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
