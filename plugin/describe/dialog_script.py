"""Descriptions to DialogScript, and DialogScript back to names, so that tests can compare."""
import re

from .model import Folder

TYPES = {"float", "integer", "toggle", "string", "vector", "button", "directory", "file"}


def quoted(value):
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(value):
    return value if isinstance(value, str) else f"{value:g}" if value != -9.80665 else "-9.80665"


def parm_lines(p, indent):
    pad = " " * indent
    yield f"{pad}parm {{"
    yield f"{pad}    name    {quoted(p.name)}"
    yield f"{pad}    label   {quoted(p.label)}"
    yield f"{pad}    type    {p.kind}"
    if p.hidden:
        yield f"{pad}    invisible"
    if p.size > 1:
        yield f"{pad}    size    {p.size}"
    if p.kind != "button":
        yield f"{pad}    default {{ " + " ".join(quoted(number(v)) for v in p.values) + " }"
    if p.low is not None:
        low = f"{p.low:g}" + ("!" if p.hard in ("low", "both") else "")
        high = f"{p.high:g}" + ("!" if p.hard == "both" else "")
        yield f"{pad}    range   {{ {low} {high} }}"
    if p.menu:
        yield f"{pad}    menu {{"
        for token, label in p.menu:
            yield f"{pad}        {quoted(token)} {quoted(label)}"
        yield f"{pad}    }}"
    if p.disable:
        yield f"{pad}    disablewhen {quoted(p.disable)}"
    unit = f" ({p.unit})" if p.unit else ""
    yield f"{pad}    help    {quoted(plain(p.help) + unit)}"
    for key, value in p.tags.items():
        yield f"{pad}    parmtag {{ {quoted(key)} {quoted(value)} }}"
    yield f"{pad}}}"


def plain(text):
    """Help markup to a tooltip: links to their node's name, code quotes away."""
    text = re.sub(r"\[Node:sop/purl--(\w+)-1\.0\]", lambda m: "Purl " + m.group(1).capitalize(), text)
    return text.replace("`", "")


def item_lines(items, indent):
    for item in items:
        if isinstance(item, Folder):
            pad = " " * indent
            yield f"{pad}group {{"
            yield f"{pad}    name  {quoted(item.name)}"
            yield f"{pad}    label {quoted(item.label)}"
            for p in item.parms:
                yield from parm_lines(p, indent + 4)
            yield f"{pad}}}"
        else:
            yield from parm_lines(item, indent)


def dialog_script(node):
    return "\n".join(["{", "    name    parameters", *item_lines(node.items, 4), "}"]) + "\n"


class Syntax(Exception):
    pass


TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\]"]+)')


def tokens(text):
    at, out = 0, []
    text = text.rstrip()
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise Syntax(f"cannot read: {text[at:at + 40]!r}")
        out.append(m.group(1))
        at = m.end()
    return out


def parse(text):
    """Parameters of a DialogScript in order: dicts with name, label, type, default, range, menu."""
    stream, found = tokens(text), []
    at = 0

    def block():
        nonlocal at
        if stream[at] != "{":
            raise Syntax(f"expected {{ and found {stream[at]}")
        at += 1
        out = []
        while stream[at] != "}":
            out.append(stream[at])
            at += 1
            if at >= len(stream):
                raise Syntax("a { is not closed")
        at += 1
        return [t[1:-1] if t.startswith('"') else t for t in out]

    def body(inside):
        nonlocal at
        if stream[at] != "{":
            raise Syntax(f"expected {{ and found {stream[at]}")
        at += 1
        here = {}
        while True:
            if at >= len(stream):
                raise Syntax("a { is not closed")
            word = stream[at]
            at += 1
            if word == "}":
                break
            if word in ("parm", "group"):
                body(word)
            elif word in ("default", "range", "menu", "parmtag", "help") and stream[at] == "{":
                here.setdefault(word, block())
            elif word in ("invisible", "joinnext", "nolabel"):
                here[word] = True
            elif word in ("name", "label", "type", "size", "disablewhen", "hidewhen", "help", "script",
                          "inputlabel", "outputlabel", "export"):
                value = stream[at]
                at += 1
                if word in ("inputlabel", "outputlabel"):
                    at += 1
                here[word] = value[1:-1] if value.startswith('"') else value
            else:
                raise Syntax(f"keyword {word!r} is not known")
        if inside == "parm":
            for key in ("name", "label", "type"):
                if key not in here:
                    raise Syntax(f"a parm has no {key}: {here}")
            if here["type"] not in TYPES:
                raise Syntax(f"{here['name']}: type {here['type']} is not known")
            found.append(here)

    body("top")
    if at != len(stream):
        raise Syntax("something follows the last }")
    return found
