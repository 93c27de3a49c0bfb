#!/usr/bin/env hython
"""A knitted sack, held at its rim, is filled with balls from above.

hython hip_examples/sack_of_balls.py sack_of_balls.hip builds and saves the scene; hip_examples/sack_of_balls.json is the
same for a machine without Houdini: purl sim hip_examples/sack_of_balls.json --out 'out/f.$F4.bgeo.sc'."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import after, begin, finish, keys, knit, put  # noqa: E402

FRAMES = 48
BALLS = ((-0.012, 0.0), (0.012, 0.006), (0.0, -0.012))


def build():
    geo = begin("sack_of_balls", FRAMES)
    pattern = knit(geo, pattern="stockinette", wales=20, courses=20, radius=0.00125)
    rim = after(geo, "purl::configure::1.0", "rim", pattern, pingroup="edge_top", pintype="stopped")
    for i, edge in enumerate(("edge_bottom", "edge_left", "edge_right")):
        rim = after(geo, "purl::configure::1.0", f"rim{i + 2}", rim, pingroup=edge, pintype="stopped")
    balls = geo.createNode("merge", "balls")
    for i, (x, z) in enumerate(BALLS):
        ball = geo.createNode("sphere", f"ball{i + 1}")
        put(ball, {"type": "poly", "rows": 24, "cols": 48, "rad": (0.01, 0.01, 0.01), "tx": x, "tz": z})
        # From 2 cm above the sack to 1 cm below its plane, one after the other.
        keys(ball.parm("ty"), [(1 + 6 * i, 0.02), (30 + 6 * i, -0.01)])
        balls.setInput(i, ball)
    solver = after(geo, "purl::solver::1.0", "solver", rim, friction=0.4)
    solver.setInput(2, balls)
    yarn = after(geo, "purl::yarn::1.0", "yarn", solver)
    finish(geo, yarn, FRAMES)


if __name__ == "__main__":
    build()
