#include "plugin/SIM_PurlSolver.h"

#include "plugin/SIM_PurlState.h"
#include "plugin/dop_input.h"

#include <PRM/PRM_Include.h>
#include <PRM/PRM_TemplateBuilder.h>

namespace {

constexpr const char* theDsFile = R"THEDSFILE(
{
    name    parameters
    parm {
        name    "mode"
        label   "Mode"
        type    string
        default { "auto" }
        menu {
            "auto" "Automatic"
            "yarn" "Yarn (ACL)"
            "fabric" "Fabric (Crossings)"
            "mixed" "Mixed (Painted Yarns)"
            "cloth" "Cloth"
        }
        help    "How the input is solved. Automatic takes polygons of Purl Fabric for fabric (mixed, if they carry the point attribute yarn), other polygons without a yarn radius for cloth, and everything else for yarn."
    }
    parm {
        name    "timescale"
        label   "Time Scale"
        type    float
        default { "1" }
        range   { 0.1! 4 }
        help    "2 makes everything happen twice as fast. (factor)"
    }
    parm {
        name    "substeps"
        label   "Substeps"
        type    integer
        default { "0" }
        range   { 0! 400 }
        help    "Steps a frame. 0 chooses them from the stiffest yarn, and 1/96 s for cloth. (count)"
    }
    group {
        name  "folder_forces"
        label "Forces"
        parm {
            name    "gravity"
            label   "Gravity"
            type    vector
            size    3
            default { "0" "0" "0" }
            help    "Added to the forces of the network; leave it at 0 when a Gravity Force is there. (m/s2)"
        }
        parm {
            name    "wind"
            label   "Wind"
            type    vector
            size    3
            default { "0" "0" "0" }
            help    "Velocity of the air. (m/s)"
        }
        parm {
            name    "airdensity"
            label   "Air Density"
            type    float
            default { "1.2" }
            range   { 0! 10 }
            help    "Of the air that drags on yarn and cloth. 0 is a vacuum. (kg/m3)"
        }
        parm {
            name    "veldamping"
            label   "Velocity Damping"
            type    float
            default { "0" }
            range   { 0! 10 }
            help    "Slows all motion down. (1/s)"
        }
        parm {
            name    "usedamping"
            label   "Damp Inside"
            type    toggle
            default { "1" }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed }"
            help    "Damps motion of a loop against its neighbours, not the fall and swing of the whole."
        }
        parm {
            name    "dampingrate"
            label   "Damping Rate"
            type    float
            default { "1500" }
            range   { 0! 5000 }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed } { usedamping == 0 }"
            help    "How fast motion inside the fabric dies down, in proportion to its speed. (1/s)"
        }
        parm {
            name    "dampingconstant"
            label   "Damping Floor"
            type    float
            default { "5" }
            range   { 0! 50 }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed } { usedamping == 0 }"
            help    "The same at a constant rate: brings what creeps to rest. (m/s2)"
        }
    }
    group {
        name  "folder_yarnsteps"
        label "Yarn Steps"
        parm {
            name    "stepping"
            label   "Stepping"
            type    string
            default { "explicit" }
            menu {
                "explicit" "Explicit (Reference)"
                "implicit" "Implicit (Large Steps)"
            }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed }"
            help    "Small steps by the published method, or large ones with everything stiff in one linear solve: several times faster, a little calmer."
        }
        parm {
            name    "liveliness"
            label   "Liveliness"
            type    float
            default { "1" }
            range   { 0! 1! }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed } { stepping != implicit }"
            help    "Of implicit steps: 0 is calm and loses energy, 1 keeps it. (share)"
        }
        parm {
            name    "maxstep"
            label   "Longest Step"
            type    float
            default { "0.002" }
            range   { 0.0002! 0.01 }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed } { stepping != implicit }"
            help    "Of implicit steps when Substeps is 0. (s)"
        }
        parm {
            name    "guard"
            label   "No Pass-Through"
            type    toggle
            default { "1" }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed }"
            help    "Tests every step for yarn through yarn, takes a bad one back and tries shorter ones. A frame that cannot be saved is an error, never a bad frame."
        }
        parm {
            name    "stiffen"
            label   "Stiffen Below"
            type    float
            default { "0" }
            range   { 0! 1! }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed }"
            help    "Below this part of the sum of the radii contact grows stiffer, so that hard pulls hold. 0 is the published law. (share)"
        }
    }
    group {
        name  "folder_contact"
        label "Contact"
        parm {
            name    "contact"
            label   "Contact"
            type    string
            default { "acl" }
            menu {
                "acl" "Adaptive (ACL)"
                "exact" "Exact"
                "none" "None"
            }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed }"
            help    "How yarns touch: by linear models made anew where the fabric deforms, by all pairs in every step (the reference, slower), or not at all."
        }
        parm {
            name    "accuracy"
            label   "Contact Accuracy"
            type    float
            default { "0.04" }
            range   { 0! 0.2 }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed } { contact != acl }"
            help    "How far a contact model may be off before it is made anew. 0.04 keeps forces to 1 % (3 % in a landing); 0 is always anew. (share)"
        }
        parm {
            name    "yarnfriction"
            label   "Yarn Friction"
            type    float
            default { "0.3" }
            range   { 0! 1 }
            disablewhen "{ mode == cloth } { mode == fabric } { mode == mixed } { contact != acl }"
            help    "Between yarns. (coefficient)"
        }
        parm {
            name    "doselfcollisions"
            label   "Self Collision"
            type    toggle
            default { "1" }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed }"
            help    "Keeps cloth from going through itself."
        }
        parm {
            name    "selfthickness"
            label   "Self Thickness"
            type    float
            default { "0" }
            range   { 0! 0.01 }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed } { doselfcollisions == 0 }"
            help    "Distance that cloth keeps from itself. 0 takes its own thickness, but at least 1 mm. (m)"
        }
        parm {
            name    "selffriction"
            label   "Self Friction"
            type    float
            default { "0.2" }
            range   { 0! 1 }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed } { doselfcollisions == 0 }"
            help    "Of cloth on itself. (coefficient)"
        }
    }
    group {
        name  "folder_collision"
        label "Collision"
        parm {
            name    "useground"
            label   "Ground Plane"
            type    toggle
            default { "0" }
            help    "A floor that has no end."
        }
        parm {
            name    "groundheight"
            label   "Ground Height"
            type    float
            default { "0" }
            range   { -10 10 }
            disablewhen "{ useground == 0 }"
            help    "Height of the floor. (m)"
        }
        parm {
            name    "friction"
            label   "Friction"
            type    float
            default { "0.3" }
            range   { 0! 1 }
            help    "Between yarn or cloth and colliders. (coefficient)"
        }
        parm {
            name    "thickness"
            label   "Thickness"
            type    float
            default { "0" }
            range   { 0! 0.01 }
            help    "Kept free around colliders in addition to the yarn's radius or the cloth's half thickness. (m)"
        }
        parm {
            name    "maxpushout"
            label   "Fastest Push Out"
            type    float
            default { "2" }
            range   { 0! 20 }
            help    "Of points found inside a collider. (m/s)"
        }
        parm {
            name    "collidervoxel"
            label   "Voxel Size"
            type    float
            default { "0" }
            range   { 0! 0.05 }
            help    "Of polygon colliders. 0 takes about the yarn radius. (m)"
        }
        parm {
            name    "surfacename"
            label   "Surface VDB"
            type    string
            default { "" }
            help    "Name of the collider's level set. Empty takes surface, or the only one there is."
        }
        parm {
            name    "velocityname"
            label   "Velocity VDB"
            type    string
            default { "" }
            help    "Name of its velocity grid in m/s. Empty takes v or vel if there is one."
        }
    }
    group {
        name  "folder_clothmodel"
        label "Cloth Model"
        parm {
            name    "inplane"
            label   "Stretch Model"
            type    string
            default { "stvk" }
            menu {
                "stvk" "St. Venant-Kirchhoff"
                "baraff_witkin" "Baraff-Witkin"
                "corotated" "Corotated"
                "springs" "Springs"
            }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed }"
            help    "How cloth resists stretch and shear."
        }
        parm {
            name    "bending"
            label   "Bending Model"
            type    string
            default { "discrete_shells" }
            menu {
                "discrete_shells" "Discrete Shells"
                "baraff_witkin" "Baraff-Witkin"
                "bridson" "Bridson"
                "quadratic" "Quadratic"
                "linear" "Linear"
                "loop" "Loop Subdivision"
                "springs" "Springs"
                "choi_ko" "Choi-Ko"
            }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed }"
            help    "How cloth resists bending."
        }
        parm {
            name    "integrator"
            label   "Integrator"
            type    string
            default { "linear_implicit" }
            menu {
                "linear_implicit" "Linear Implicit"
                "backward_euler" "Backward Euler"
                "bdf2" "BDF2"
                "crank_nicolson" "Crank-Nicolson"
                "newmark" "Newmark"
                "adams_moulton2" "Adams-Moulton 2"
                "symplectic_euler" "Symplectic Euler"
                "leapfrog" "Leapfrog"
                "midpoint" "Midpoint"
                "rk4" "Runge-Kutta 4"
                "adams_bashforth2" "Adams-Bashforth 2"
            }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed }"
            help    "How cloth moves through time. Implicit ones take large steps."
        }
        parm {
            name    "rest"
            label   "Rest Shape"
            type    string
            default { "auto" }
            menu {
                "auto" "Automatic"
                "rest" "Attribute rest"
                "uv" "UV"
                "input" "Input"
            }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed }"
            help    "Where cloth takes its rest shape from. Automatic takes rest, else uv, else the input."
        }
        parm {
            name    "uvscale"
            label   "UV Scale"
            type    float
            default { "1" }
            range   { 0! 10 }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed }"
            help    "Metres in a unit of uv. 0 makes the area that of the polygons. (m)"
        }
        parm {
            name    "drape"
            label   "Drape"
            type    toggle
            default { "0" }
            disablewhen "{ mode == yarn } { mode == fabric } { mode == mixed }"
            help    "Every frame is where the cloth comes to rest, not how it gets there."
        }
    }
}
)THEDSFILE";

} // namespace

PRM_Template* purl::houdini::dopTemplates() {
    static PRM_TemplateBuilder templates("SIM_PurlSolver.C"_sh, theDsFile);
    return templates.templates();
}

SIM_PurlSolver::SIM_PurlSolver(const SIM_DataFactory* factory)
    : SIM_SingleSolver(factory), SIM_OptionsUser(this) {}

const SIM_DopDescription* SIM_PurlSolver::getDopDescription() {
    static SIM_DopDescription description(true, "purl_solver", "Purl Solver", SIM_SOLVER_DATANAME,
                                          classname(), purl::houdini::dopTemplates());
    return &description;
}

SIM_Solver::SIM_Result SIM_PurlSolver::solveSingleObjectSubclass(SIM_Engine&, SIM_Object& object,
                                                                 SIM_ObjectArray&,
                                                                 const SIM_Time& timestep,
                                                                 bool newobject) {
    auto* state = SIM_DATA_CREATE(object, "PurlState", SIM_PurlState,
                                  SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
    std::string problem;
    const bool good = state && state->solve(object, getOptions(), timestep, newobject, problem);
    if (!problem.empty())
        addError(nullptr, SIM_MESSAGE, problem.c_str(), good ? UT_ERROR_WARNING : UT_ERROR_ABORT);
    return good ? SIM_SOLVER_SUCCESS : SIM_SOLVER_FAIL;
}
