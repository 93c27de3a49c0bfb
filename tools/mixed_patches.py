#!/usr/bin/env python3
"""Writes the patches of scenes/mixed_*.json: polygons with uv, paint (`yarn`) and groups of pins.

    tools/mixed_patches.py scenes/patches [build/bin/purl]

The files are checked in; this is how they were made. Needs nothing but Python; with the purl command
each .geo becomes a .bgeo.sc. Lengths are metres.
"""
import json
import math
import os
import subprocess
import sys


class Patch:
    def __init__(self):
        self.points, self.paint, self.faces, self.uv, self.groups = [], [], [], [], {}

    def point(self, x, yarn=0, groups=()):
        self.points.append(x)
        self.paint.append(1 if yarn else 0)
        for g in groups:
            self.groups.setdefault(g, []).append(len(self.points) - 1)
        return len(self.points) - 1

    def face(self, corners, uv):
        self.faces.append(corners)
        self.uv += [(u, v, 0) for u, v in uv]

    def write(self, path):
        def attribute(name, size, values, kind=None):
            options = {"type": {"type": "string", "value": kind}} if kind else {}
            rows = [[round(c, 9) for c in v] for v in values]
            return [["scope", "public", "type", "numeric", "name", name, "options", options],
                    ["size", size, "storage", "fpreal32", "values",
                     ["size", size, "storage", "fpreal32", "tuples", rows]]]

        corners = [c for f in self.faces for c in f]
        sizes = [len(f) for f in self.faces]
        groups = [[["name", g], ["selection", ["unordered", ["i8",
                   [1 if i in set(m) else 0 for i in range(len(self.points))]]]]]
                  for g, m in sorted(self.groups.items())]
        geo = ["fileversion", "19.5.0", "pointcount", len(self.points), "vertexcount", len(corners),
               "primitivecount", len(self.faces),
               "topology", ["pointref", ["indices", corners]],
               "attributes", ["vertexattributes", [attribute("uv", 3, self.uv, "texturecoord")],
                              "pointattributes", [attribute("P", 3, self.points, "point"),
                                                  attribute("yarn", 1, [[p] for p in self.paint])]],
               "primitives", [[["type", "Polygon_run"],
                               ["startvertex", 0, "nprimitives", len(sizes), "nvertices", sizes]]],
               "pointgroups", groups]
        with open(path, "w") as f:
            json.dump(geo, f)


def rectangle(columns, rows, width, height, yarn, groups, place=lambda u, v: (u, v, 0)):
    """u, v run from 0 to the sizes; `yarn` and `groups` are told u and v."""
    p = Patch()
    at = lambda i, j: (width * i / columns, height * j / rows)
    ids = [[p.point(place(*at(i, j)), yarn(*at(i, j)), groups(*at(i, j)))
            for i in range(columns + 1)] for j in range(rows + 1)]
    for j in range(rows):
        for i in range(columns):
            c = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            # Diagonals by turns: no direction is stiffer than its mirror image.
            for t in ([0, 1, 2], [0, 2, 3]) if (i + j) % 2 else ([0, 1, 3], [1, 2, 3]):
                p.face([ids[c[k][1]][c[k][0]] for k in t], [at(*c[k]) for k in t])
    return p


NEAR = 1e-6


def noise(i):
    """-1 to 1, the same everywhere."""
    i = (i * 2654435761 + 12345) & 0xffffffff
    i = ((i ^ (i >> 16)) * 2246822519) & 0xffffffff
    return ((i ^ (i >> 13)) & 0xffff) / 32767.5 - 1


def swing():
    side = 0.06
    return rectangle(12, 12, side, side, lambda u, v: abs(u - side / 2) < 0.0101,
                     lambda u, v: ["edge_top"] if v > side - NEAR else [],
                     lambda u, v: (u - side / 2, 0, -v))


def shear():
    side = 0.06
    held = lambda u, v: ["held"] if v < NEAR or v > side - NEAR else []
    inside = lambda u, v: 0.0149 < u < 0.0451 and 0.0099 < v < 0.0501
    flat = lambda u, v: (u - side / 2, v, 1e-4 * noise(int(1e6 * u + 37e6 * v)))
    yield "mixed_shear", rectangle(12, 12, side, side, inside, held, flat)
    over = 0.02
    yield "mixed_shear_target", rectangle(
        12, 12, side, side, inside, held,
        lambda u, v: (u - side / 2 + over * v / side, math.sqrt(side**2 - over**2) * v / side, 0))


def stretch():
    side, more = 0.06, 1.03
    held = lambda u, v: ["held"] if u < NEAR or u > side - NEAR else []
    inside = lambda u, v: 0.0199 < u < 0.0401 and 0.0149 < v < 0.0451
    yield "mixed_stretch", rectangle(12, 12, side, side, inside, held,
                                     lambda u, v: (u - side / 2, v - side / 2, 0))
    yield "mixed_stretch_target", rectangle(12, 12, side, side, inside, held,
                                            lambda u, v: (more * (u - side / 2), v - side / 2, 0))


def pucker():
    """A short panel that is held stretched, and then let go, sewn along z = 0 to one that is as long
    as that without stretch. Targets: the short one at its own length."""
    length, width, more = 0.08, 0.048, 1.1
    columns, rows = 16, 10

    def panels(now):
        p = Patch()
        ids = {}
        for j in range(-rows, rows + 1):
            for i in range(columns + 1):
                z = width * j / rows
                rim = j == -rows or (j <= 0 and i in (0, columns))
                x = (i / columns - 0.5) * length * now
                # Ripples that let the long panel choose a side.
                y = 0 if j <= 0 else 1e-4 * noise(1000 * j + i)
                ids[i, j] = p.point((x, y, z), abs(z) < 0.0097, ["rim"] if rim else [])
        for j in range(-rows, rows):
            scale = 1 if j < 0 else more
            shift = 0 if j < 0 else 0.01
            for i in range(columns):
                c = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)]
                uv = lambda k: (scale * length * c[k][0] / columns,
                                -(width * c[k][1] / rows + shift))
                for t in ([0, 1, 2], [0, 2, 3]) if (i + j) % 2 else ([0, 1, 3], [1, 2, 3]):
                    p.face([ids[c[k]] for k in t], [uv(k) for k in t])
        return p

    yield "mixed_pucker", panels(more)
    yield "mixed_pucker_target", panels(1)


def tube(around, rows, round_, height, place, yarn, groups):
    """A tube sewn together along u = 0; round_ and height are those of its cloth."""
    p = Patch()
    ids = [[p.point(place(i / around, height * j / rows), yarn(i / around, height * j / rows),
                    groups(height * j / rows)) for i in range(around)] for j in range(rows + 1)]
    for j in range(rows):
        for i in range(around):
            c = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            uv = lambda k: (round_ * c[k][0] / around, height * c[k][1] / rows)
            for t in ([0, 1, 2], [0, 2, 3]) if (i + j) % 2 else ([0, 1, 3], [1, 2, 3]):
                p.face([ids[c[k][1]][c[k][0] % around] for k in t], [uv(k) for k in t])
    return p


def sleeve():
    radius, length = 0.028, 0.16

    def place(turn, v):
        a = 2 * math.pi * turn + math.pi  # sewn below
        return (radius * math.sin(a), radius * math.cos(a), v - length / 2)

    return tube(24, 20, 2 * math.pi * radius, length, place,
                lambda turn, v: abs(v - length / 2) < 0.0245,
                lambda v: ["shoulder"] if v < NEAR else [])


def corners():
    side, pull = 0.03, 0.006
    near = lambda u, v: (["held"] if u + v < 0.0031 or u + v > 2 * side - 0.0031 else [])
    strip = lambda u, v: abs(u - v) < 0.0061
    flat = lambda u, v: (u - side / 2, v - side / 2, 0)
    yield "mixed_corners", rectangle(10, 10, side, side, strip, near, flat)
    frames = 13
    for frame in range(1, frames + 1):
        share = math.sin(math.pi * (frame - 1) / (frames - 1))
        d = share * pull / math.sqrt(2)

        def pulled(u, v):
            s = -1 if u + v < side else 1
            return (u - side / 2 + s * d, v - side / 2 + s * d, 0)

        yield "mixed_corners_target.%04d" % frame, rectangle(10, 10, side, side, strip, near, pulled)


def plastic():
    side, pull, cell = 0.06, 0.008, 0.06 / 21
    middle = side / 2

    def held(u, v):
        # One point either side, on adjacent rows: yarns side by side are drawn apart.
        if u < NEAR and 0 < v - middle < cell: return ["held"]
        if u > side - NEAR and -cell < v - middle < 0: return ["held"]
        return ["still"] if v < NEAR or v > side - NEAR else []

    band = lambda u, v: abs(v - middle) < 2.6 * cell
    flat = lambda u, v: (u - middle, v - middle, 0)
    yield "mixed_yield", rectangle(21, 21, side, side, band, held, flat)

    def pulled(u, v):
        if v < NEAR or v > side - NEAR: return flat(u, v)
        return (u - middle + (pull if u > middle else -pull), v - middle, 0)

    yield "mixed_yield_target", rectangle(21, 21, side, side, band, held, pulled)


def ball():
    side = 0.05
    yarn = lambda u, v: v > 0.0399 or math.hypot(u - side / 2, v - 0.018) < 0.0131
    return rectangle(12, 12, side, side, yarn,
                     lambda u, v: ["edge_top"] if v > side - NEAR else [],
                     lambda u, v: (u - side / 2, v - side, 0))


def garment():
    """A tight tube on a torso with a bust: round the body at every height, a little too small."""
    body, height = 0.06, 0.24
    bust = [(s * 0.028, 0.17, 0.042, 0.034) for s in (-1, 1)]  # x, y, z, radius

    def out(angle, y):
        """How far the body reaches in a direction, hollows bridged as cloth does."""
        reach = body
        for step in range(-8, 9):
            a = angle + step * math.pi / 16
            d = (math.sin(a), math.cos(a))
            for bx, by, bz, r in bust:
                q = r * r - (y - by)**2
                if q <= 0: continue
                # The support of a circle in the direction of `angle`.
                s = bx * math.sin(angle) + bz * math.cos(angle) + math.sqrt(q)
                reach = max(reach, s)
        return reach + 0.002

    def place(turn, v):
        a = 2 * math.pi * turn + math.pi  # sewn behind
        r = out(a, v)
        return (r * math.sin(a), v, r * math.cos(a))

    def yarn(turn, v):
        return abs(turn - 0.5) < 0.085 and abs(v - 0.165) < 0.026

    return tube(48, 26, 2 * math.pi * (body + 0.004), height, place, yarn,
                lambda v: ["neck"] if v > height - NEAR else [])


def main():
    folder = sys.argv[1]
    purl = sys.argv[2] if len(sys.argv) > 2 else None
    os.makedirs(folder, exist_ok=True)
    all_ = [("mixed_swing", swing()), ("mixed_sleeve", sleeve()),
            ("mixed_ball", ball()), ("mixed_garment", garment())]
    all_ += list(stretch()) + list(shear()) + list(pucker()) + list(corners()) + list(plastic())
    for name, patch in all_:
        geo = os.path.join(folder, name + ".geo")
        patch.write(geo)
        if purl:
            subprocess.check_call([purl, "convert", geo, os.path.join(folder, name + ".bgeo.sc")])
            os.remove(geo)
        print("%s: %d points, %d polygons" % (name, len(patch.points), len(patch.faces)))


main()
