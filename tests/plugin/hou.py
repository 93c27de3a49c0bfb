"""A recording double of hou: builds what a script asks for in memory and fails on a node type or a
parameter that does not exist. Our nodes are known from their descriptions; of Houdini's own only what
the examples use. It proves that the scripts name things that exist, not that a Houdini accepts them."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "plugin"))

from describe import NODES  # noqa: E402

XYZ = ("x", "y", "z")


def _own(node):
    parms = {}
    for p in node.parms():
        if p.size == 3:
            parms.update({p.name + c: v for c, v in zip(XYZ, p.values)})
        else:
            parms[p.name] = p.default
    return parms


def _vector(*names):
    return {n + c: 0.0 for n in names for c in XYZ}


# Houdini's own nodes, as the examples use them: names from SideFX's node reference.
KNOWN = {
    "geo": {}, "subnet": {}, "merge": {}, "null": {}, "output": {"outputidx": 0},
    "grid": {"sizex": 10.0, "sizey": 10.0, "rows": 10, "cols": 10, "orient": "zx", **_vector("t")},
    "sphere": {"type": "prim", "rows": 13, "cols": 24, "scale": 1.0, **_vector("t", "rad")},
    "box": {"scale": 1.0, **_vector("size", "t")},
    "tube": {"type": "prim", "cap": 0, "height": 1.0, "radscale": 1.0, "rad1": 1.0, "rad2": 1.0, "rows": 2,
             "cols": 12, "orient": "y", **_vector("t")},
    "xform": _vector("t", "r", "s", "p"),
    "shrinkwrap::2.0": {"type": "xyz"},
    "attribpaint": {"attribname1": "mask", "stroke_attrib": "mask"},
    "groupcreate": {"groupname": "group1", "grouptype": "prim", "basegroup": ""},
    "rop_geometry": {"trange": "off", "f1": 1, "f2": 240, "f3": 1, "sopoutput": "", "initsim": 0, "alfprogress": 0,
                     "mkpath": 1, "soppath": ""},
    "geometry": {"trange": "off", "f1": 1, "f2": 240, "f3": 1, "sopoutput": "", "initsim": 0, "alfprogress": 0,
                 "mkpath": 1, "soppath": ""},
}
KNOWN.update({n.type_name: _own(n) for n in NODES if n.context == "sop"})
MAX_INPUTS = {n.type_name: len(n.inputs) for n in NODES if n.context == "sop"}
MENUS = {(n.type_name, p.name): [t for t, _ in p.menu] for n in NODES for p in n.parms() if p.menu}
RANGES = {(n.type_name, p.name + (c if p.size == 3 else "")): p for n in NODES for p in n.parms()
          for c in (XYZ if p.size == 3 else [""])}

log = []  # everything that was asked for, in order


class exprLanguage:
    Hscript, Python = "hscript", "python"


class Keyframe:
    def __init__(self):
        self.frame_, self.value_, self.expression_ = None, None, None

    def setFrame(self, frame):
        self.frame_ = frame

    def setValue(self, value):
        self.value_ = value

    def setExpression(self, text, language):
        self.expression_ = text


class parmTemplateType:
    String, Other = "String", "Other"


class OperationFailed(Exception):
    pass


class Parm:
    def __init__(self, node, name):
        self._node, self._name = node, name

    def name(self):
        return self._name

    def node(self):
        return self._node

    def eval(self):
        return self._node.values[self._name]

    def parmTemplate(self):
        return ParmTemplate(self._name, isinstance(self._node.values[self._name], str))

    def set(self, value):
        kind = self._node.kind
        if (kind, self._name) in MENUS and value not in MENUS[kind, self._name]:
            raise OperationFailed(f"{self._node.path()}: {self._name} has no item {value!r}")
        described = RANGES.get((kind, self._name))
        if described is not None and described.low is not None and not isinstance(value, str):
            if described.hard in ("low", "both") and value < described.low:
                raise OperationFailed(f"{self._node.path()}: {self._name} {value} is below {described.low}")
        if isinstance(self._node.values[self._name], str) and not isinstance(value, str):
            raise OperationFailed(f"{self._node.path()}: {self._name} takes text and got {value!r}")
        self._node.values[self._name] = value
        log.append(("set", self._node.path(), self._name, value))

    def setExpression(self, text, language=None):
        self._node.expressions[self._name] = text
        log.append(("expression", self._node.path(), self._name, text))

    def setKeyframe(self, key):
        if key.frame_ is None or isinstance(self._node.values[self._name], str):
            raise OperationFailed(f"{self._node.path()}: {self._name} cannot have this key")
        self._node.keys.setdefault(self._name, {})[key.frame_] = (key.value_, key.expression_)
        log.append(("key", self._node.path(), self._name, key.frame_, key.value_))

    def pressButton(self):
        log.append(("press", self._node.path(), self._name))


class ParmTemplate:
    def __init__(self, name, is_text=False):
        self._name, self._text = name, is_text

    def clone(self):
        return ParmTemplate(self._name, self._text)

    def setName(self, name):
        self._name = name

    def name(self):
        return self._name

    def type(self):
        return parmTemplateType.String if self._text else parmTemplateType.Other


class FolderParmTemplate:
    def __init__(self, name, label):
        self.name_, self.label_, self.templates = name, label, []

    def addParmTemplate(self, template):
        self.templates.append(template)


class ParmTemplateGroup:
    def __init__(self):
        self.entries = []

    def append(self, entry):
        self.entries.append(entry)


class ParmTuple:
    def __init__(self, node, name):
        self._name = name
        self._parms = [node.parm(name + c) for c in XYZ] if name not in node.values and \
            name + "x" in node.values else [node.parm(name)]
        if any(p is None for p in self._parms):
            raise OperationFailed(f"{node.path()} ({node.kind}) has no parameter {name}")

    def name(self):
        return self._name

    def __iter__(self):
        return iter(self._parms)

    def set(self, values):
        for p, v in zip(self._parms, values):
            p.set(v)

    def parmTemplate(self):
        return self._parms[0].parmTemplate()


class Definition:
    def __init__(self, path):
        self.path, self.sections, self.group = path, {}, None

    def setParmTemplateGroup(self, group):
        self.group = group
        log.append(("fronts", [t.name() for f in group.entries for t in f.templates]))

    def setIcon(self, icon):
        self.icon = icon

    def addSection(self, name, text):
        self.sections[name] = text
        log.append(("section", self.path, name, text))

    def updateFromNode(self, node):
        log.append(("update", node.path()))

    def save(self, path):
        log.append(("save asset", path))


class NodeType:
    def __init__(self, definition):
        self._definition = definition

    def definition(self):
        return self._definition


class Node:
    def __init__(self, kind, name, parent):
        self.kind, self._name, self.parent = kind, name, parent
        self.children_, self.inputs = {}, {}
        self.values, self.expressions, self.keys = dict(KNOWN.get(kind, {})), {}, {}
        self._definition = None
        self._indirect = [f"{name}_in{i}" for i in range(4)]

    def path(self):
        return (self.parent.path() if self.parent else "") + "/" + self._name

    def name(self):
        return self._name

    def createNode(self, kind, name=None):
        if kind not in KNOWN:
            raise OperationFailed(f"{self.path()}: there is no node type {kind}")
        name = name or kind.split("::")[-2 if "::" in kind else 0] + str(len(self.children_) + 1)
        child = self.children_[name] = Node(kind, name, self)
        log.append(("create", child.path(), kind))
        return child

    def parm(self, name):
        return Parm(self, name) if name in self.values else None

    def parmTuple(self, name):
        return ParmTuple(self, name)

    def setParms(self, values):
        for name, value in values.items():
            if name not in self.values:
                raise OperationFailed(f"{self.path()} ({self.kind}) has no parameter {name}")
            self.parm(name).set(value)

    def setInput(self, index, other, output=0):
        most = MAX_INPUTS.get(self.kind, 9999)
        if index >= most:
            raise OperationFailed(f"{self.path()} ({self.kind}) has {most} inputs, not {index + 1}")
        self.inputs[index] = other
        log.append(("wire", other if isinstance(other, str) else other.path(), self.path(), index))

    def indirectInputs(self):
        return self._indirect

    def node(self, name):
        return self.children_[name]

    def setDisplayFlag(self, on):
        log.append(("display", self.path()))

    def setRenderFlag(self, on):
        log.append(("render", self.path()))

    def layoutChildren(self):
        pass

    def type(self):
        return NodeType(self._definition)

    def createDigitalAsset(self, name, hda_file_name, description, min_num_inputs, max_num_inputs):
        self._definition = Definition(hda_file_name)
        log.append(("asset", name, hda_file_name))
        return self


class _HipFile:
    def clear(self, suppress_save_prompt=False):
        roots["/obj"] = Node("obj", "obj", None)
        roots["/out"] = Node("out", "out", None)

    def save(self, path):
        log.append(("save", path))


class _Playbar:
    def setFrameRange(self, start, end):
        log.append(("range", start, end))


roots = {"/obj": Node("obj", "obj", None), "/out": Node("out", "out", None)}
hipFile, playbar = _HipFile(), _Playbar()


def node(path):
    return roots[path]


def setFps(fps):
    log.append(("fps", fps))
