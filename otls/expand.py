"""Our assets in the expanded text form of a Houdini asset library: a folder a library, a file a
section. Written from assets.py; plugin/generate.py puts it on disk and tests compare. It follows the
layout that published repositories of expanded assets have; no Houdini has opened it."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "plugin"))
sys.path.insert(0, str(ROOT / "otls"))

from assets import ASSETS  # noqa: E402
from describe import NODES  # noqa: E402
from describe.dialog_script import parm_lines, quoted  # noqa: E402
from describe.model import Parm  # noqa: E402

MODIFIED = "Wed Nov 18 12:00:00 2026"
BOUNDARY = "HOUDINIMIMEBOUNDARY0xD3ADD339-0x00000F49-0x56B122C9-0x00000001HOUDINIMIMEBOUNDARY"
OPTIONS = {"CheckExternal": 1, "ContentsCompressionType": 1, "ForbidOutsideParms": 1, "GzipContents": 1,
           "LockContents": 1, "MakeDefault": 1, "ParmsFromVfl": 0, "PrefixDroppedParmLabel": 0,
           "PrefixDroppedParmName": 0, "SaveCachedCode": 0, "SaveIcon": 1, "SaveSpareParms": 0,
           "UnlockOnCreate": 0, "UseDSParms": 1}


def encoded(name):
    return name.replace("_", "__").replace("/", "_1").replace(":", "_8")


def described(type_name):
    return next(n for n in NODES if n.type_name == type_name)


def front_parm(asset, front, inner, name):
    """The parameter in front: as the node describes it, with the asset's own default."""
    kind, values = asset.nodes[inner]
    p = next(q for q in described(kind).parms() if q.name == name)
    default = p.default
    if p.size == 3:
        default = tuple(values.get(name + "xyz"[k], p.default[k]) for k in range(3))
    elif name in values:
        default = values[name]
    tags = {"script_callback": f"hou.pwd().node('{inner}').parm('{name}').pressButton()",
            "script_callback_language": "python"} if p.kind == "button" else p.tags
    return Parm(p.kind, front, p.label, default, p.help, p.unit, p.low, p.high, p.hard, p.menu, "", tags)


def dialog_script(asset):
    lines = ["{", f"    name    {quoted(asset.type_name)}", f"    script  {quoted(asset.name)}",
             f"    label   {quoted(asset.label)}", "", "    help {", f"        {quoted(asset.about)}", "    }", ""]
    for i, label in enumerate(asset.inputs, 1):
        lines.append(f"    inputlabel  {i} {quoted(label)}")
    folders = {}
    for folder, front, inner, name in asset.fronts:
        folders.setdefault(folder, []).append(front_parm(asset, front, inner, name))
    for folder, parms in folders.items():
        lines += ["    group {", f"        name  {quoted('folder_' + folder.lower())}",
                  f"        label {quoted(folder)}"]
        for p in parms:
            lines += parm_lines(p, 8)
        lines.append("    }")
    return "\n".join(lines + ["}"]) + "\n"


def child_parms(asset, name):
    """A child's parameters that are not at their defaults: its own, and those that follow the front."""
    kind, values = asset.nodes[name]
    lines = ["{", "version 0.8"]
    for parm, value in values.items():
        lines.append(f"{parm}\t[ 0\tlocks=0 ]\t(\t{value}\t)")
    for _, front, inner, parm in asset.fronts:
        if inner != name or parm == "resimulate":
            continue
        p = next(q for q in described(kind).parms() if q.name == parm)
        suffixes = "xyz" if p.size == 3 else [""]
        call = "chs" if p.kind in ("string", "directory", "file") else "ch"
        parts = [f'[ {parm}{s}\t0 ]' for s in suffixes]
        channel = " ".join(f'"{call}(\\"../{front}{s}\\")"' for s in suffixes)
        lines.append(f"{parm}\t[ 0\tlocks=0 ]\t(\t" + "\t".join(parts) + f"\t)\t# {channel}")
    return "\n".join(lines + ["}"]) + "\n"


def contents(asset):
    parts = [("node_type", "Sop\n"), ("hdaroot.init", "type = subnet\nmatchesdef = 1\n"),
             ("hdaroot.def", "sopflags sopflags = \ncomment \"\"\nposition 0 0\nflags =  lock off model off "
              "template off footprint off xray off bypass off display on render on highlight off unload off "
              "savedata off compress on colordefault on exposed on\noutputsNamed3\n{\n}\ninputsNamed3\n{\n}\n"
              "inputs\n{\n}\nstat\n{\n  create -1\n  modify -1\n}\ncolor UT_Color RGB 0.8 0.8 0.8 \ndelscript \"\"\n"
              "exprlanguage hscript\nend\n"), ("hdaroot.userdata", "")]
    for row, (name, (kind, _)) in enumerate(asset.nodes.items()):
        wires = []
        for source, target, index in asset.wires:
            if target == name:
                wires.append(f'{index} \t{source if isinstance(source, str) else f"_indirect_{source + 1}"}'
                             f' 0 1 "input{index + 1}"')
        shown = "on" if name == asset.output else "off"
        body = ["sopflags sopflags = ", 'comment ""', f"position 0 {-1.2 * row:g}",
                f"flags =  lock off model off template off footprint off xray off bypass off display {shown} "
                f"render {shown} highlight off unload off savedata off compress on colordefault on exposed on",
                "outputsNamed3", "{", "}", "inputsNamed3", "{", *wires, "}", "inputs", "{", "}", "stat", "{",
                "  create -1", "  modify -1", "}", "color UT_Color RGB 0.8 0.8 0.8 ", 'delscript ""',
                "exprlanguage hscript", "end"]
        parts += [(f"hdaroot/{name}.init", f"type = {kind}\nmatchesdef = 0\n"),
                  (f"hdaroot/{name}.def", "\n".join(body) + "\n"), (f"hdaroot/{name}.parm", child_parms(asset, name)),
                  (f"hdaroot/{name}.userdata", "")]
    parts.append(("hdaroot.order", "\n".join([str(len(asset.nodes)), *asset.nodes]) + "\n"))
    lines = ["MIME-Version: 1.0", f'Content-Type: multipart/mixed; boundary="{BOUNDARY}"', ""]
    for name, text in parts:
        lines += [f"--{BOUNDARY}", f'Content-Disposition: attachment; filename="{name}"',
                  "Content-Type: text/plain", "", text]
    return "\n".join(lines + [f"--{BOUNDARY}--", ""])


def tools_shelf(asset):
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<shelfDocument>
  <tool name="$HDA_DEFAULT_TOOL" label="{asset.label}" icon="{asset.icon}">
    <toolMenuContext name="viewer"><contextNetType>SOP</contextNetType></toolMenuContext>
    <toolMenuContext name="network"><contextOpType>$HDA_TABLE_AND_NAME</contextOpType></toolMenuContext>
    <toolSubmenu>Purl</toolSubmenu>
    <script scriptType="python"><![CDATA[import soptoolutils

soptoolutils.genericTool(kwargs, '$HDA_NAME')]]></script>
  </tool>
</shelfDocument>
"""


def files():
    """Every file of every asset: path under otls/, text."""
    for a in ASSETS:
        path = f"purl::Sop/{a.name}::1.0"
        top, inner = f"purl_{a.name}.1.0.hda", encoded(path)
        yield f"{top}/houdini.hdalibrary", ""
        yield f"{top}/INDEX__SECTION", "".join(f"{k + ':':<14}{v}\n" for k, v in [
            ("Operator", a.type_name), ("Label", a.label), ("Path", f"oplib:/{path}?{path}"), ("Icon", a.icon),
            ("Table", "Sop"), ("License", ""), ("Extra", ""), ("User", ""), ("Inputs", f"0 to {len(a.inputs)}"),
            ("Subnet", "true"), ("Python", "false"), ("Empty", "false"), ("Modified", MODIFIED)]) + "\n"
        yield f"{top}/Sections.list", f'""\nINDEX__SECTION\tINDEX_SECTION\nhoudini.hdalibrary\thoudini.hdalibrary\n' \
            f"{inner}\t{path}\n"
        yield f"{top}/{inner}/Sections.list", '""\n' + "".join(f"{n}\t{n}\n" for n in (
            "DialogScript", "CreateScript", "TypePropertiesOptions", "Help", "Tools.shelf",
            *(["EditableNodes"] if a.editable else []))) + "Contents.dir\tContents.gz\n"
        yield f"{top}/{inner}/DialogScript", dialog_script(a)
        yield f"{top}/{inner}/CreateScript", (
            f"# Automatically generated script\n\\set noalias = 1\n#\n#  Creation script for {a.type_name} operator\n#\n\n"
            'if ( "$arg1" == "" ) then\n    echo This script is intended as a creation script\n    exit\nendif\n\n'
            "# Node $arg1 (Sop/" + a.type_name + ")\nopexprlanguage -s hscript $arg1\n"
            "opuserdata -n '___Version___' -v '1.0' $arg1\n")
        yield f"{top}/{inner}/TypePropertiesOptions", "".join(f"{k} := {v};\n" for k, v in sorted(OPTIONS.items()))
        yield f"{top}/{inner}/Help", f'= {a.label} =\n\n"""{a.about}"""\n'
        yield f"{top}/{inner}/Tools.shelf", tools_shelf(a)
        if a.editable:
            yield f"{top}/{inner}/EditableNodes", " ".join(a.editable)
        contents_dir = f"{top}/{inner}/Contents.dir"
        yield f"{contents_dir}/Sections.list", '""\nContents.mime\tContents.mime\n'
        yield f"{contents_dir}/Contents.mime", contents(a)
