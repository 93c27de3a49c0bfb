#!/usr/bin/env python3
"""Stands in for SideFX's proto generator: reads theDsFile of a node's source and writes the class
of its parameters, with one getter each, as the HDK documents them."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "plugin"))
from describe.dialog_script import parse  # noqa: E402

KINDS = {"float": ("fpreal64", "node.evalFloat(\"{0}\", 0, t)"),
         "integer": ("int64", "node.evalInt(\"{0}\", 0, t)"),
         "toggle": ("bool", "node.evalInt(\"{0}\", 0, t) != 0"),
         "vector": ("UT_Vector3D", "UT_Vector3D(node.evalFloat(\"{0}\", 0, t), "
                    "node.evalFloat(\"{0}\", 1, t), node.evalFloat(\"{0}\", 2, t))")}


def main(source, target):
    text = pathlib.Path(source).read_text()
    script = text.split('R"THEDSFILE(\n')[1].split(')THEDSFILE"')[0]
    name = pathlib.Path(source).stem + "Parms"
    members, getters, loads = [], [], []
    for p in parse(script):
        if p["type"] == "button":
            continue
        kind, load = KINDS.get(p["type"], ("UT_StringHolder", ""))
        member = p["name"] + "_"
        members.append(f"    {kind} {member}{{}};")
        getter = "get" + p["name"][0].upper() + p["name"][1:]
        getters.append(f"    {kind} {getter}() const {{ return {member}; }}")
        loads.append(f"        {member} = {load.format(p['name'])};" if load else
                     f"        node.evalString({member}, \"{p['name']}\", 0, t);")
    pathlib.Path(target).write_text("\n".join([
        "#pragma once", '#include "SOP/SOP_NodeVerb.h"', '#include "UT/UT_Vector3.h"',
        f"class {name} : public SOP_NodeParms {{", "public:", *getters,
        "    void load(const OP_Node& node, fpreal t) override {", *loads, "    }", "private:",
        *members, "};", ""]))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
