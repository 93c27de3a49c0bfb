#include "plugin/SIM_PurlState.h"

#include "plugin/cook.h"
#include "plugin/dop_input.h"
#include "plugin/geometry.h"
#include "plugin/named_parms.h"
#include "plugin/solver_parms.h"
#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <algorithm>
#include <cstring>
#include <exception>

using namespace purl;
using namespace purl::houdini;

namespace {

constexpr char kMagic[8] = {'P', 'u', 'r', 'l', 'D', 'O', 'P', '2'};
constexpr const char* kName = "object";

void writeBlock(std::ostream& os, const void* data, std::size_t size) {
    const std::uint64_t n = size;
    os.write(reinterpret_cast<const char*>(&n), sizeof n);
    os.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
}

template <class Bytes>
bool readBlock(UT_IStream& is, Bytes& out) {
    std::uint64_t n = 0;
    if (is.bread(reinterpret_cast<char*>(&n), sizeof n) != exint(sizeof n)) return false;
    if (n > (std::uint64_t(1) << 40)) return false;
    out.resize(n);
    return is.bread(reinterpret_cast<char*>(out.data()), exint(n)) == exint(n);
}

} // namespace

SIM_PurlState::SIM_PurlState(const SIM_DataFactory* factory) : SIM_Data(factory) {}

const SIM_DopDescription* SIM_PurlState::getDopDescription() {
    static SIM_DopDescription description(false, "purl_state", "Purl State", "PurlState",
                                          classname(), nullptr);
    return &description;
}

void SIM_PurlState::initializeSubclass() {
    SIM_Data::initializeSubclass();
    session_.reset();
    start_.reset();
    state_.reset();
    seen_ = {};
    step_ = 0;
}

void SIM_PurlState::makeEqualSubclass(const SIM_Data* source) {
    SIM_Data::makeEqualSubclass(source);
    const auto* from = static_cast<const SIM_PurlState*>(source);
    session_ = from->session_;
    start_ = from->start_;
    state_ = from->state_;
    seen_ = from->seen_;
    step_ = from->step_;
}

void SIM_PurlState::saveSubclass(std::ostream& os) const {
    SIM_Data::saveSubclass(os);
    os.write(kMagic, sizeof kMagic);
    const std::int64_t step = step_;
    os.write(reinterpret_cast<const char*>(&step), sizeof step);
    std::vector<std::uint8_t> geometry;
    if (start_) geometry = writeDetailBytes("start.bgeo", *start_);
    writeBlock(os, geometry.data(), geometry.size());
    writeBlock(os, state_ ? state_->data() : nullptr, state_ ? state_->size() : 0);
    for (const auto& colliders : seen_) {
        std::vector<double> poses;
        for (std::size_t i = 0; colliders && i < colliders->size(); ++i) {
            const Pose& p = (*colliders)[i].pose;
            poses.insert(poses.end(),
                         {p.rotation.x(), p.rotation.y(), p.rotation.z(), p.rotation.w(),
                          p.translation.x(), p.translation.y(), p.translation.z()});
        }
        writeBlock(os, poses.data(), poses.size() * sizeof(double));
    }
}

bool SIM_PurlState::loadSubclass(UT_IStream& is) {
    if (!SIM_Data::loadSubclass(is)) return false;
    initializeSubclass();
    char magic[sizeof kMagic];
    std::int64_t step = 0;
    if (is.bread(magic, sizeof magic) != exint(sizeof magic) ||
        std::memcmp(magic, kMagic, sizeof magic) != 0 ||
        is.bread(reinterpret_cast<char*>(&step), sizeof step) != exint(sizeof step))
        return false;
    std::vector<std::uint8_t> geometry;
    std::vector<char> state;
    if (!readBlock(is, geometry) || !readBlock(is, state)) return false;
    for (auto& colliders : seen_) {
        std::vector<char> bytes;
        if (!readBlock(is, bytes) || bytes.size() % (7 * sizeof(double)) != 0) return false;
        std::vector<double> p(bytes.size() / sizeof(double));
        std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(p.data()));
        ColliderFrames frames(p.size() / 7);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const double* a = p.data() + 7 * i;
            frames[i].pose.rotation = Eigen::Quaterniond(a[3], a[0], a[1], a[2]);
            frames[i].pose.translation = Vec3(a[4], a[5], a[6]);
        }
        colliders = std::make_shared<const ColliderFrames>(std::move(frames));
    }
    if (geometry.empty()) return true; // saved before it began
    try {
        std::vector<std::string> warnings;
        start_ = std::make_shared<const Detail>(readDetailBytes(geometry, "start.bgeo", warnings));
    } catch (const std::exception&) {
        return false;
    }
    state_ = std::make_shared<const std::vector<char>>(std::move(state));
    step_ = static_cast<int>(step);
    return true;
}

int64 SIM_PurlState::getMemorySizeSubclass() const {
    // The running solver is shared by all copies; each has its own bytes.
    return SIM_Data::getMemorySizeSubclass() + (state_ ? static_cast<int64>(state_->size()) : 0);
}

void SIM_PurlState::begin(const SessionSettings& settings, const ColliderFrames& colliders) {
    Hash h; // settings that may change on the way are those of each step
    h.add(fixedDigest(settings));
    h.add(purl::digestOf(*start_));
    session_ = std::make_shared<Session>();
    session_->begin(settings, *start_, kName, colliders, h.value());
}

// A solver at this state: the shared one if it is there, else one made again, with the colliders
// where they were. From a file only their poses are known: a shape that deforms is taken for the
// present one.
void SIM_PurlState::catchUp(const SessionSettings& settings, const ColliderFrames& colliders) {
    if (session_ && session_->running() && session_->last() == step_) return;
    std::array<FrameInput, 2> then; // a step back, and at this state
    for (std::size_t k = 0; k < then.size(); ++k) {
        then[k].colliders = colliders;
        for (std::size_t i = 0; seen_[k] && i < std::min(seen_[k]->size(), colliders.size()); ++i) {
            const ColliderFrame& was = (*seen_[k])[i];
            if (was.there()) then[k].colliders[i] = was;
            then[k].colliders[i].pose = was.pose;
        }
    }
    begin(settings, then[0].colliders);
    if (!state_ || step_ == 0) return;
    session_->loadState(*state_, kName);
    session_->prime(step_, then[1]);
}

// The start: the object's geometry is the input, and where a mode makes yarns of polygons it is
// those from here on.
void SIM_PurlState::start(GU_Detail& gdp, const SessionSettings& settings,
                          const ColliderFrames& colliders, std::vector<std::string>& warnings) {
    start_ = std::make_shared<const Detail>(readGeometry(gdp));
    step_ = 0;
    seen_[0] = seen_[1] = std::make_shared<const ColliderFrames>(colliders);
    begin(settings, colliders);
    warnings.insert(warnings.end(), session_->warnings.begin(), session_->warnings.end());
    const Detail& made = session_->geometry();
    if (made.points() == start_->points() && made.primitives() == start_->primitives()) return;
    gdp.clearAndDestroy();
    appendGeometry(gdp, made);
}

void SIM_PurlState::advance(const SIM_Object& object, const GU_Detail& gdp,
                            const SessionSettings& settings, ColliderFrames colliders,
                            std::vector<std::string>& warnings) {
    catchUp(settings, colliders);
    if (gdp.getNumPoints() != session_->geometry().points())
        throw Error(kName, "has " + std::to_string(gdp.getNumPoints()) + " points, expected " +
                               std::to_string(session_->geometry().points()) + " as when it began");
    FrameInput input;
    seen_ = {seen_[1], std::make_shared<const ColliderFrames>(colliders)};
    input.colliders = std::move(colliders);
    input.settings = &settings.wanted;
    input.forces = forcesOn(object, session_->forceSites());
    input.digest = 1; // nobody asks for a step twice
    InterruptMonitor monitor("Purl Solver");
    // What goes wrong leaves a solver in the middle of a step: the next one is made from the state.
    const std::shared_ptr<Session> session = std::move(session_);
    const FrameFigures f = session->advance(step_ + 1, input, monitor);
    if (f.outcome == FrameFigures::Outcome::Diverged) throw Error(kName, "diverged: " + f.reason);
    session_ = session;
    if (f.outcome == FrameFigures::Outcome::Interrupted) throw Error(kName, "was interrupted");
    warnings.insert(warnings.end(), f.warnings.begin(), f.warnings.end());
    ++step_;
}

bool SIM_PurlState::solve(SIM_Object& object, const SIM_Options& parameters, double seconds,
                          bool isNew, std::string& problem) {
    try {
        SessionSettings settings =
            physicsOf(NamedParms<SIM_Options>(parameters), seconds > 0 ? 1 / seconds : 0);
        auto* copy = dynamic_cast<SIM_GeometryCopy*>(object.getNamedSubData(SIM_GEOMETRY_DATANAME));
        if (!copy)
            throw Error(kName, "has no Geometry that can be changed, expected a SIM_GeometryCopy "
                               "(as a SOP Geometry DOP makes)");
        std::vector<std::string> warnings;
        ColliderFrames colliders = collidersOf(object, warnings);
        settings.startFrame = 0;
        settings.cacheBytes = 1; // the DOP network has its own cache
        SIM_GeometryAutoWriteLock lock(copy);
        GU_Detail& gdp = lock.getGdp();
        if (isNew || !start_)
            start(gdp, settings, colliders, warnings);
        else
            advance(object, gdp, settings, std::move(colliders), warnings);
        state_ = std::make_shared<const std::vector<char>>(session_->saveState());
        if (const FrameData* data = session_->at(step_))
            writePointAttributes(gdp, data->attributes);
        for (const std::string& w : warnings) problem += (problem.empty() ? "" : "; ") + w;
        return true;
    } catch (const std::exception& e) {
        problem = e.what();
        return false;
    }
}
