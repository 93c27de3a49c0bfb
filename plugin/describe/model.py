"""The words a node is described with. One description feeds the DialogScript in the node's source,
its help page, the expanded assets, the recording double of hou, and the tests that compare them."""


class Parm:
    """One parameter. kind is a DialogScript type; unit is shown in help ("" for plain numbers)."""

    def __init__(self, kind, name, label, default, help, unit="", low=None, high=None, hard="",
                 menu=None, disable="", tags=None, hidden=False):
        self.kind, self.name, self.label, self.default = kind, name, label, default
        self.help, self.unit, self.low, self.high, self.hard = help, unit, low, high, hard
        self.menu, self.disable, self.tags, self.hidden = menu or [], disable, tags or {}, hidden

    @property
    def size(self):
        return 3 if self.kind == "vector" else 1

    @property
    def values(self):
        return list(self.default) if self.size == 3 else [self.default]


class Folder:
    def __init__(self, label, *parms):
        self.label, self.parms = label, list(parms)
        self.name = "folder_" + "".join(c for c in label.lower() if c.isalnum())


class Node:
    def __init__(self, context, name, label, about, inputs, items, body="", attributes=(), picture="",
                 examples=(), source="", min_inputs=0, related=(), dop_name="", animated=()):
        self.context, self.name, self.label, self.about = context, name, label, about
        self.inputs, self.items, self.body, self.attributes = inputs, items, body, attributes
        self.picture, self.examples, self.source = picture, examples, source
        self.min_inputs, self.related, self.dop_name = min_inputs, related, dop_name
        self.animated = animated  # parameters of a solver that keys may move in the middle of a run

    @property
    def type_name(self):
        """What createNode() takes: namespace, name and version; DOPs carry no namespace."""
        return self.dop_name or f"purl::{self.name}::1.0"

    @property
    def file_stem(self):
        return self.dop_name or f"purl--{self.name}-1.0"

    def parms(self):
        for item in self.items:
            yield from item.parms if isinstance(item, Folder) else [item]


def real(name, label, default, low, high, unit, help, hard="", **more):
    return Parm("float", name, label, default, help, unit, low, high, hard, **more)


def whole(name, label, default, low, high, help, hard="low", unit="", **more):
    return Parm("integer", name, label, default, help, unit, low, high, hard, **more)


def toggle(name, label, default, help, **more):
    return Parm("toggle", name, label, int(default), help, **more)


def choice(name, label, default, menu, help, **more):
    return Parm("string", name, label, default, help, menu=menu, **more)


def text(name, label, default, help, kind="string", **more):
    return Parm(kind, name, label, default, help, **more)


def vector(name, label, default, unit, help, **more):
    return Parm("vector", name, label, default, help, unit, **more)


def button(name, label, help, script):
    return Parm("button", name, label, 0, help, tags={"script_callback": script,
                                                       "script_callback_language": "python"})
