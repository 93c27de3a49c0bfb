// The solver's node: which frames are to be cooked, whether the run is still that of its
// parameters, and what middle-click shows. The verb (SOP_Purl_Solver.C) solves.
#include "plugin/SOP_Purl_Solver.h"
#include "plugin/named_parms.h"
#include "plugin/solver_parms.h"
#include "purl/host/animated.h"

#include <CH/CH_Manager.h>
#include <UT/UT_InfoTree.h>

#include <cmath>

namespace purl::houdini {

int64 SolverCache::getMemoryUsage(bool inclusive) const {
    int64 n = inclusive ? static_cast<int64>(sizeof(*this)) : 0;
    if (start.isValid()) n += start.gdp()->getMemoryUsage(true);
    return n + static_cast<int64>(session->bytes());
}

OP_Node* SOP_Purl_Solver::make(OP_Network* network, const char* name, OP_Operator* op) {
    return new SOP_Purl_Solver(network, name, op);
}

const SOP_NodeVerb* SOP_Purl_Solver::cookVerb() const { return solverVerb(); }

// One frame by the verb, its inputs at its own time. False if it could not be reached.
bool SOP_Purl_Solver::cookFrame(int frame, OP_Context& context) {
    OP_Context then(context);
    then.setTime(CHgetManager()->getTime(frame));
    const OP_ERROR result = cookMyselfAsVerb(then);
    const std::shared_ptr<Session> session = session_.lock();
    return result < UT_ERROR_ABORT && session && session->running() && session->last() >= frame;
}

SessionSettings SOP_Purl_Solver::physicsAt(int frame) const {
    const NodeOptions options(*this, CHgetManager()->getTime(frame));
    return physicsOf(NamedParms<NodeOptions>(options), CHgetManager()->getSamplesPerSec());
}

// What the run's start depends on in this node alone.
std::uint64_t SOP_Purl_Solver::startKey(int start) const {
    SessionSettings s = physicsAt(start);
    s.startFrame = start;
    Hash h;
    h.add(digestOf(s));
    h.add(static_cast<std::int64_t>(evalInt("resetcount", 0, CHgetManager()->getTime(start))));
    return h.value();
}

// Whether a parameter has other keys than when the kept frames were solved: at any of them, not
// only at the one that is shown.
bool SOP_Purl_Solver::otherKeys(const Session& session) const {
    bool keyed = false;
    for (const char* name : animatedParms()) keyed = keyed || isParmTimeDependent(name);
    std::uint64_t now = animatedDigest(physicsAt(session.startFrame()).wanted);
    for (const auto& [frame, data] : session.frames()) {
        if (frame == session.startFrame()) continue; // startKey() is about it
        if (keyed) now = animatedDigest(physicsAt(frame).wanted);
        if (data.settings != now) return true;
    }
    return false;
}

OP_ERROR SOP_Purl_Solver::cookMySop(OP_Context& context) {
    flags().setTimeDep(true);
    const fpreal now = context.getTime();
    if (!(CHgetManager()->getSamplesPerSec() > 0)) return cookMyselfAsVerb(context); // it says so
    const double at = context.getFloatFrame();
    const int start = static_cast<int>(evalInt("startframe", 0, now));
    const int frame = static_cast<int>(std::floor(at + 1e-4));
    const bool between = at - frame > 1e-4;            // two frames: both are needed
    const int whole = between ? frame + 1 : frame - 1; // solved before this cook's own
    if (frame < start || (frame == start && !between)) return cookMyselfAsVerb(context);
    for (int attempt = 0; attempt < 2; ++attempt) {
        std::shared_ptr<Session> session = session_.lock();
        const std::uint64_t key = startKey(start);
        const bool fits = session && session->running() && key == startKey_;
        if (fits && otherKeys(*session)) {
            session->forget();
            static_cast<void>(cookFrame(start, context));
            if (session->running()) session->warnings.emplace_back(kBeganAnew);
        } else if (!fits || evalInt("watchinput", 0, now) != 0) {
            if (!cookFrame(start, context)) break;
        }
        startKey_ = key;
        session = session_.lock();
        if (!session) break;
        try {
            for (int next = session->seek(between ? whole : frame); next <= whole; ++next)
                if (!cookFrame(next, context)) break; // Esc, or it diverged
        } catch (const std::exception& e) {           // it could not be built again
            session->clear();
            session->warnings.emplace_back(e.what());
        }
        const OP_ERROR result = cookMyselfAsVerb(context);
        // A frame whose input changed cleared the run: once more, from the start.
        if (session->running()) return result;
    }
    return cookMyselfAsVerb(context);
}

void SOP_Purl_Solver::fillInfoTreeNodeSpecific(UT_InfoTree& tree,
                                               const OP_NodeInfoTreeParms& parms) {
    SOP_Node::fillInfoTreeNodeSpecific(tree, parms);
    const std::shared_ptr<Session> session = session_.lock();
    if (!session || !session->running()) return;
    UT_InfoTree* info = tree.addChildMap("Purl");
    const int frame = static_cast<int>(std::floor(CHgetManager()->getSample(parms.getTime())));
    const FrameData* data = session->at(frame);
    if (!data) data = session->at(session->last());
    if (!data) return;
    const FrameFigures& f = data->figures;
    info->addProperties("Yarns", static_cast<int64>(f.yarns));
    info->addProperties("Points", static_cast<int64>(f.points));
    info->addProperties("Contacts", static_cast<int64>(f.contacts));
    info->addProperties("Contact updates", static_cast<int64>(f.updates));
    info->addProperties("On colliders", static_cast<int64>(f.collisions));
    info->addProperties("Iterations", static_cast<int64>(f.iterations));
    info->addProperties("Residual", f.residual);
    info->addProperties("Smallest gap", f.smallestGap);
    info->addProperties("Steps", static_cast<int64>(f.steps));
    info->addProperties("Seconds", f.seconds);
    info->addProperties("Solved up to frame", static_cast<int64>(session->last()));
    info->addProperties("Memory (MB)", static_cast<double>(session->bytes()) / (1024 * 1024));
}

} // namespace purl::houdini
