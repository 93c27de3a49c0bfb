"""Descriptions to pages in Houdini's help markup."""
from .model import Folder


def default_text(p):
    if p.kind == "toggle":
        return "on" if p.default else "off"
    if p.kind == "button":
        return ""
    text = ", ".join(f"{v:g}" if not isinstance(v, str) else v for v in p.values)
    return f"{text} {p.unit}".strip() if text else "empty"


def parm_text(p, animated):
    lines = [f"    {p.label}:", f"        #id: {p.name}", f"        {p.help}"]
    facts = []
    if default_text(p):
        facts.append(f"Default: {default_text(p)}.")
    if p.low is not None:
        facts.append(f"Range: {p.low:g} to {p.high:g}.")
    if p.unit:
        facts.append(f"Unit: {p.unit}.")
    if p.name in animated:
        facts.append("Keys act, each frame by its own value.")
    if facts:
        lines += ["", "        " + " ".join(facts)]
    if p.menu:
        lines.append("")
        lines += [f"        * {label} (`{token}`)" for token, label in p.menu]
    return lines + [""]


def help_page(node):
    icon = "SOP/purl" if node.context == "sop" else "DOP/purl"
    lines = ["#type:     node", f"#context:  {node.context}", f"#internal: {node.type_name}",
             f"#icon:     {icon}", "#since:    20.5", "#tags:     cloth, yarn, knit, purl", "",
             f"= {node.label} =", "", f'"""{node.about}"""', "", f"[Image:/images/purl/{node.picture}]", "",
             node.body, ""]
    if node.inputs:
        lines += ["@inputs", ""]
        for label, text in node.inputs:
            lines += [f"    {label}:", f"        {text}", ""]
    lines += ["@parameters", ""]
    for item in node.items:
        if isinstance(item, Folder):
            lines += [f"    == {item.label} ==", ""]
            for p in item.parms:
                lines += parm_text(p, node.animated)
        else:
            lines += parm_text(item, node.animated)
    if node.attributes:
        lines += ["@attributes", ""]
        for name, owner, text in node.attributes:
            lines += [f"    {name}:", f"        ({owner}) {text}", ""]
    if node.examples:
        lines += ["@examples", ""]
        lines += [f"    * `hip_examples/{e}.py` builds this scene; `hip_examples/{e}.json` is the same "
                  "for `purl sim`." for e in node.examples] + [""]
    if node.related:
        lines += ["@related", ""] + [f"    - [Node:sop/{r}]" for r in node.related] + [""]
    return "\n".join(lines).rstrip() + "\n"
