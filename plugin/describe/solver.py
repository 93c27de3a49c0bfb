"""The solver: one set of physics parameters shared by the SOP and the DOPs."""
from .model import Folder, Node, button, choice, real, text, toggle, vector, whole

RESET = ("kwargs['node'].parm('resetcount').set(kwargs['node'].parm('resetcount').eval() + 1)")
YARN_ONLY = "{ mode == cloth } { mode == fabric } { mode == mixed }"
CLOTH_ONLY = "{ mode == yarn } { mode == fabric } { mode == mixed }"

MODE = choice("mode", "Mode", "auto", [("auto", "Automatic"), ("yarn", "Yarn (ACL)"), ("fabric", "Fabric (Crossings)"),
                                          ("mixed", "Mixed (Painted Yarns)"), ("cloth", "Cloth")],
              "How the input is solved. Automatic takes polygons of Purl Fabric for fabric (mixed, if they "
              "carry the point attribute yarn), other "
              "polygons without a yarn radius for cloth, and everything else for yarn.")

TIME = [
    real("timescale", "Time Scale", 1, 0.1, 4, "factor", "2 makes everything happen twice as fast.",
         hard="low"),
    whole("substeps", "Substeps", 0, 0, 400, "Steps a frame. 0 chooses them from the stiffest yarn, "
          "and 1/96 s for cloth.", unit="count")]

STEPS = Folder(
    "Yarn Steps",
    choice("stepping", "Stepping", "explicit", [("explicit", "Explicit (Reference)"), ("implicit", "Implicit (Large Steps)")],
           "Small steps by the published method, or large ones with everything stiff in one linear solve: "
           "several times faster, a little calmer.", disable=YARN_ONLY),
    real("liveliness", "Liveliness", 1, 0, 1, "share", "Of implicit steps: 0 is calm and loses energy, 1 "
         "keeps it.", hard="both", disable=YARN_ONLY + " { stepping != implicit }"),
    real("maxstep", "Longest Step", 0.008, 0.0002, 0.01, "s", "Of implicit steps when Substeps is 0.",
         hard="low", disable=YARN_ONLY + " { stepping != implicit }"),
    toggle("guard", "No Pass-Through", True, "Tests every step for yarn through yarn, takes a bad one back and "
           "tries shorter ones. A frame that cannot be saved is an error, never a bad frame.", disable=YARN_ONLY),
    real("stiffen", "Stiffen Below", 0, 0, 1, "share", "Below this part of the sum of the radii contact grows "
         "stiffer, so that hard pulls hold. 0 is the published law.", hard="both", disable=YARN_ONLY))

FORCES = Folder(
    "Forces",
    vector("gravity", "Gravity", (0, -9.80665, 0), "m/s2", "Acceleration of everything. In a DOP network it is "
           "added to the network's forces: leave it at 0 there when a Gravity Force is in it."),
    vector("wind", "Wind", (0, 0, 0), "m/s", "Velocity of the air."),
    real("airdensity", "Air Density", 1.2, 0, 10, "kg/m3", "Of the air that drags on yarn and cloth. "
         "0 is a vacuum.", hard="low"),
    real("veldamping", "Velocity Damping", 0, 0, 10, "1/s", "Slows all motion down.", hard="low"),
    toggle("usedamping", "Damp Inside", True, "Damps motion of a loop against its neighbours, not the "
           "fall and swing of the whole.", disable=YARN_ONLY),
    real("dampingrate", "Damping Rate", 1500, 0, 5000, "1/s", "How fast motion inside the fabric dies "
         "down, in proportion to its speed.", hard="low", disable=YARN_ONLY + " { usedamping == 0 }"),
    real("dampingconstant", "Damping Floor", 5, 0, 50, "m/s2", "The same at a constant rate: brings "
         "what creeps to rest.", hard="low", disable=YARN_ONLY + " { usedamping == 0 }"))

CONTACT = Folder(
    "Contact",
    choice("contact", "Contact", "acl", [("acl", "Adaptive (ACL)"), ("exact", "Exact"), ("none", "None")],
           "How yarns touch: by linear models made anew where the fabric deforms, by all pairs in "
           "every step (the reference, slower), or not at all.", disable=YARN_ONLY),
    real("accuracy", "Contact Accuracy", 0.04, 0, 0.2, "share", "How far a contact model may be off "
         "before it is made anew. 0.04 keeps forces to 1 % (3 % in a landing); 0 is always anew.",
         hard="low", disable=YARN_ONLY + " { contact != acl }"),
    real("yarnfriction", "Yarn Friction", 0.3, 0, 1, "coefficient", "Between yarns.", hard="low",
         disable=YARN_ONLY + " { contact != acl }"),
    toggle("doselfcollisions", "Self Collision", True, "Keeps cloth from going through itself.",
           disable=CLOTH_ONLY),
    real("selfthickness", "Self Thickness", 0, 0, 0.01, "m", "Distance that cloth keeps from itself. 0 "
         "takes its own thickness, but at least 1 mm.", hard="low", disable=CLOTH_ONLY + " { doselfcollisions == 0 }"),
    real("selffriction", "Self Friction", 0.2, 0, 1, "coefficient", "Of cloth on itself.", hard="low",
         disable=CLOTH_ONLY + " { doselfcollisions == 0 }"))

COLLISION = Folder(
    "Collision",
    toggle("useground", "Ground Plane", False, "A floor that has no end."),
    real("groundheight", "Ground Height", 0, -10, 10, "m", "Height of the floor.",
         disable="{ useground == 0 }"),
    real("friction", "Friction", 0.3, 0, 1, "coefficient", "Between yarn or cloth and colliders.",
         hard="low"),
    real("thickness", "Thickness", 0, 0, 0.01, "m", "Kept free around colliders in addition to the "
         "yarn's radius or the cloth's half thickness.", hard="low"),
    real("maxpushout", "Fastest Push Out", 2, 0, 20, "m/s", "Of points found inside a collider.",
         hard="low"),
    real("collidervoxel", "Voxel Size", 0, 0, 0.05, "m", "Of polygon colliders. 0 takes about the yarn "
         "radius.", hard="low"),
    text("surfacename", "Surface VDB", "", "Name of the collider's level set. Empty takes `surface`, or "
         "the only one there is."),
    text("velocityname", "Velocity VDB", "", "Name of its velocity grid in m/s. Empty takes `v` or "
         "`vel` if there is one."))

MATERIAL = Folder(
    "Cloth Model",
    choice("inplane", "Stretch Model", "stvk",
           [("stvk", "St. Venant-Kirchhoff"), ("baraff_witkin", "Baraff-Witkin"), ("corotated", "Corotated"),
            ("springs", "Springs")], "How cloth resists stretch and shear.", disable=CLOTH_ONLY),
    choice("bending", "Bending Model", "discrete_shells",
           [("discrete_shells", "Discrete Shells"), ("baraff_witkin", "Baraff-Witkin"), ("bridson", "Bridson"),
            ("quadratic", "Quadratic"), ("linear", "Linear"), ("loop", "Loop Subdivision"),
            ("springs", "Springs"), ("choi_ko", "Choi-Ko")], "How cloth resists bending.",
           disable=CLOTH_ONLY),
    choice("integrator", "Integrator", "linear_implicit",
           [("linear_implicit", "Linear Implicit"), ("backward_euler", "Backward Euler"), ("bdf2", "BDF2"),
            ("crank_nicolson", "Crank-Nicolson"), ("newmark", "Newmark"), ("adams_moulton2", "Adams-Moulton 2"),
            ("symplectic_euler", "Symplectic Euler"), ("leapfrog", "Leapfrog"), ("midpoint", "Midpoint"),
            ("rk4", "Runge-Kutta 4"), ("adams_bashforth2", "Adams-Bashforth 2")],
           "How cloth moves through time. Implicit ones take large steps.", disable=CLOTH_ONLY),
    choice("rest", "Rest Shape", "auto", [("auto", "Automatic"), ("rest", "Attribute rest"), ("uv", "UV"),
                                          ("input", "Input")],
           "Where cloth takes its rest shape from. Automatic takes rest, else uv, else the input.",
           disable=CLOTH_ONLY),
    real("uvscale", "UV Scale", 1, 0, 10, "m", "Metres in a unit of uv. 0 makes the area that of the "
         "polygons.", hard="low", disable=CLOTH_ONLY),
    toggle("drape", "Drape", False, "Every frame is where the cloth comes to rest, not how it gets "
           "there.", disable=CLOTH_ONLY))

CACHE = Folder(
    "Cache",
    toggle("cacheenabled", "Limit Cache", False, "Bounds the memory of kept frames; the oldest go "
           "first. A frame that is gone is solved again from a checkpoint or the start."),
    real("cachemaxsize", "Cache Memory", 5000, 10, 100000, "MB", "Memory for kept frames.", hard="low",
         disable="{ cacheenabled == 0 }"),
    toggle("watchinput", "Watch Upstream", True, "Looks at the input of the start frame in every cook "
           "and begins anew when it changed. Switch it off if the input is slow to cook and animated; "
           "then use Reset Simulation."),
    toggle("savecheckpoints", "Save Checkpoints", False, "Writes the whole state to disk from time to "
           "time; a new session goes on from the newest one that fits, to the same bits."),
    text("checkpoint_basedir", "Base Folder", "$HIP/checkpoints", "Folder of the checkpoints.",
         kind="directory", disable="{ savecheckpoints == 0 }"),
    text("checkpoint_basename", "Base Name", "$OS", "First part of their names; the frame follows.",
         disable="{ savecheckpoints == 0 }"),
    whole("checkpoint_explicitcachensteps", "Checkpoint Trail Length", 1, 0, 20, "Newest checkpoints "
          "that are kept; 0 keeps all.", unit="count", disable="{ savecheckpoints == 0 }"),
    whole("checkpoint_explicitcachespacing", "Checkpoint Interval", 10, 1, 100, "Frames from one "
          "checkpoint to the next.", unit="frames", disable="{ savecheckpoints == 0 }"))

# What keys may move in the middle of a run (plugin/solver_parms.cpp has the same list, tests compare).
ANIMATED = ["timescale", "substeps", "gravity", "wind", "airdensity", "veldamping", "usedamping", "dampingrate",
            "dampingconstant", "liveliness", "maxstep", "accuracy", "yarnfriction", "selffriction", "friction",
            "maxpushout"]

# What the DOPs have too: one run of the SOP's DialogScript, which SIM_PurlSolver.C cuts out.
SHARED = [MODE, *TIME, FORCES, STEPS, CONTACT, COLLISION, MATERIAL]

SOLVER = Node(
    "sop", "solver", "Purl Solver", "Simulates yarns or cloth, frame by frame.",
    [("Yarns or Cloth", "Curves with pscale, polygons, or polygons of Purl Fabric. Animate it to move pins: the points of "
      "each frame are where pinned points are."),
     ("Targets (optional)", "The same points, animated: where pins and goals go, instead of the first "
      "input."),
     ("Colliders (optional)", "VDB level sets (surface, with v) or polygons, static, moving or "
      "deforming.")],
    [button("resimulate", "Reset Simulation", "Forgets all frames and begins anew.", RESET),
     whole("startframe", "Start Frame", 1, 1, 240, "Frame of the input as it is. Before it the input "
           "passes through.", hard="", unit="frame"),
     *SHARED, CACHE,
     whole("resetcount", "Reset Count", 0, 0, 1000, "Goes up with Reset Simulation. Key it to reset "
           "from a script.", unit="count", hidden=True),
     real("solveframe", "Solve Frame", "$FF", 1, 240, "frame", "The frame that is asked for; it makes "
          "the node depend on time.", hidden=True)],
    body="""The first cook of a frame solves it and keeps it. Going back reads kept frames. Jumping ahead
solves the frames between. Changing a parameter or the input begins anew, and the node says so.
Esc stops within a step and leaves the last good frame.

:tip: Middle-click the node for yarns, contacts, updates, iterations, residual and memory.

:note: Keys act on time scale, substeps, gravity, wind, air, damping, frictions, accuracy, liveliness, longest
step and push-out: a frame is solved with the values at its own time. All others (mode, contact, thickness,
ground, cloth model ...) are those of the start frame. A change of keys at any solved frame begins anew.

:note: Paint of Mixed (point attribute `yarn` of the first input) may change from frame to frame; yarns are
laid in or released.""",
    attributes=[("P, v", "point", "Position in m and velocity in m/s."),
                ("orient", "point", "Frame of the yarn: z along it."), ("pscale", "point", "Yarn radius."),
                ("contactforce", "point", "N, of yarns on each other."),
                ("aclupdates", "point", "How often its contact models were made anew in the frame.")],
    picture="solver.png", source="SOP_Purl_Solver.C", min_inputs=1, animated=ANIMATED,
    examples=["scarf_on_plane", "afghan_on_ball", "sack_of_balls", "tube_on_walker", "puckering", "elbow", "woven_patch"],
    related=["purl--pattern-1.0", "purl--fabric-1.0", "purl--configure-1.0", "purl--collider-1.0", "purl--yarn-1.0"])

DOP_FORCES = Folder(
    "Forces",
    vector("gravity", "Gravity", (0, 0, 0), "m/s2", FORCES.parms[0].help), *FORCES.parms[1:])

DOP_PARMS = [DOP_FORCES if item is FORCES else item for item in SHARED]

DOP_BODY = """The object's Geometry is solved, in all modes; attributes are read and written as
[Node:sop/purl--solver-1.0] does. Polygons of [Node:sop/purl--fabric-1.0] become the yarns that were laid on
them with the first step. Objects that affect it are its colliders, each with the place of its object: the VDB
level sets in their geometry, else their polygons. Forces of the network are sampled once a step where the
solver's masses are, and act through the step. The state is kept with the object, so that caches, .sim files
and going back work.

:note: Pinned points stay where they are. Paint of Mixed is that of the first step.

:note: In the first step after a .sim file is loaded, a collider that deforms is taken to stand still; one that
its object moves is not."""

SIM_SOLVER = Node(
    "dop", "solver", "Purl Solver", "Simulates the yarns or the cloth of an object.", [], DOP_PARMS,
    body=DOP_BODY, picture="solver.png", source="SOP_Purl_Solver.C", dop_name="purl_solver",
    related=[], animated=ANIMATED)

GAS_SOLVER = Node(
    "dop", "gassolver", "Gas Purl", "One step of Purl as a microsolver.", [], DOP_PARMS,
    body=DOP_BODY, picture="solver.png", source="SOP_Purl_Solver.C", dop_name="purl_gas", related=[],
    animated=ANIMATED)
