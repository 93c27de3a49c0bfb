#include "plugin/SIM_PurlState.h"

#include "plugin/dop_input.h"
#include "plugin/geometry.h"
#include "plugin/solver_parms.h"
#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <UT/UT_Interrupt.h>

#include <cstring>
#include <exception>

using namespace purl;
using namespace purl::houdini;

namespace {

constexpr char kMagic[8] = {'P', 'u', 'r', 'l', 'D', 'O', 'P', '1'};
constexpr const char* kName = "object";

class DopMonitor final : public Monitor {
public:
    bool interrupted() override { return boss_.wasInterrupted(); }

private:
    UT_AutoInterrupt boss_{"Purl Solver"};
};

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
    step_ = 0;
}

void SIM_PurlState::makeEqualSubclass(const SIM_Data* source) {
    SIM_Data::makeEqualSubclass(source);
    const auto* from = static_cast<const SIM_PurlState*>(source);
    session_ = from->session_;
    start_ = from->start_;
    state_ = from->state_;
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

void SIM_PurlState::begin(const SessionSettings& settings, const ColliderFrame& collider) {
    Hash h;
    h.add(purl::houdini::digestOf(settings));
    h.add(purl::digestOf(*start_));
    session_ = std::make_shared<Session>();
    session_->begin(settings, *start_, kName, collider, h.value());
    if (session_->geometry().points() != start_->points())
        throw Error(kName, "is a fabric, whose yarns are other geometry than its polygons; expected "
                           "yarns or cloth: use the SOP solver");
}

// A solver at this state: the shared one if it is there, else one made again.
void SIM_PurlState::catchUp(const SessionSettings& settings, const ColliderFrame& collider) {
    if (session_ && session_->running() && session_->last() == step_) return;
    begin(settings, collider);
    if (state_ && step_ > 0) session_->loadState(*state_, kName);
}

bool SIM_PurlState::solve(SIM_Object& object, const SIM_Options& parameters, double seconds,
                          bool isNew, std::string& problem) {
    try {
        SessionSettings settings =
            physicsOf(DopParms<SIM_Options>(parameters), seconds > 0 ? 1 / seconds : 0);
        auto* copy = dynamic_cast<SIM_GeometryCopy*>(object.getNamedSubData(SIM_GEOMETRY_DATANAME));
        if (!copy)
            throw Error(kName, "has no Geometry that can be changed, expected a SIM_GeometryCopy "
                               "(as a SOP Geometry DOP makes)");
        std::vector<std::string> warnings;
        const ColliderFrame collider = collidersOf(object, warnings);
        settings.startFrame = 0;
        settings.cacheBytes = 1; // the DOP network has its own cache
        SIM_GeometryAutoWriteLock lock(copy);
        GU_Detail& gdp = lock.getGdp();
        if (isNew || !start_) {
            start_ = std::make_shared<const Detail>(readGeometry(gdp));
            step_ = 0;
            begin(settings, collider);
        } else {
            catchUp(settings, collider);
            const Detail now = readGeometry(gdp);
            if (now.points() != start_->points())
                throw Error(kName, "has " + std::to_string(now.points()) + " points, expected " +
                                       std::to_string(start_->points()) + " as when it began");
            const Attribute* v = now.findPoint("v");
            const std::vector<Vec3> x = now.positions(),
                                    velocity = v ? now.vectors(*v) : std::vector<Vec3>(x.size());
            const std::vector<Vec3> push =
                forcesOn(object, x, velocity, session_->mode()->pointMasses());
            if (!push.empty()) session_->mode()->setForces(push);
            DopMonitor monitor;
            const FrameFigures f = session_->advance(step_ + 1, nullptr, collider, 1, monitor);
            if (f.outcome == FrameFigures::Outcome::Interrupted) {
                problem = "interrupted";
                return false;
            }
            if (f.outcome == FrameFigures::Outcome::Diverged)
                throw Error(kName, "diverged: " + f.reason);
            ++step_;
        }
        state_ = std::make_shared<const std::vector<char>>(session_->saveState());
        if (const FrameData* data = session_->at(step_))
            writePointAttributes(gdp, data->attributes);
        if (!warnings.empty()) problem = warnings[0];
        return true;
    } catch (const std::exception& e) {
        problem = e.what();
        return false;
    }
}
