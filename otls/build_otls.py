#!/usr/bin/env hython
"""Builds and saves our digital assets through hou: hython otls/build_otls.py OUTPUT_FOLDER.

This is the form we vouch for. The parameters in front follow from the nodes themselves, so that they
have the same labels, ranges and help."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import hou  # noqa: E402

from assets import ASSETS  # noqa: E402


def reference(inner, front_name):
    """Lets a parameter inside follow the one in front, component by component."""
    for parm in inner:
        suffix = parm.name()[len(inner.name()):]
        parm.setExpression(f'ch("../{front_name}{suffix}")' if parm.parmTemplate().type() !=
                           hou.parmTemplateType.String else f'chs("../{front_name}")')


def build(asset, folder):
    geo = hou.node("/obj").createNode("geo", asset.name)
    subnet = geo.createNode("subnet", asset.name)
    made = {}
    for name, (kind, values) in asset.nodes.items():
        made[name] = subnet.createNode(kind, name)
        for parm, value in values.items():
            made[name].parm(parm).set(value)
    for source, target, index in asset.wires:
        if isinstance(source, int):
            made[target].setInput(index, subnet.indirectInputs()[source])
        else:
            made[target].setInput(index, made[source])
    made[asset.output].setDisplayFlag(True)
    made[asset.output].setRenderFlag(True)
    subnet.layoutChildren()
    path = os.path.join(folder, f"purl_{asset.name}.1.0.hda")
    node = subnet.createDigitalAsset(name=asset.type_name, hda_file_name=path, description=asset.label,
                                     min_num_inputs=0, max_num_inputs=len(asset.inputs))
    definition = node.type().definition()
    group = hou.ParmTemplateGroup()
    folders = {}
    for folder_label, front, inner, parm in asset.fronts:
        template = node.node(inner).parmTuple(parm).parmTemplate().clone()
        template.setName(front)
        folders.setdefault(folder_label, hou.FolderParmTemplate("folder_" + folder_label.lower(),
                                                                folder_label)).addParmTemplate(template)
    for made_folder in folders.values():
        group.append(made_folder)
    definition.setParmTemplateGroup(group)
    for _, front, inner, parm in asset.fronts:
        if parm != "resimulate":
            reference(node.node(inner).parmTuple(parm), front)
    definition.setIcon(asset.icon)
    definition.addSection("Help", asset.about)
    if asset.editable:
        definition.addSection("EditableNodes", " ".join(asset.editable))
    definition.updateFromNode(node)
    definition.save(path)
    return path


def main(folder):
    os.makedirs(folder, exist_ok=True)
    for asset in ASSETS:
        print(build(asset, folder))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".")
