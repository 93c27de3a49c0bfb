#!/usr/bin/env python3
"""Compares what is said of every node in its description, its DialogScript, its help page and its code;
checks the expanded assets; runs every example and the asset builder under the recording double of hou."""
import pathlib
import re
import runpy
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
sys.path[:0] = [str(ROOT / "plugin"), str(ROOT / "otls"), str(ROOT / "tests" / "plugin")]

from describe import NODES  # noqa: E402
from describe.dialog_script import Syntax, parse  # noqa: E402

problems = []


def need(good, text):
    if not good:
        problems.append(text)


def check_description(node):
    seen = set()
    for p in node.parms():
        where = f"{node.type_name}/{p.name}"
        need(p.name not in seen, f"{where}: is there twice")
        seen.add(p.name)
        need(re.fullmatch(r"[a-z][a-z0-9_]*", p.name), f"{where}: name is no lower-case word")
        need(p.label and len(p.help) > 10 and p.help.endswith("."), f"{where}: has no help text")
        if p.kind in ("float", "integer"):
            need(p.low is not None and p.high > p.low, f"{where}: has no range")
            need(p.unit != "", f"{where}: has no unit")
            if not isinstance(p.default, str):
                need(p.low <= p.default <= p.high, f"{where}: default {p.default} is outside {p.low} to {p.high}")
        if p.kind == "vector":
            need(p.unit != "", f"{where}: has no unit")
        if p.menu:
            need(p.default in [t for t, _ in p.menu], f"{where}: default {p.default} is not in the menu")
        for name in re.findall(r"(\w+) (?:==|!=)", p.disable):
            need(any(q.name == name for q in node.parms()), f"{where}: is disabled by {name}, which is not there")


def check_script(node):
    source = (ROOT / "plugin" / node.source).read_text()
    try:
        found = parse(source.split('R"THEDSFILE(\n')[1].split(')THEDSFILE"')[0])
    except Syntax as e:
        problems.append(f"{node.source}: {e}")
        return
    if node.context == "dop":  # a run of the SOP's, as SIM_PurlSolver.C cuts it out (Dop.Parameters... cooks that)
        names = [p["name"] for p in found]
        first, last = list(node.parms())[0].name, list(node.parms())[-1].name
        found = found[names.index(first):names.index(last) + 1]
    need([p["name"] for p in found] == [p.name for p in node.parms()], f"{node.source}: other parameters than described")
    for said, p in zip(found, node.parms()):
        need(said["label"] == p.label and said["type"] == p.kind, f"{node.source}/{p.name}: label or type differs")
        need(p.kind == "button" or "default" in said, f"{node.source}/{p.name}: has no default")
        need("help" in said and said["help"], f"{node.source}/{p.name}: has no help")
        if p.low is not None:
            need("range" in said, f"{node.source}/{p.name}: has no range")
    # The code takes every parameter: by its getter in the node's own source or in what it is built on.
    shared = ["solver_parms.h", "named_parms.h"] if "Solver" in node.source else []
    source = re.sub(r'R"THEDSFILE\(.*?\)THEDSFILE"', "", source, flags=re.S)
    code = ("" if node.context == "dop" else source) + "".join((ROOT / "plugin" / s).read_text() for s in shared)
    by_name = (ROOT / "plugin" / "solver_node.cpp").read_text()
    for p in node.parms():
        getter = f"get{p.name[0].upper()}{p.name[1:]}()"
        if p.kind == "button" or p.name == "solveframe":
            continue  # a script's, and a clock
        need(getter in code or f'"{p.name}"' in (by_name if node.type_name == "purl::solver::1.0" else ""),
             f"{node.source}: never reads {p.name}")
    for getter in re.findall(r"(?<![a-zA-Z])(?:parms|p)\.get([A-Z]\w*)\(\)", source if node.context == "sop" else code):
        name = getter[0].lower() + getter[1:]
        need(name == "time" or any(p.name == name for p in node.parms()), f"{node.source}: reads {name}, which is not described")


def check_help(node):
    path = ROOT / "help" / "nodes" / node.context / f"{node.file_stem}.txt"
    need(path.exists(), f"{path}: is missing")
    if not path.exists():
        return
    page = path.read_text()
    need(f"#internal: {node.type_name}" in page and f"= {node.label} =" in page, f"{path.name}: names another node")
    ids = re.findall(r"#id: (\w+)", page)
    need(ids == [p.name for p in node.parms()], f"{path.name}: other parameters than described")
    for p in node.parms():
        text = page.split(f"#id: {p.name}\n")[1].split("#id:")[0]
        need(p.help in text, f"{path.name}/{p.name}: help text differs")
        if p.low is not None:
            need("Range: " in text and "Unit: " in text and "Default: " in text, f"{path.name}/{p.name}: facts are missing")
        for token, label in p.menu:
            need(f"{label} (`{token}`)" in text, f"{path.name}/{p.name}: menu item {token} is missing")
    for image in re.findall(r"\[Image:/images/(\S+?)\]", page):
        need((ROOT / "help" / "images" / image).exists(), f"{path.name}: picture {image} is missing")
    for link in re.findall(r"\[Node:sop/(purl--\w+-1\.0)\]", page):
        need((ROOT / "help" / "nodes" / "sop" / f"{link}.txt").exists(), f"{path.name}: link to {link} leads nowhere")
    for example in re.findall(r"`(hip_examples/\S+?)`", page):
        need((ROOT / example).exists(), f"{path.name}: {example} is missing")


def check_keys():
    """The parameters that keys move: the same in the help and in the code (Keys.TheListOf... cooks them)."""
    code = (ROOT / "plugin" / "solver_parms.cpp").read_text().split("animatedParms()")[1].split("};")[0]
    for node in (n for n in NODES if n.animated):
        need(sorted(re.findall(r'"(\w+)"', code)) == sorted(node.animated), f"{node.type_name}: other keys in the code")
        page = (ROOT / "help" / "nodes" / node.context / f"{node.file_stem}.txt").read_text()
        for p in node.parms():
            text = page.split(f"#id: {p.name}\n")[1].split("#id:")[0]
            need(("Keys act" in text) == (p.name in node.animated), f"{node.file_stem}.txt/{p.name}: says otherwise of keys")


def check_assets():
    from assets import ASSETS
    import expand
    import hou
    for asset in ASSETS:
        path = f"purl::Sop/{asset.name}::1.0"
        top = ROOT / "otls" / f"purl_{asset.name}.1.0.hda"
        inner = top / expand.encoded(path)
        for name in ("houdini.hdalibrary", "INDEX__SECTION", "Sections.list"):
            need((top / name).exists(), f"{top.name}: {name} is missing")
        for name in ("DialogScript", "CreateScript", "TypePropertiesOptions", "Help", "Tools.shelf", "Sections.list"):
            need((inner / name).exists(), f"{top.name}: {name} is missing")
        index = (top / "INDEX__SECTION").read_text()
        need(f"Operator:     {asset.type_name}\n" in index and f"oplib:/{path}?{path}" in index, f"{top.name}: index names another operator")
        for folder in (top, inner, inner / "Contents.dir"):
            lines = (folder / "Sections.list").read_text().splitlines()
            need(lines[0] == '""', f"{folder}: Sections.list does not begin with an empty name")
            for line in lines[1:]:
                need((folder / line.split("\t")[0]).exists(), f"{folder}: section {line} has no file")
        try:
            parms = parse((inner / "DialogScript").read_text())
        except Syntax as e:
            problems.append(f"{top.name}: DialogScript: {e}")
            continue
        need([p["name"] for p in parms] == [f for _, f, _, _ in asset.fronts], f"{top.name}: other parameters in front")
        for line in re.findall(r"(?m)^(.*)$", (inner / "TypePropertiesOptions").read_text())[:-1]:
            need(not line or re.fullmatch(r"\w+ := [01];", line), f"{top.name}: option line {line!r}")
        mime = (inner / "Contents.dir" / "Contents.mime").read_text()
        boundary = re.search(r'boundary="([^"]+)"', mime).group(1)
        need(mime.rstrip().endswith(f"--{boundary}--"), f"{top.name}: contents are not closed")
        parts = re.findall(r'filename="([^"]+)"', mime)
        for name, (kind, values) in asset.nodes.items():
            need(kind in hou.KNOWN, f"{top.name}: node type {kind} is not known")
            need(all(f"hdaroot/{name}.{part}" in parts for part in ("init", "def", "parm")), f"{top.name}: {name} is not whole")
            for parm in values:
                need(parm in hou.KNOWN.get(kind, {}), f"{top.name}: {name} has no parameter {parm}")
        for _, _, inner_name, parm in asset.fronts:
            described = next(n for n in NODES if n.type_name == asset.nodes[inner_name][0])
            need(any(p.name == parm for p in described.parms()), f"{top.name}: {inner_name} has no parameter {parm}")


def check_garment():
    """The garment's way: mesh, fabric, paint, mixed, in what build_otls.py builds and in the expanded form."""
    import hou
    hou.log.clear()
    with tempfile.TemporaryDirectory() as folder:
        sys.argv = ["build_otls.py", folder]
        runpy.run_path(str(ROOT / "otls" / "build_otls.py"), run_name="__main__")
    root = "/obj/garment/garment/"
    wires = {(e[1].split("/")[-1], e[2].split("/")[-1]) for e in hou.log if e[0] == "wire" and e[2].startswith(root)}
    mime = (ROOT / "otls/purl_garment.1.0.hda/purl_8_8Sop_1garment_8_81.0/Contents.dir/Contents.mime").read_text()
    way = ["configure", "fabric", "paint", "solver", "yarn"]
    for a, b in zip(way, way[1:]):
        need((a, b) in wires, f"garment: {a} does not lead to {b}")
        inside = mime.split(f'filename="hdaroot/{b}.def"')[1].split("--HOUDINI")[0]
        need(f"0 \t{a} 0 1" in inside, f"garment, expanded: {a} does not lead to {b}")
    need(("set", root + "paint", "attribname1", "yarn") in hou.log, "garment: another attribute than yarn is painted")
    need(("set", root + "solver", "mode", "mixed") in hou.log, "garment: the solver is not mixed")
    need(any(e[0] == "section" and e[2:] == ("EditableNodes", "paint") for e in hou.log), "garment: nobody can paint in it")
    parms = mime.split('filename="hdaroot/solver.parm"')[1].split("--HOUDINI")[0]
    need("mode\t[ 0\tlocks=0 ]\t(\tmixed\t)" in parms, "garment, expanded: the solver is not mixed")
    need("attribpaint" in mime.split('filename="hdaroot/paint.init"')[1].split("--HOUDINI")[0], "garment, expanded: no paint")


def run_scripts():
    import hou
    scripts = sorted(p for p in (ROOT / "hip_examples").glob("*.py") if p.stem != "common")
    need(len(scripts) >= 6, "fewer than six examples")
    for script in scripts + [ROOT / "otls" / "build_otls.py"]:
        hou.log.clear()
        with tempfile.TemporaryDirectory() as folder:
            target = folder if script.stem == "build_otls" else f"{folder}/scene.hip"
            sys.argv = [str(script), target]
            try:
                runpy.run_path(str(script), run_name="__main__")
            except Exception as e:  # noqa: BLE001
                problems.append(f"{script.name}: {type(e).__name__}: {e}")
        saved = [entry for entry in hou.log if entry[0] in ("save", "save asset")]
        need(saved, f"{script.name}: saves nothing")
        if script.parent.name == "hip_examples":
            need((script.with_suffix(".json")).exists(), f"{script.name}: has no scene for purl sim")
            need(any(e[0] == "create" and e[2] == "purl::solver::1.0" for e in hou.log), f"{script.name}: solves nothing")
    # The double is strict: an unknown parameter does fail.
    solver = hou.node("/obj").createNode("geo", "g").createNode("purl::solver::1.0", "s")
    need(solver.parm("substep") is None, "the double knows a parameter that does not exist")
    for wrong in (lambda: solver.parm("mode").set("lace"), lambda: solver.setInput(3, solver),
                  lambda: solver.parm("timescale").set(-1.0), lambda: solver.createNode("purl::lace::1.0")):
        try:
            wrong()
            problems.append("the double takes what it should refuse")
        except hou.OperationFailed:
            pass


def main():
    for node in NODES:
        check_description(node)
        check_script(node)
        check_help(node)
    check_keys()
    check_assets()
    check_garment()
    run_scripts()
    count = sum(len(list(n.parms())) for n in NODES)
    print("\n".join(problems) or f"{count} parameters of {len(NODES)} nodes agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
