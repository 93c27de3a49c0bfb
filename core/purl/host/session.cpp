#include "purl/host/session.h"

#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/collide/distance_field.h"
#include "purl/collide/mesh_sdf.h"
#include "purl/collide/shapes.h"
#include "purl/host/animated.h"

#include <algorithm>

namespace purl {

namespace {
bool same(const Pose& a, const Pose& b) { // to the last bit
    return a.rotation.coeffs() == b.rotation.coeffs() && a.translation == b.translation;
}

void refuseTime(const TimeSettings& time, const std::string& name) {
    if (time.fps > 0 && time.timeScale > 0) return;
    throw Error(name, "frames a second are " + std::to_string(time.fps) +
                          " and the time scale is " + std::to_string(time.timeScale) +
                          ", expected both > 0");
}
} // namespace

Session::Session() = default;
Session::~Session() = default;

void Session::clear() {
    mode_.reset();
    bodies_.clear();
    frames_.clear();
    frameBytes_ = 0;
    digest_ = 0;
}

void Session::forget() {
    forgotten_ = digest_;
    written_.clear();
    clear();
}

void Session::begin(const SessionSettings& settings, Detail geometry, const std::string& name,
                    const ColliderFrames& colliders, std::uint64_t digest) {
    clear();
    warnings.clear();
    settings_ = settings;
    start_ = std::move(geometry);
    name_ = name;
    startColliders_ = colliders;
    try {
        build(colliders);
    } catch (...) {
        clear();
        throw;
    }
    digest_ = digest;
    keep(last_, false, {}, digest);
}

// The same steps as `purl sim` takes before its first frame.
void Session::build(const ColliderFrames& colliders) {
    now_ = settings_.wanted;
    refuseTime(now_.settings.time, name_);
    detail_ = start_;
    mode_ = makeMode(settings_.mode, detail_, name_, now_, warnings);
    ground_.reset();
    if (settings_.ground)
        ground_ = std::make_shared<PlaneCollider>(Vec3(0, 1, 0), settings_.groundHeight);
    bodies_.clear();
    for (const ColliderFrame& c : colliders) {
        Body body;
        if (c.there()) {
            body.sdf = std::make_shared<SdfCollider>(fieldOf(c, body, 0));
            body.digest = c.digest;
            body.pose = c.pose;
            if (!same(c.pose, Pose())) body.sdf->setPose(c.pose, c.pose, 0);
        }
        bodies_.push_back(std::move(body));
    }
    startMode();
    last_ = settings_.startFrame;
    stale_ = inside_ = false;
    unprimed_ = 0;
}

void Session::startMode() {
    std::vector<std::shared_ptr<Collider>> colliders;
    if (ground_) colliders.push_back(ground_);
    for (const Body& b : bodies_)
        if (b.sdf) colliders.push_back(b.sdf);
    mode_->start(colliders,
                 std::vector<CollisionSettings>(colliders.size(), now_.settings.collision));
}

// Other settings in the middle of a run: a solver built with them takes the state over, as a run
// that branches from a checkpoint does.
void Session::animate(const SceneFile* now) {
    if (!now || sameAnimated(*now, now_)) return;
    refuseTime(now->settings.time, name_);
    SnapshotWriter state;
    mode_->save(state);
    state.finish();
    copyAnimated(*now, now_);
    mode_->setAnimated(now_);
    startMode();
    SnapshotReader reader(state.bytes(), name_);
    mode_->load(reader);
}

FieldPtr Session::fieldOf(const ColliderFrame& c, Body& body, double seconds) {
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
    if (velocity.empty() && seconds > 0 && !body.mesh.x.empty())
        velocity = meshVelocity(body.mesh, c.mesh, seconds, options.where);
    FieldPtr field = meshSdf(c.mesh, options, velocity);
    body.mesh = c.mesh;
    return field;
}

void Session::moveColliders(const ColliderFrames& colliders) {
    const double seconds = now_.settings.time.timeScale / now_.settings.time.fps;
    for (std::size_t i = 0; i < std::max(colliders.size(), bodies_.size()); ++i) {
        const bool is = i < colliders.size() && colliders[i].there();
        const bool was = i < bodies_.size() && bodies_[i].sdf;
        if (is != was)
            throw Error(name_ + " collider" + (i > 0 ? " " + std::to_string(i + 1) : ""),
                        std::string("is ") + (is ? "there now" : "gone") +
                            ", expected the colliders of the start frame in every frame");
        if (!is) continue;
        const ColliderFrame& c = colliders[i];
        Body& b = bodies_[i];
        const bool moves = !same(c.pose, b.pose);
        if (moves || b.moves) b.sdf->setPose(b.pose, c.pose, seconds);
        b.pose = c.pose;
        b.moves = moves;
        const bool deforms = c.digest != b.digest;
        const FieldPtr before = b.sdf->field();
        if (deforms || b.deforms)
            b.sdf->setFields(before, deforms ? fieldOf(c, b, seconds) : before, seconds);
        b.digest = c.digest;
        b.deforms = deforms;
    }
}

void Session::prime(int frame, const FrameInput& input) {
    animate(input.settings);
    moveColliders(input.colliders);
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
    build(startColliders_);
    warnings = told; // the input's own were told when the run began
    if (from > settings_.startFrame) {
        const std::string path = checkpointPath(settings_.checkpoint, from);
        try {
            SnapshotReader reader = SnapshotReader::fromFile(path);
            loadFrom(reader);
            warnings.push_back(path + ": goes on from this checkpoint of frame " +
                               std::to_string(from));
            unprimed_ = std::min(2, last_ - settings_.startFrame);
            return last_ + 1 - unprimed_;
        } catch (const Error& e) {
            warnings.push_back(std::string(e.what()) + "; solved from the start frame instead");
            build(startColliders_);
            warnings = told;
        }
    }
    return last_ + 1;
}

FrameFigures Session::advance(int frame, const FrameInput& input, Monitor& monitor) {
    const bool goesOn = inside_ && input.digest == insideInput_;
    inside_ = false; // else the next seek() solves it anew
    if (!mode_ || frame != last_ + 1 || (stale_ && !goesOn))
        throw Error(name_, "frame " + std::to_string(frame) + " cannot follow frame " +
                               std::to_string(last_) + ", expected the frames in order");
    if (monitor.interrupted()) { // nothing of the frame is done, or nothing more of it
        inside_ = goesOn;
        FrameFigures none;
        none.outcome = FrameFigures::Outcome::Interrupted;
        return none;
    }
    if (!goesOn && input.targets) mode_->setTargets(*input.targets, name_);
    stale_ = true; // until the frame is whole
    if (!goesOn) {
        animate(input.settings);
        if (input.paint) mode_->setPaint(*input.paint, name_);
        moveColliders(input.colliders);
        mode_->setForces(input.forces);
    }
    FrameFigures f = mode_->advance(monitor);
    if (f.outcome == FrameFigures::Outcome::Interrupted) {
        inside_ = true;
        insideInput_ = input.digest;
    }
    if (f.outcome != FrameFigures::Outcome::Done) return f;
    stale_ = false;
    last_ = frame;
    keep(frame, true, f, input.digest);
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
    data.settings = animatedDigest(now_);
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
    for (const Body& b : bodies_)
        if (b.sdf && b.sdf->field()) n += b.sdf->field()->bytes();
    return n;
}

} // namespace purl
