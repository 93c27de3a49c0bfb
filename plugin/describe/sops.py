"""The SOPs that make, prepare, judge and dress yarns."""
from .model import Folder, Node, choice, real, text, toggle, vector, whole

FIBRES = [(n, n.capitalize()) for n in
          ("wool", "cotton", "acrylic", "linen", "polyester", "nylon", "silk", "mohair")]
PATTERNS = [("stockinette", "Stockinette (knit)"), ("garter", "Garter (knit)"), ("rib1x1", "Rib 1x1 (knit)"),
            ("rib2x2", "Rib 2x2 (knit)"), ("moss", "Moss (knit)"), ("plain", "Plain (woven)"),
            ("twill2x2", "Twill 2/2 (woven)"), ("satin5", "Satin 5 (woven)")]

CLOTH_PRESETS = [(n, n.capitalize()) for n in
                 ("cotton", "denim", "silk", "jersey", "interlock", "rib", "twill", "windbreaker", "wool")]

PATTERN = Node(
    "sop", "pattern", "Purl Pattern", "Knits or weaves a patch of yarns as curves.",
    [("Polygons (optional)", "A flat or nearly flat mesh. The patch covers its extent, in its plane. "
      "Without it the patch has the size asked for.")],
    [choice("pattern", "Pattern", "stockinette", PATTERNS,
            "What is knitted or woven. Knits are loops in rows, weaves are warp and weft."),
     whole("wales", "Wales", 24, 2, 200, "Loops in a row; in a weave, warp threads. With polygons in "
           "the input the number follows from their width.", unit="count"),
     whole("courses", "Courses", 24, 2, 200, "Rows of loops; in a weave, weft threads. With polygons "
           "in the input the number follows from their height.", unit="count"),
     real("radius", "Yarn Radius", 0.00125, 0.0002, 0.01, "m", "Half of the yarn's thickness. It is "
          "written as pscale.", hard="low"),
     choice("material", "Material", "wool", FIBRES, "Fibre of the yarn, written as the primitive "
            "attribute material. [Node:sop/purl--configure-1.0] can change it."),
     Folder("Gauge",
            real("walespacing", "Wale Spacing", 0, 0, 0.02, "m", "Width of a loop. 0 lets the radius "
                 "decide.", hard="low"),
            real("coursespacing", "Course Spacing", 0, 0, 0.02, "m", "Height of a row. 0 lets the "
                 "radius decide.", hard="low"),
            toggle("tube", "Knit in the Round", False, "Closes the rows to a tube around the y axis."),
            toggle("continuous", "One Yarn", False, "One yarn throughout that turns at the sides, "
                   "instead of one a row."),
            toggle("bindselvedges", "Bind Selvedges", True, "Holds the ends of neighbouring rows "
                   "together, as flat knitting turns. Free ends ravel."),
            toggle("bindoff", "Bind Off", True, "A last thread closes the loops of the top row.")),
     Folder("Placement",
            choice("placement", "Placement", "lie", [("lie", "Lying (XZ)"), ("stand", "Standing (XY)")],
                   "Lying with its front up, or standing with its front towards +z. Polygons in the "
                   "input decide by themselves."),
            vector("t", "Center", (0, 0, 0), "m", "Where the middle of the patch is."))],
    body="""The curves do not touch to start from, at the gauge that the yarn's radius asks for.
They come with what [Node:sop/purl--solver-1.0] and the render want to know, see the attributes below.""",
    attributes=[("pscale", "point", "Yarn radius, m."), ("rest", "point", "Rest position, m."),
                ("yarnid", "point, primitive", "Number of the yarn."),
                ("course, wale", "point", "Row and column of the loop."),
                ("curveu", "point", "0 to 1 along the yarn."), ("weld", "point", "Point it is held "
                 "together with, or -1."), ("Cd", "point", "Colour of the yarn."),
                ("material", "primitive", "Fibre.")],
    picture="pattern.png", source="SOP_Purl_Pattern.C", examples=["scarf_on_plane"],
    related=["purl--configure-1.0", "purl--solver-1.0"])

CONFIGURE = Node(
    "sop", "configure", "Purl Configure", "Gives yarns or cloth a material, pins and goals, as attributes.",
    [("Yarns or Cloth", "Curves, or polygons that are to be cloth.")],
    [choice("kind", "Kind", "yarn", [("yarn", "Yarn"), ("cloth", "Cloth")], "What the input is: curves "
            "of yarn, or polygons of cloth."),
     text("group", "Group", "", "Primitives that are changed; empty means all."),
     Folder("Yarn Material",
            choice("material", "Material", "wool", FIBRES, "Fibre of the yarn: its density and its "
                   "stiffnesses follow from it and the yarn's count.", disable="{ kind != yarn }"),
            toggle("setradius", "Set Radius", False, "Replaces the yarns' own pscale.",
                   disable="{ kind != yarn }"),
            real("radius", "Radius", 0.00125, 0.0002, 0.01, "m", "Half of the yarn's thickness.",
                 hard="low", disable="{ kind != yarn } { setradius == 0 }"),
            real("tex", "Count", 0, 0, 2000, "tex", "Mass of 1 km of one ply in g. 0 takes the usual "
                 "packing of the fibre at this radius.", hard="low", disable="{ kind != yarn }"),
            whole("ply", "Plies", 1, 1, 8, "Plies of a yarn. More plies of thinner yarn bend more "
                  "easily.", unit="count", disable="{ kind != yarn }"),
            real("bendscale", "Bend Scale", 1, 0.1, 10, "factor", "Multiplies the bending stiffness of "
                 "yarn or cloth.", hard="low"),
            real("twistscale", "Twist Scale", 1, 0.1, 10, "factor", "Multiplies the twisting "
                 "stiffness.", hard="low", disable="{ kind != yarn }"),
            real("contactscale", "Contact Scale", 1, 0.1, 10, "factor", "Multiplies the contact "
                 "stiffness: how hard the yarn is when squeezed.", hard="low", disable="{ kind != yarn }"),
            real("densityscale", "Density Scale", 1, 0.1, 10, "factor", "Multiplies the mass.",
                 hard="low"),
            real("restcurvature", "Rest Curvature", 0.5, 0, 1, "share", "How much of the shape it "
                 "comes in the yarn takes for its natural one: 0 straight, 1 all of it.", hard="both",
                 disable="{ kind != yarn }"),
            real("variation", "Variation", 0, 0, 0.5, "share", "Largest random change of bending and "
                 "density from yarn to yarn, for the irregularity of real yarn.", hard="both",
                 disable="{ kind != yarn }"),
            whole("seed", "Seed", 1, 0, 1000, "Which variation; the same seed gives the same yarns.",
                  unit="number", disable="{ kind != yarn }")),
     Folder("Cloth Material",
            choice("preset", "Preset", "cotton", CLOTH_PRESETS, "Measured cloth: weight, stretch, "
                   "shear and bending.", disable="{ kind != cloth }"),
            real("stretchscale", "Stretch Scale", 1, 0.1, 10, "factor", "Multiplies the stretch "
                 "stiffness.", hard="low", disable="{ kind != cloth }")),
     Folder("Pins",
            text("pingroup", "Pin Group", "", "Points that are held. Empty means none."),
            choice("pintype", "Pin Type", "pintoanimation",
                   [("stopped", "Stopped"), ("pintoanimation", "Follow Animation"), ("soft", "Soft Goal")],
                   "Stopped points stay; pinned ones follow the animated input of the solver exactly; "
                   "soft goals are pulled to it."),
            real("targetstiffness", "Goal Stiffness", 10, 0.01, 1000, "N/m", "Pull of a soft goal on "
                 "each point.", hard="low", disable="{ pintype != soft }"),
            real("targetweight", "Goal Weight", 1, 0, 1, "share", "Scales the pull; paint it as "
                 "targetweight to vary it.", hard="both", disable="{ pintype != soft }"),
            whole("layer", "Layer", 0, 0, 10, "Order of garments from the skin outwards; written as "
                  "the point attribute layer.", unit="number"))],
    body="Everything is written as attributes, so that you can paint or wrangle over it before "
         "[Node:sop/purl--solver-1.0] reads it.",
    attributes=[("material", "primitive or detail", "Fibre, or preset of cloth."),
                ("density, bendstiffness, twiststiffness, contactstiffness, restcurvature", "primitive",
                 "Of yarns: kg/m, N m2, N m2, N/m, share."),
                ("stretchscale, bendscale", "primitive", "Of cloth: factors."),
                ("stopped, pintoanimation, targetP, targetstiffness, targetweight", "point",
                 "Pins and goals, as Vellum names them."), ("layer", "point", "Order of garments.")],
    picture="configure.png", source="SOP_Purl_Configure.C", examples=["puckering"], min_inputs=1,
    related=["purl--pattern-1.0", "purl--solver-1.0"])

COLLIDER = Node(
    "sop", "collider", "Purl Collider", "Makes a level set (surface) with velocity (v) of what cloth falls on.",
    [("Polygons or VDB", "A closed mesh is solid, an open one a thin shell. A VDB passes through "
      "when it is a level set.")],
    [real("voxelsize", "Voxel Size", 0, 0, 0.05, "m", "Edge of a voxel. 0 takes about the yarn radius, "
          "but no more than 400 voxels along the longest side.", hard="low"),
     real("yarnradius", "Yarn Radius", 0.00125, 0.0002, 0.01, "m", "Of the yarns that will touch it; "
          "decides the voxel size when that is 0.", hard="low"),
     toggle("usevelocity", "Velocity", True, "Writes the VDB v from the point attribute v (m/s), so "
            "that friction and fast motion are right."),
     text("surfacename", "Surface Name", "surface", "Name of the level set."),
     text("velocityname", "Velocity Name", "v", "Name of the velocity grid.")],
    body="The solver takes polygons directly as well. Use this node to see what it will collide with, "
         "to set the voxel size, or to write the collider to disk once.",
    picture="collider.png", source="SOP_Purl_Collider.C", examples=["afghan_on_ball"], min_inputs=1,
    related=["purl--solver-1.0"])

CHECK = Node(
    "sop", "check", "Purl Check", "Finds what is wrong with yarns and marks the place.",
    [("Yarns", "Curves with a radius, from any solver.")],
    [toggle("passthrough", "Pass-Through", True, "Compares each frame with the one before and finds "
            "where yarn went through yarn. Play the frames in order."),
     real("crossratio", "Crossing", 0.05, 0, 0.5, "share", "Centre lines nearer than this part of the "
          "sum of their radii are crossing.", hard="both"),
     real("lengthtolerance", "Length Tolerance", 0.001, 0, 0.1, "share", "Largest change of a yarn's "
          "length that is no finding.", hard="low"),
     whole("listed", "Most Findings", 1000, 1, 10000, "Findings of a kind that are marked; all are "
           "counted.", unit="count"),
     toggle("findingsonly", "Findings Only", False, "Outputs the marks alone, without the yarns.")],
    body="Findings are points at the place, in the group `purl_findings`; the yarns concerned are in "
         "the primitive group `purl_bad`. The node warns with the count and the first of them.",
    attributes=[("kind, text", "point", "What was found, as a word and as a sentence."),
                ("yarna, yarnb", "point", "Yarns concerned, -1 for none."),
                ("value, expected", "point", "Number found, and the bound.")],
    picture="check.png", source="SOP_Purl_Check.C", min_inputs=1, related=["purl--solver-1.0"])

YARN = Node(
    "sop", "yarn", "Purl Yarn", "Turns centre lines into tubes or twisted plies to render.",
    [("Yarns", "Curves with pscale or width.")],
    [choice("output", "Output", "tube", [("tube", "Tubes"), ("plies", "Ply Tubes"), ("plycurves", "Ply Curves")],
            "Polygon tubes of the whole yarn, polygon tubes of each ply, or the plies as curves with "
            "width for a curve renderer."),
     whole("sides", "Sides", 8, 3, 32, "Polygons around a tube.", unit="count",
           disable="{ output == plycurves }"),
     whole("pieces", "Pieces", 2, 1, 8, "Smooth pieces of each segment of the centre line.", unit="count"),
     real("widthscale", "Width Scale", 1, 0.1, 2, "factor", "Multiplies the yarn's radius in the "
          "render only.", hard="low"),
     whole("plies", "Plies", 3, 2, 8, "Strands that the yarn is twisted from.", unit="count",
           disable="{ output == tube }"),
     real("twist", "Twist", 120, 0, 1000, "1/m", "Turns of the plies in a metre; negative turns the "
          "other way.", disable="{ output == tube }"),
     toggle("caps", "End Caps", True, "Closes the ends of open tubes.", disable="{ output == plycurves }")],
    body="Frames come from orient when the solver wrote it, so that plies do not spin from frame to "
         "frame; else they are carried along the curve. Point order, ids and uv are the same in every "
         "frame.",
    attributes=[("uv", "point", "Around and along the yarn, the second in m."),
                ("yarnid, ply", "point", "Which yarn, which ply."), ("Cd", "point", "From the yarn."),
                ("width", "point", "Of ply curves, m.")],
    picture="yarn.png", source="SOP_Purl_Yarn.C", examples=["scarf_on_plane"], min_inputs=1,
    related=["purl--pattern-1.0", "purl--solver-1.0"])


FABRIC = Node(
    "sop", "fabric", "Purl Fabric", "Lays a woven or knitted fabric on polygons.",
    [("Polygons", "Quads or triangles with uv: each uv island is a piece, warps (in a knit, courses) run "
      "where u grows, and pieces that meet in space are sewn together. Without uv it must be flat.")],
    [choice("output", "Output", "patch", [("patch", "Patch for the Solver"), ("yarns", "Yarns")],
            "The polygons with the fabric's description, for the mode Fabric of Purl Solver; or the yarns "
            "as curves, to look at or to render."),
     choice("draft", "Draft", "plain",
            [("plain", "Plain Weave"), ("twill2/2", "Twill 2/2"), ("twill3/1", "Twill 3/1"), ("satin5", "Satin 5"),
             ("basket2", "Basket 2"), ("herringbone2/2", "Herringbone 2/2"), ("stockinette", "Stockinette"),
             ("garter", "Garter"), ("moss", "Moss"), ("rib1x1", "Rib 1x1"), ("rib2x2", "Rib 2x2"),
             ("file", "From File")], "What is woven or knitted."),
     text("draftfile", "Draft File", "", "A .wif of any weaving program, or a .txt with rows of 0 and 1.",
          kind="file", disable="{ draft != file }"),
     real("warpspacing", "Warp Spacing", 0.002, 0, 0.02, "m", "Between warps, in a knit between wales. 0 "
          "takes the draft's own, or follows from the radius.", hard="low"),
     real("weftspacing", "Weft Spacing", 0, 0, 0.02, "m", "Between wefts, in a knit between courses. 0 "
          "follows from the warps.", hard="low"),
     real("radius", "Yarn Radius", 0, 0, 0.01, "m", "Half of the yarn's thickness. 0 follows from the "
          "spacing.", hard="low"),
     real("angle", "Angle", 0, -180, 180, "degrees", "Turns the warps against the direction of u: 45 is "
          "cut on the bias."),
     Folder("Fabric Material",
            choice("material", "Material", "cotton", FIBRES, "Fibre of the yarns."),
            real("tex", "Count", 0, 0, 2000, "tex", "Mass of 1 km of one ply in g. 0 follows from the "
                 "radius.", hard="low"),
            whole("ply", "Plies", 1, 1, 8, "Plies of a yarn.", unit="count"),
            toggle("sliding", "Yarns Slide", True, "Yarns slide over each other where friction gives way. "
                   "Paint the point attribute nosliding to hold them in places."),
            toggle("selfcollision", "Self Collision", True, "Keeps folds from going through each other.")),
     Folder("Laying",
            choice("rest", "Lay In", "auto", [("auto", "Automatic"), ("uv", "UV"), ("rest", "Attribute rest"),
                                              ("input", "Input")],
                   "The plane in which the yarns are laid. Automatic takes uv, else a flat rest or input."),
            real("uvscale", "UV Scale", 1, 0, 10, "m", "Metres in a unit of uv. 0 makes the area that of "
                 "the polygons.", hard="low"),
            toggle("seams", "Sew Seams", True, "Sews yarns together where pieces meet; else they end free."),
            toggle("bind", "Bind Borders", True, "Border stitches of a knit do not slide."),
            whole("points", "Points", 4, 1, 16, "Points of a yarn's curve from one crossing to the next.",
                  unit="count"),
            real("twist", "Twist", 0, -1000, 1000, "1/m", "Turns of the yarn in a metre, carried in orient."),
            real("settle", "Settle", 0, 0, 1, "s", "Rest that is found before the first frame moves.",
                 hard="low"))],
    body="Paint the point attribute yarn (0 to 1) on the polygons to have yarns only there: the solver's mode "
         "Mixed keeps triangles elsewhere. Millions of crossings are laid in seconds and solved without contact detection: crossings stay "
         "crossings, yarns slide through them. Use [Node:sop/purl--pattern-1.0] for loops that may come "
         "apart.",
    attributes=[("fabric", "detail", "The description that the solver reads."),
                ("family, thread, piece", "primitive", "Of yarns: warp, weft, course or seam; which; where."),
                ("slide", "point", "Of yarns: m along the yarn, as it slides."), ("pscale", "point", "Radius.")],
    picture="fabric.png", source="SOP_Purl_Fabric.C", examples=["woven_patch"], min_inputs=1,
    related=["purl--solver-1.0", "purl--pattern-1.0"])
