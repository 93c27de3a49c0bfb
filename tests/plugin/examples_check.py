#!/usr/bin/env python3
"""Each example is there twice, as a script for hou and as a scene for purl sim: both are the same scene. The
network that a script builds under the recording double is read as a scene, parameter by parameter, and compared
with the .json. A parameter that is not at its default and means nothing here fails: purl sim could not know it."""
import json
import math
import pathlib
import runpy
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
sys.path[:0] = [str(ROOT / "plugin"), str(ROOT / "tests" / "plugin")]
import hou  # noqa: E402

# What a scene file says when it says nothing.
DEFAULTS = {"yarns": {"material": "wool", "rest_curvature": 0.5}, "collision": {"friction": 0.3},
            "forces": {"gravity": [0, -9.80665, 0]}, "pins": [], "colliders": []}
PATTERN = {"pattern": "name", "wales": "wales", "courses": "courses", "radius": "radius"}
FABRIC = {"draft": "draft", "warpspacing": "warp_spacing", "material": "material", "rest": "rest"}
AXES = {"rx": [1, 0, 0], "ry": [0, 1, 0], "rz": [0, 0, 1]}


class Differs(Exception):
    pass


def three(node, name):
    return [node.values[name + c] for c in "xyz"]


def only(node, *known):
    """Fails if a parameter that is not among the known ones was given another value, a key or an expression."""
    for name, value in node.values.items():
        if name in known or (name[-1] in "xyz" and name[:-1] in known):
            continue
        if value != hou.KNOWN[node.kind][name] or name in node.keys or name in node.expressions:
            raise Differs(f"{node.path()}: {name} = {value} has no place in a scene of purl sim")


def yarns_of(node, scene):
    """What comes into the solver, from the source on."""
    if node.kind == "purl::pattern::1.0":
        only(node, *PATTERN, "tube", "placement", "t")
        p = scene["pattern"] = {ours: node.values[theirs] for theirs, ours in PATTERN.items()}
        p["tube"], p["lie"], p["centre"] = bool(node.values["tube"]), node.values["placement"] == "lie", three(node, "t")
    elif node.kind == "purl::configure::1.0":
        yarns_of(node.inputs[0], scene)
        only(node, "kind", "material", "restcurvature", "pingroup", "pintype")
        if node.values["kind"] == "yarn":
            scene["yarns"] = {"material": node.values["material"], "rest_curvature": node.values["restcurvature"]}
        if node.values["pingroup"]:
            if node.values["pintype"] != "stopped":
                raise Differs(f"{node.path()}: {node.values['pintype']} needs targets, expected stopped")
            scene.setdefault("pins", []).append(node.values["pingroup"])
    elif node.kind == "purl::fabric::1.0":
        yarns_of(node.inputs[0], scene)
        only(node, *FABRIC)
        scene["fabric"] = {**scene.pop("sheet"), **{ours: node.values[theirs] for theirs, ours in FABRIC.items()}}
    elif node.kind == "groupcreate":
        yarns_of(node.inputs[0], scene)
        rows, cols = node.inputs[0].values["rows"], node.inputs[0].values["cols"]
        if node.values["basegroup"] != f"{(rows - 1) * cols}-{rows * cols - 1}":
            raise Differs(f"{node.path()}: {node.values['basegroup']} is not the last row of points")
    elif node.kind == "grid":
        only(node, "sizex", "sizey", "rows", "cols", "t")
        v = node.values
        scene["sheet"] = {"grid": {"columns": v["cols"] - 1, "rows": v["rows"] - 1, "width": v["sizex"],
                                   "height": v["sizey"], "centre": three(node, "t")}}
    else:
        raise Differs(f"{node.path()}: {node.kind} has no place in a scene of purl sim")


def ball_of(node):
    only(node, "type", "rows", "cols", "rad", "t")
    radius = three(node, "rad")
    if node.values["type"] != "poly" or len(set(radius)) > 1:
        raise Differs(f"{node.path()}: is no ball of polygons")
    return three(node, "t"), radius[0]


def colliders_of(node):
    """Shapes with, if they move, what their place is at every frame: (translate, axis, angle) by frame."""
    if node.kind == "merge":
        return [c for i in sorted(node.inputs) for c in colliders_of(node.inputs[i])]
    if node.kind == "purl::collider::1.0":
        only(node, "yarnradius")
        return colliders_of(node.inputs[0])
    if node.kind == "sphere":
        centre, radius = ball_of(node)
        if not node.keys:
            return [("sphere", centre, radius, None)]
        if set(node.keys) != {"ty"}:
            raise Differs(f"{node.path()}: keys on {sorted(node.keys)}, expected ty alone")
        first = centre[1] = node.keys["ty"][min(node.keys["ty"])][0]
        return [("sphere", centre, radius, {f: ([0, y - first, 0], None, 0) for f, y in linear(node, "ty").items()})]
    if node.kind == "shrinkwrap::2.0":
        ends = [ball_of(node.inputs[0].inputs[i]) for i in (0, 1)]
        if node.inputs[0].kind != "merge" or len(node.inputs[0].inputs) != 2 or ends[0][1] != ends[1][1]:
            raise Differs(f"{node.path()}: is no capsule")
        return [("capsule", ends[0][0] + ends[1][0], ends[0][1], None)]
    if node.kind == "xform":
        only(node, *node.keys)
        [(kind, place, radius, moves)] = colliders_of(node.inputs[0])
        if moves or len(node.keys) != 1 or next(iter(node.keys)) not in AXES:
            raise Differs(f"{node.path()}: moves otherwise than by keys on one rotation")
        axis = next(iter(node.keys))
        return [(kind, place, radius, {f: ([0, 0, 0], AXES[axis], a) for f, a in linear(node, axis).items()})]
    raise Differs(f"{node.path()}: {node.kind} is no collider of purl sim")


FRAMES = range(1, 49)


def linear(node, parm):
    """A parameter's keys at every frame."""
    if any(e != "linear()" for _, e in node.keys[parm].values()):
        raise Differs(f"{node.path()}: keys of {parm} are not linear, those of a scene are")
    return {f: between(sorted((k, v) for k, (v, _) in node.keys[parm].items()), f) for f in FRAMES}


def between(table, frame):
    if frame <= table[0][0]:
        return table[0][1]
    for (f0, a), (f1, b) in zip(table, table[1:]):
        if frame <= f1:
            return a + (b - a) * (frame - f0) / (f1 - f0)
    return table[-1][1]


def said_collider(entry):
    """The same of a scene file's collider."""
    shape = entry if isinstance(entry, str) else entry["shape"]
    kind, numbers = shape.split(":")
    numbers = [float(n) for n in numbers.split(",")]
    moves = None
    if isinstance(entry, dict) and entry.get("keys"):
        keys = sorted(entry["keys"], key=lambda k: k["frame"])
        axis = next((k["axis"] for k in keys if k.get("angle")), None)
        if any(k.get("axis", axis) != axis for k in keys):
            raise Differs("keys of a collider turn about several axes")
        moves = {f: ([between([(k["frame"], k.get("translate", [0, 0, 0])[c]) for k in keys], f) for c in range(3)], axis,
                     between([(k["frame"], k.get("angle", 0)) for k in keys], f)) for f in FRAMES}
    return (kind, numbers[:-1], numbers[-1], moves)


def scene_of(geo):
    solver = next(n for n in geo.children_.values() if n.kind == "purl::solver::1.0")
    only(solver, "mode", "useground", "groundheight", "friction", "gravity")
    if 1 in solver.inputs:
        raise Differs(f"{solver.path()}: has targets, which are files for purl sim")
    scene = {}
    yarns_of(solver.inputs[0], scene)
    v = solver.values
    scene["collision"], scene["forces"] = {"friction": v["friction"]}, {"gravity": three(solver, "gravity")}
    colliders = [("plane", [0, 1, 0], v["groundheight"], None)] if v["useground"] else []
    colliders += colliders_of(solver.inputs[2]) if 2 in solver.inputs else []
    wanted = "fabric" if "fabric" in scene else "yarn"
    if v["mode"] not in ("auto", wanted):
        raise Differs(f"{solver.path()}: mode is {v['mode']}, the scene's is {wanted}")
    ranges = [e for e in hou.log if e[0] in ("range", "fps")]
    time = {"frames": next(f"{a}-{b}" for k, a, b in (e for e in ranges if e[0] == "range")),
            "fps": next(e[1] for e in ranges if e[0] == "fps")}
    return scene, colliders, time


def same(a, b, where, problems):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b), key=str):
            if key not in a or key not in b:
                problems.append(f"{where}/{key}: is in {'the script' if key in a else 'the scene'} only")
            else:
                same(a[key], b[key], f"{where}/{key}", problems)
    elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            problems.append(f"{where}: {len(a)} of the script, {len(b)} of the scene")
        for i, (x, y) in enumerate(zip(a, b)):
            same(x, y, f"{where}/{i}", problems)
    elif isinstance(a, (int, float)) and isinstance(b, (int, float)):
        if not math.isclose(a, b, abs_tol=1e-12):
            problems.append(f"{where}: {a} in the script, {b} in the scene")
    elif a != b:
        problems.append(f"{where}: {a!r} in the script, {b!r} in the scene")


def compare(script, said):
    """Problems between what a script builds and what a scene file says."""
    hou.log.clear()
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = [str(script), f"{folder}/scene.hip"]
        runpy.run_path(str(script), run_name="__main__")
    geo = hou.node("/obj").children_[script.stem]
    problems = []
    try:
        scene, colliders, time = scene_of(geo)
        told = {k: v for k, v in said.items() if k not in ("about", "time", "colliders")}
        told["time"], scene["time"] = said["time"], time
        for key, defaults in DEFAULTS.items():
            if key == "colliders" or (key == "yarns" and "fabric" in told):
                continue
            told[key] = {**defaults, **told.get(key, {})} if isinstance(defaults, dict) else told.get(key, defaults)
            scene.setdefault(key, defaults)
        if "pattern" in told:
            told["pattern"] = {"tube": False, "lie": False, "centre": [0, 0, 0], **told["pattern"]}
        same(scene, told, script.stem, problems)
        same(colliders, [said_collider(c) for c in said.get("colliders", [])], f"{script.stem}/colliders", problems)
    except Differs as e:
        problems.append(f"{script.name}: {e}")
    return problems


def main():
    scripts = sorted(p for p in (ROOT / "hip_examples").glob("*.py") if p.stem != "common")
    problems = []
    for script in scripts:
        problems += compare(script, json.loads(script.with_suffix(".json").read_text()))
    # It notices: every number of a scene that is changed, and every key that is moved, is a difference.
    script = ROOT / "hip_examples" / "tube_on_walker.py"
    text = script.with_suffix(".json").read_text()
    for old, new in (('"wales": 24', '"wales": 25'), ("0.014", "0.015"), ('"angle": 25', '"angle": 24'),
                     ('"frame": 19', '"frame": 20'), ('"edge_top"', '"edge_bottom"'), ('"fps": 24', '"fps": 25')):
        if old not in text or not compare(script, json.loads(text.replace(old, new))):
            problems.append(f"{old} changed to {new} in {script.stem}.json goes unnoticed")
    print("\n".join(problems) or f"{len(scripts)} examples are the same scene for hou and for purl sim")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
