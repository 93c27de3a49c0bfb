"""What examples share: an empty scene, a geometry object, keys, capsules, a ROP for the farm, saving."""
import sys

import hou


def begin(name, frames, fps=24):
    hou.hipFile.clear(suppress_save_prompt=True)
    hou.setFps(fps)
    hou.playbar.setFrameRange(1, frames)
    return hou.node("/obj").createNode("geo", name)


def knit(geo, **parms):
    """Purl Pattern with these parameters; t is its centre."""
    node = geo.createNode("purl::pattern::1.0", "pattern")
    put(node, parms)
    return node


def put(node, parms):
    for name, value in parms.items():
        if isinstance(value, tuple):
            node.parmTuple(name).set(value)
        elif node.parm(name) is None:
            raise ValueError(f"{node.path()} has no parameter {name}")
        else:
            node.parm(name).set(value)


def after(geo, node_type, name, source, **parms):
    node = geo.createNode(node_type, name)
    node.setInput(0, source)
    put(node, parms)
    return node


def keys(parm, table):
    """Keys of frame and value, straight lines between them, as the keys of a collider in purl sim's scenes."""
    for frame, value in table:
        key = hou.Keyframe()
        key.setFrame(frame)
        key.setValue(value)
        key.setExpression("linear()", hou.exprLanguage.Hscript)
        parm.setKeyframe(key)


def capsule(geo, name, a, b, radius):
    """The hull of two balls."""
    ends = geo.createNode("merge", name + "_ends")
    for i, centre in enumerate((a, b)):
        ball = geo.createNode("sphere", f"{name}_end{i + 1}")
        put(ball, {"type": "poly", "rows": 24, "cols": 48, "rad": (radius,) * 3, "t": centre})
        ends.setInput(i, ball)
    return after(geo, "shrinkwrap::2.0", name, ends, type="xyz")


def finish(geo, shown, frames):
    """Shows a node, adds a cache ROP (one task a shot: it solves in order), saves to the first argument."""
    rop = after(geo, "rop_geometry", "cache", shown, trange="normal", f1=1, f2=frames, initsim=1,
                alfprogress=1, sopoutput="$HIP/geo/$HIPNAME.$OS.$F4.bgeo.sc")
    shown.setDisplayFlag(True)
    shown.setRenderFlag(True)
    geo.layoutChildren()
    path = sys.argv[1] if len(sys.argv) > 1 else geo.name() + ".hip"
    hou.hipFile.save(path)
    return rop
