#include "purl/collide/collider.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace purl {

namespace {
// Points are brought into the shape's space a few at a time, on the stack.
constexpr std::size_t kChunk = 32;
} // namespace

std::uint64_t Collider::newStamp() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void Collider::setPose(const Pose& previous, const Pose& current, double seconds) {
    changed();
    seconds_ = seconds;
    motion_ = RigidMotion(previous, current, seconds);
}

void Collider::sample(Span<const Vec3> x, double t, Span<ColliderSample> out) const {
    if (motion_.identity()) {
        sampleShape(x, t, out);
        return;
    }
    const RigidMotion::Instant now = motion_.at(t);
    std::array<Vec3, kChunk> local;
    for (std::size_t first = 0; first < x.size(); first += kChunk) {
        const std::size_t n = std::min(kChunk, x.size() - first);
        for (std::size_t i = 0; i < n; ++i) local[i] = now.toLocal(x[first + i]);
        sampleShape({local.data(), n}, t, out.sub(first, n));
        for (std::size_t i = 0; i < n; ++i) {
            ColliderSample& s = out[first + i];
            s.normal = now.rotation * s.normal;
            s.velocity = now.rotation * s.velocity + now.velocity(x[first + i]);
        }
    }
}

void Collider::distance(Span<const Vec3> x, double t, Span<double> phi) const {
    if (motion_.identity()) {
        distanceShape(x, t, phi);
        return;
    }
    const RigidMotion::Instant now = motion_.at(t);
    std::array<Vec3, kChunk> local;
    for (std::size_t first = 0; first < x.size(); first += kChunk) {
        const std::size_t n = std::min(kChunk, x.size() - first);
        for (std::size_t i = 0; i < n; ++i) local[i] = now.toLocal(x[first + i]);
        distanceShape({local.data(), n}, t, phi.sub(first, n));
    }
}

void Collider::carry(Span<const Vec3> x, double from, double to, Span<Vec3> out) const {
    if (motion_.identity()) {
        std::copy(x.begin(), x.end(), out.begin());
        carryShape(out, from, to);
        return;
    }
    const RigidMotion::Instant a = motion_.at(from), b = motion_.at(to);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = a.toLocal(x[i]);
    carryShape(out, from, to);
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = b.toWorld(out[i]);
}

ColliderSample Collider::sampleAt(const Vec3& x, double t) const {
    ColliderSample s;
    sample({&x, 1}, t, {&s, 1});
    return s;
}

double Collider::distanceAt(const Vec3& x, double t) const {
    double phi;
    distance({&x, 1}, t, {&phi, 1});
    return phi;
}

} // namespace purl
