#include "purl/host/session.h"

#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/collide/distance_field.h"
#include "purl/collide/mesh_sdf.h"
#include "purl/collide/shapes.h"

#include <algorithm>

namespace purl {

Session::Session() = default;
Session::~Session() = default;

void Session::clear() {
    mode_.reset();
    sdf_.reset();
    frames_.clear();
    frameBytes_ = 0;
    digest_ = 0;
}

void Session::begin(const SessionSettings& settings, Detail geometry, const std::string& name,
                    const ColliderFrame& collider, std::uint64_t digest) {
    clear();
    warnings.clear();
    settings_ = settings;
    start_ = std::move(geometry);
    name_ = name;
    startCollider_ = collider;
    try {
        build(collider);
    } catch (...) {
        clear();
        throw;
    }
    digest_ = digest;
    keep(last_, false, {}, digest);
}

// The same steps as `purl sim` takes before its first frame.
void Session::build(const ColliderFrame& collider) {
    const TimeSettings& time = settings_.wanted.settings.time;
    if (!(time.fps > 0) || !(time.timeScale > 0))
        throw Error(name_, "frames a second are " + std::to_string(time.fps) +
                               " and the time scale is " + std::to_string(time.timeScale) +
                               ", expected both > 0");
    detail_ = start_;
    mode_ = makeMode(settings_.mode, detail_, name_, settings_.wanted, warnings);
    std::vector<std::shared_ptr<Collider>> colliders;
    std::vector<CollisionSettings> collision;
    if (settings_.ground) {
        colliders.push_back(std::make_shared<PlaneCollider>(Vec3(0, 1, 0), settings_.groundHeight));
        collision.push_back(settings_.wanted.settings.collision);
    }
    sdf_.reset();
    lastMesh_ = {};
    colliderMoves_ = false;
    if (collider.there()) {
        sdf_ = std::make_shared<SdfCollider>(fieldOf(collider, 0));
        lastCollider_ = collider.digest;
        colliders.push_back(sdf_);
        collision.push_back(settings_.wanted.settings.collision);
    }
    mode_->start(colliders, collision);
    last_ = settings_.startFrame;
    stale_ = inside_ = false;
    unprimed_ = 0;
}

FieldPtr Session::fieldOf(const ColliderFrame& c, double seconds) {
    SdfOptions sdf;
    sdf.surface = settings_.surfaceName;
    sdf.velocity = settings_.velocityName;
    sdf.reach = std::max(sdf.reach, 4 * mode_->colliderRadius() +
                                        settings_.wanted.settings.collision.thickness);
    if (c.grids) return c.grids(sdf);
    MeshSdfOptions options;
    options.voxel = settings_.colliderVoxel;
    options.yarnRadius = mode_->colliderRadius();
    options.reach = sdf.reach;
    options.where = name_ + " collider";
    std::vector<Vec3> velocity = c.velocity;
    if (velocity.empty() && seconds > 0 && !lastMesh_.x.empty())
        velocity = meshVelocity(lastMesh_, c.mesh, seconds, options.where);
    FieldPtr field = meshSdf(c.mesh, options, velocity);
    lastMesh_ = c.mesh;
    return field;
}

void Session::moveCollider(const ColliderFrame& c) {
    if (!sdf_ && !c.there()) return;
    if (!sdf_ || !c.there())
        throw Error(name_ + " collider",
                    std::string("is ") + (c.there() ? "there now" : "gone") +
                        ", expected the colliders of the start frame in every frame");
    const double seconds =
        settings_.wanted.settings.time.timeScale / settings_.wanted.settings.time.fps;
    const FieldPtr before = sdf_->field();
    if (c.digest == lastCollider_) { // it stands still
        if (colliderMoves_) sdf_->setFields(before, before, seconds);
        colliderMoves_ = false;
        return;
    }
    sdf_->setFields(before, fieldOf(c, seconds), seconds);
    lastCollider_ = c.digest;
    colliderMoves_ = true;
}

void Session::prime(int frame, const ColliderFrame& collider) {
    moveCollider(collider);
    unprimed_ = last_ - frame;
}

void Session::setKeeping(std::size_t cacheBytes, const CheckpointSettings& checkpoint) {
    settings_.cacheBytes = cacheBytes;
    settings_.checkpoint = checkpoint;
}

const FrameData* Session::at(int frame) const {
    const auto it = frames_.find(frame);
    return it == frames_.end() ? nullptr : &it->second;
}

int Session::seek(int frame) {
    if (at(frame)) return frame + 1;
    if (!stale_ && frame > last_) {
        const int other = bestCheckpoint(frame); // of another process, perhaps far ahead
        if (other <= last_) return last_ + 1;
    }
    if (stale_ && inside_ && frame > last_) return last_ + 1;
    const int from = bestCheckpoint(frame);
    const std::vector<std::string> told = warnings;
    build(startCollider_);
    warnings = told; // the input's own were told when the run began
    if (from > settings_.startFrame) {
        const std::string path = checkpointPath(settings_.checkpoint, from);
        try {
            SnapshotReader reader = SnapshotReader::fromFile(path);
            loadFrom(reader);
            keep(last_, true, {}, 0);
            warnings.push_back(path + ": goes on from this checkpoint of frame " +
                               std::to_string(from));
            unprimed_ = std::min(2, last_ - settings_.startFrame);
            return last_ + 1 - unprimed_;
        } catch (const Error& e) {
            warnings.push_back(std::string(e.what()) + "; solved from the start frame instead");
            build(startCollider_);
            warnings = told;
        }
    }
    return last_ + 1;
}

FrameFigures Session::advance(int frame, const Detail* animated, const ColliderFrame& collider,
                              std::uint64_t input, Monitor& monitor) {
    const bool goesOn = inside_ && input == insideInput_;
    inside_ = false; // else the next seek() solves it anew
    if (!mode_ || frame != last_ + 1 || (stale_ && !goesOn))
        throw Error(name_, "frame " + std::to_string(frame) + " cannot follow frame " +
                               std::to_string(last_) + ", expected the frames in order");
    if (!goesOn) {
        if (animated) mode_->setTargets(*animated, name_);
        moveCollider(collider);
    }
    stale_ = true; // until the frame is whole
    FrameFigures f = mode_->advance(monitor);
    if (f.outcome == FrameFigures::Outcome::Interrupted) {
        inside_ = true;
        insideInput_ = input;
    }
    if (f.outcome != FrameFigures::Outcome::Done) return f;
    stale_ = false;
    last_ = frame;
    keep(frame, true, f, input);
    writeCheckpoint();
    return f;
}

void Session::keep(int frame, bool positions, FrameFigures figures, std::uint64_t input) {
    mode_->put(detail_, positions);
    FrameData data;
    for (const std::string& name : mode_->outputs())
        if (const Attribute* a = detail_.findPoint(name)) {
            data.attributes.push_back(*a);
            data.bytes += static_cast<std::size_t>(a->elements()) * a->size * sizeof(float);
        }
    data.figures = std::move(figures);
    data.input = input;
    frameBytes_ += data.bytes;
    if (const FrameData* old = at(frame)) frameBytes_ -= old->bytes;
    frames_[frame] = std::move(data);
    // The oldest go first; what is shown now and the start stay.
    for (auto it = frames_.begin();
         settings_.cacheBytes > 0 && frameBytes_ > settings_.cacheBytes && it != frames_.end();) {
        if (it->first == frame || it->first == settings_.startFrame) {
            ++it;
            continue;
        }
        frameBytes_ -= it->second.bytes;
        it = frames_.erase(it);
    }
}

std::size_t Session::bytes() const {
    std::size_t n = frameBytes_;
    if (mode_) n += mode_->bytes();
    if (sdf_ && sdf_->field()) n += sdf_->field()->bytes();
    return n;
}

} // namespace purl
