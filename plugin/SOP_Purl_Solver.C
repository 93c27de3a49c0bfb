#include "plugin/SOP_Purl_Solver.h"

#include "plugin/collider_input.h"
#include "plugin/geometry.h"
#include "plugin/nodes.h"
#include "plugin/solver_parms.h"
#include "plugin/verb_sop.h"
#include "purl/host/animated.h"

#include "SOP_Purl_Solver.proto.h"

#include <CH/CH_Manager.h>
#include <PRM/PRM_Include.h>

#include <cmath>

namespace purl::houdini {

namespace {

constexpr const char* theDsFile = R"THEDSFILE(
{
    name    parameters
    parm {
        name    "resimulate"
        label   "Reset Simulation"
        type    button
        help    "Forgets all frames and begins anew."
        parmtag { "script_callback" "kwargs['node'].parm('resetcount').set(kwargs['node'].parm('resetcount').eval() + 1)" }
        parmtag { "script_callback_language" "python" }
    }
    parm {
        name    "startframe"
        label   "Start Frame"
        type    integer
        default { "1" }
        range   { 1 240 }
        help    "Frame of the input as it is. Before it the input passes through. (frame)"
    }
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
            default { "0" "-9.80665" "0" }
            help    "Acceleration of everything. In a DOP network it is added to the network's forces: leave it at 0 there when a Gravity Force is in it. (m/s2)"
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
            default { "0.008" }
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
    group {
        name  "folder_cache"
        label "Cache"
        parm {
            name    "cacheenabled"
            label   "Limit Cache"
            type    toggle
            default { "0" }
            help    "Bounds the memory of kept frames; the oldest go first. A frame that is gone is solved again from a checkpoint or the start."
        }
        parm {
            name    "cachemaxsize"
            label   "Cache Memory"
            type    float
            default { "5000" }
            range   { 10! 100000 }
            disablewhen "{ cacheenabled == 0 }"
            help    "Memory for kept frames. (MB)"
        }
        parm {
            name    "watchinput"
            label   "Watch Upstream"
            type    toggle
            default { "1" }
            help    "Looks at the input of the start frame in every cook and begins anew when it changed. Switch it off if the input is slow to cook and animated; then use Reset Simulation."
        }
        parm {
            name    "savecheckpoints"
            label   "Save Checkpoints"
            type    toggle
            default { "0" }
            help    "Writes the whole state to disk from time to time; a new session goes on from the newest one that fits, to the same bits."
        }
        parm {
            name    "checkpoint_basedir"
            label   "Base Folder"
            type    directory
            default { "$HIP/checkpoints" }
            disablewhen "{ savecheckpoints == 0 }"
            help    "Folder of the checkpoints."
        }
        parm {
            name    "checkpoint_basename"
            label   "Base Name"
            type    string
            default { "$OS" }
            disablewhen "{ savecheckpoints == 0 }"
            help    "First part of their names; the frame follows."
        }
        parm {
            name    "checkpoint_explicitcachensteps"
            label   "Checkpoint Trail Length"
            type    integer
            default { "1" }
            range   { 0! 20 }
            disablewhen "{ savecheckpoints == 0 }"
            help    "Newest checkpoints that are kept; 0 keeps all. (count)"
        }
        parm {
            name    "checkpoint_explicitcachespacing"
            label   "Checkpoint Interval"
            type    integer
            default { "10" }
            range   { 1! 100 }
            disablewhen "{ savecheckpoints == 0 }"
            help    "Frames from one checkpoint to the next. (frames)"
        }
    }
    parm {
        name    "resetcount"
        label   "Reset Count"
        type    integer
        invisible
        default { "0" }
        range   { 0! 1000 }
        help    "Goes up with Reset Simulation. Key it to reset from a script. (count)"
    }
    parm {
        name    "solveframe"
        label   "Solve Frame"
        type    float
        invisible
        default { "$FF" }
        range   { 1 240 }
        help    "The frame that is asked for; it makes the node depend on time. (frame)"
    }
}
)THEDSFILE";

using Parms = SOP_Purl_SolverParms;

SessionSettings settingsOf(const Parms& p) {
    SessionSettings s = physicsOf(p, CHgetManager()->getSamplesPerSec());
    s.startFrame = static_cast<int>(p.getStartframe());
    s.cacheBytes =
        p.getCacheenabled() ? static_cast<std::size_t>(p.getCachemaxsize() * 1024 * 1024) : 0;
    CheckpointSettings& c = s.checkpoint;
    c.save = p.getSavecheckpoints();
    c.folder = p.getCheckpoint_basedir().toStdString();
    c.name = p.getCheckpoint_basename().toStdString();
    c.trail = static_cast<int>(p.getCheckpoint_explicitcachensteps());
    c.interval = static_cast<int>(p.getCheckpoint_explicitcachespacing());
    return s;
}

// A part of the way from one kept frame to the next, for motion blur between frames.
std::vector<Attribute> between(const FrameData& a, const FrameData& b, double t) {
    std::vector<Attribute> out = a.attributes;
    for (Attribute& to : out) {
        if (to.name != "P" && to.name != "v") continue;
        for (const Attribute& from : b.attributes) {
            if (from.name != to.name || from.elements() != to.elements()) continue;
            for (std::size_t i = 0; i < to.elements(); ++i)
                for (int k = 0; k < to.size; ++k)
                    to.set(i, k, (1 - t) * to.real(i, k) + t * from.real(i, k));
        }
    }
    return out;
}

class SolverVerb final : public PurlVerb<SolverVerb, Parms, SolverCache> {
public:
    static constexpr const char* kName = "purl::solver::1.0";
    static constexpr CookMode kMode = COOK_GENERIC;

    static void work(const CookParms& cook) {
        auto& cache = *static_cast<SolverCache*>(cook.cache());
        if (SOP_Node* node = cook.getNode())
            static_cast<SOP_Purl_Solver*>(node)->setSession(cache.session);
        GU_Detail& out = *cook.gdh().gdpNC();
        out.clearAndDestroy();
        const GU_Detail* in = cook.inputGeo(0);
        if (!in) throw Error("input 1", "is empty, expected yarns or cloth");
        if (!(CHgetManager()->getSamplesPerSec() > 0))
            throw Error("frames per second",
                        "are " + std::to_string(CHgetManager()->getSamplesPerSec()) +
                            ", expected more than 0");
        const SessionSettings settings = settingsOf(cook.parms<Parms>());
        const double at = cook.getContext().getFloatFrame();
        const int frame = static_cast<int>(std::floor(at + 1e-4));
        if (frame < settings.startFrame) { // before it starts: the input as it is
            out.replaceWith(*in);
            return;
        }
        const double part = at - frame > 1e-4 ? at - frame : 0; // between two frames
        if (frame == settings.startFrame && part == 0) begin(cook, cache, settings, *in);
        Session& session = *cache.session;
        if (!session.running())
            throw Error("frame " + std::to_string(frame),
                        session.warnings.empty()
                            ? "nothing was started at frame " +
                                  std::to_string(settings.startFrame) +
                                  ", expected the start frame to be cooked first"
                            : session.warnings.back());
        session.setKeeping(settings.cacheBytes, settings.checkpoint);
        // Between frames the inputs are those of no frame: only what is kept is shown.
        if (frame > settings.startFrame && part == 0) goTo(cook, cache, settings, frame);
        if (session.running()) show(cook, cache, out, frame, part);
    }

    // The start frame: a new run, unless everything it depends on is as it was.
    static void begin(const CookParms& cook, SolverCache& cache, const SessionSettings& settings,
                      const GU_Detail& in) {
        std::vector<std::string> warnings;
        Detail geometry = readGeometry(in);
        const ColliderFrames colliders = {readCollider(cook.inputGeo(2), "input 3", warnings)};
        Hash h;
        h.add(digestOf(settings));
        h.add(purl::digestOf(geometry));
        h.add(purl::digestOf(colliders));
        h.add(static_cast<std::int64_t>(cook.parms<Parms>().getResetcount()));
        Session& session = *cache.session;
        if (session.running() && session.digest() == h.value()) return;
        const bool again = session.running() && session.last() > session.startFrame();
        const Index points = geometry.points(), primitives = geometry.primitives();
        session.begin(settings, std::move(geometry), "input 1", colliders, h.value());
        cache.start.allocateAndSet(new GU_Detail);
        // What comes out is the input, unless the mode makes yarns of polygons.
        const Detail& made = session.geometry();
        if (made.points() == points && made.primitives() == primitives)
            cache.start.gdpNC()->replaceWith(in);
        else
            appendGeometry(*cache.start.gdpNC(), made);
        warnings.insert(warnings.end(), session.warnings.begin(), session.warnings.end());
        session.warnings.clear();
        warn(cook, warnings);
        if (again) cache.resetSaid = true;
    }

    static void goTo(const CookParms& cook, SolverCache& cache, const SessionSettings& settings,
                     int frame) {
        Session& session = *cache.session;
        std::vector<std::string> warnings;
        const Detail own = readGeometry(*cook.inputGeo(0));
        const bool painted = session.mode()->painted();
        Detail targets;
        if (cook.hasInput(1)) targets = readGeometry(*cook.inputGeo(1));
        FrameInput input;
        input.targets = cook.hasInput(1) ? &targets : &own;
        if (painted) input.paint = &own;
        input.colliders = {readCollider(cook.inputGeo(2), "input 3", warnings)};
        input.settings = &settings.wanted;
        Hash h;
        h.add(session.digest());
        h.add(purl::digestOf(input.colliders));
        h.add(purl::digestOf(*input.targets));
        if (painted && cook.hasInput(1)) h.add(purl::digestOf(own));
        h.add(animatedDigest(settings.wanted));
        input.digest = h.value();
        const FrameData* kept = session.at(frame);
        if ((kept && kept->input != input.digest && kept->input != 0) ||
            (frame == session.last() + 1 && session.strands(input.digest))) {
            // What was animated is animated in another way now: all frames are of the past. The
            // node begins again from the start; in a compiled block there is no node.
            session.forget();
            cache.resetSaid = true;
            if (!cook.getNode())
                throw Error("frame " + std::to_string(frame),
                            "an animated input, parameter or collider changed, expected what it "
                            "was solved with: cook from the start frame again");
            return;
        }
        if (session.primes(frame)) session.prime(frame, input);
        if (frame <= session.last()) return; // kept, or before a checkpoint
        if (session.last() + 1 != frame) {
            cook.sopAddWarning(
                SOP_MESSAGE,
                ("frame " + std::to_string(frame) + " follows frame " +
                 std::to_string(session.last()) +
                 " of the solver; cook the frames in order (in a compiled block they must be)")
                    .c_str());
            return;
        }
        InterruptMonitor monitor("Purl Solver");
        const FrameFigures f = session.advance(frame, input, monitor);
        warnings.insert(warnings.end(), f.warnings.begin(), f.warnings.end());
        warn(cook, warnings);
        if (f.outcome == FrameFigures::Outcome::Interrupted)
            cook.sopAddWarning(SOP_MESSAGE, ("interrupted in frame " + std::to_string(frame) +
                                             "; this is frame " + std::to_string(session.last()))
                                                .c_str());
        if (f.outcome == FrameFigures::Outcome::Diverged)
            cook.sopAddError(SOP_MESSAGE, ("frame " + std::to_string(frame) + " diverged: " +
                                           f.reason + "; more substeps may help; this is frame " +
                                           std::to_string(session.last()))
                                              .c_str());
    }

    static void show(const CookParms& cook, SolverCache& cache, GU_Detail& out, int frame,
                     double part) {
        const Session& session = *cache.session;
        out.replaceWith(*cache.start.gdp());
        const FrameData* now = session.at(frame);
        if (!now) now = session.at(session.last()); // the last good one
        if (!now) return;
        const FrameData* next = session.at(frame + 1);
        if (part > 0 && next && session.at(frame))
            writePointAttributes(out, between(*now, *next, part));
        else
            writePointAttributes(out, now->attributes);
        for (const std::string& told : cache.session->warnings) // of checkpoints
            cook.sopAddMessage(SOP_MESSAGE, told.c_str());
        cache.session->warnings.clear();
        if (cache.resetSaid) {
            cook.sopAddMessage(SOP_MESSAGE, kBeganAnew);
            cache.resetSaid = false;
        }
    }
};

} // namespace

const SOP_NodeVerb* solverVerb() { return SolverVerb::theVerb.get(); }

const char* solverDialog() { return theDsFile; }

OP_Operator* solverOperator() {
    static PRM_TemplateBuilder templates("SOP_Purl_Solver.C"_sh, theDsFile);
    static const char* labels[] = {"Yarns or Cloth", "Targets (optional)", "Colliders (optional)",
                                   nullptr};
    return operatorOf<SolverVerb>("Purl Solver", templates.templates(), labels, 1,
                                  SOP_Purl_Solver::make);
}

} // namespace purl::houdini
