"""Our digital assets, described once: nodes, wires and the parameters that are put in front. Two
things follow from this: build_otls.py makes them through hou under hython (what we vouch for), and
expand.py writes them in Houdini's expanded text form."""


class Asset:
    def __init__(self, name, label, about, inputs, nodes, wires, fronts, output, icon="SOP_purl", editable=()):
        self.name, self.label, self.about, self.inputs = name, label, about, inputs
        self.nodes = nodes    # name -> (type, {parameter: value})
        self.wires = wires    # (from node or input number, to node, input of it)
        self.fronts = fronts  # (folder, name in front, node, parameter)
        self.output, self.icon = output, icon
        self.editable = editable  # nodes that stay open in a locked asset: an artist works in them

    @property
    def type_name(self):
        return f"purl::{self.name}::1.0"


PHYSICS = [("Simulation", "resimulate", "solver", "resimulate"),
           ("Simulation", "startframe", "solver", "startframe"),
           ("Simulation", "timescale", "solver", "timescale"),
           ("Simulation", "substeps", "solver", "substeps"),
           ("Simulation", "gravity", "solver", "gravity"),
           ("Simulation", "wind", "solver", "wind"),
           ("Simulation", "accuracy", "solver", "accuracy"),
           ("Simulation", "yarnfriction", "solver", "yarnfriction"),
           ("Collision", "useground", "solver", "useground"),
           ("Collision", "groundheight", "solver", "groundheight"),
           ("Collision", "friction", "solver", "friction")]

RENDER = [("Render", "output", "yarn", "output"), ("Render", "sides", "yarn", "sides"),
          ("Render", "plies", "yarn", "plies"), ("Render", "twist", "yarn", "twist")]

DRAPE = Asset(
    "drape", "Purl Drape", "Knits a patch, drops it on what is in the second input, and dresses it for "
    "the render.", ["Polygons (optional)", "Colliders (optional)"],
    {"pattern": ("purl::pattern::1.0", {"ty": 0.1}), "configure": ("purl::configure::1.0", {}),
     "solver": ("purl::solver::1.0", {"useground": 1}), "yarn": ("purl::yarn::1.0", {})},
    [(0, "pattern", 0), ("pattern", "configure", 0), ("configure", "solver", 0), (1, "solver", 2),
     ("solver", "yarn", 0)],
    [("Knit", "pattern", "pattern", "pattern"), ("Knit", "wales", "pattern", "wales"),
     ("Knit", "courses", "pattern", "courses"), ("Knit", "radius", "pattern", "radius"),
     ("Knit", "t", "pattern", "t"), ("Yarn", "material", "configure", "material"),
     ("Yarn", "bendscale", "configure", "bendscale"), ("Yarn", "variation", "configure", "variation"),
     ("Yarn", "pingroup", "configure", "pingroup"), ("Yarn", "pintype", "configure", "pintype")]
    + PHYSICS + RENDER, "yarn")

GARMENT = Asset(
    "garment", "Purl Garment", "Lays a woven or knitted fabric on a garment's polygons, solves its yarns where it "
    "is painted (point attribute yarn, by the node paint inside, or of the input) and triangles elsewhere, and "
    "dresses all yarns for the render.", ["Garment", "Targets (optional)", "Colliders (optional)"],
    {"configure": ("purl::configure::1.0", {"kind": "cloth"}), "fabric": ("purl::fabric::1.0", {}),
     "paint": ("attribpaint", {"attribname1": "yarn", "stroke_attrib": "yarn"}),
     "solver": ("purl::solver::1.0", {"mode": "mixed"}), "yarn": ("purl::yarn::1.0", {"pieces": 1, "sides": 6})},
    [(0, "configure", 0), ("configure", "fabric", 0), ("fabric", "paint", 0), ("paint", "solver", 0), (1, "solver", 1), (2, "solver", 2),
     ("solver", "yarn", 0)],
    [("Fabric", "draft", "fabric", "draft"), ("Fabric", "draftfile", "fabric", "draftfile"),
     ("Fabric", "warpspacing", "fabric", "warpspacing"), ("Fabric", "weftspacing", "fabric", "weftspacing"),
     ("Fabric", "radius", "fabric", "radius"), ("Fabric", "angle", "fabric", "angle"),
     ("Fabric", "material", "fabric", "material"), ("Pins", "pingroup", "configure", "pingroup"),
     ("Pins", "pintype", "configure", "pintype")]
    + [p for p in PHYSICS if p[1] not in ("accuracy", "yarnfriction")] + RENDER, "yarn", editable=["paint"])

ASSETS = [DRAPE, GARMENT]
