#include "purl/contact/movement.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr Index kChunk = 64;     // blocks a task
constexpr Index kSamples = 2048; // points that say where the cloth goes
constexpr double kFar = 1e6;     // of 2r: points farther out are broken
constexpr double kThrown = 1e3;  // of 2r a step: likewise for where the cloth goes
} // namespace

Movement::Movement(Index slots, std::vector<Block> blocks, double reach)
    : slots_(slots), reach_(reach), blocks_(std::move(blocks)), y_(slots, Double4{V4d{0, 0, 0, 0}}),
      now_(slots, Float4{V4f{0, 0, 0, 0}}), moved_(now_), blockMoved_(blocks_.size()) {
    for (int b = 1; b < kBins; ++b) snapshot_[b] = now_;
    farOfChunk_.resize((blocks_.size() + kChunk - 1) / kChunk);
}

void Movement::start(const Padded3& x) {
    Vec3 sum = Vec3::Zero();
    Index count = 0;
    for (Index s = 0; s < slots_; ++s)
        if (x.at(s).allFinite()) {
            sum += x.at(s);
            ++count;
        }
    centre_ = count > 0 ? Vec3(sum / count) : Vec3(Vec3::Zero());
    V4f far{0, 0, 0, 0};
    for (Index s = 0; s < slots_; ++s) {
        const Vec3 p = x.at(s) - centre_;
        y_[s].v = V4d{p.x(), p.y(), p.z(), 0};
        now_[s].v = __builtin_convertvector(y_[s].v, V4f);
        far = upper(far, upper(now_[s].v, -now_[s].v));
    }
    for (int b = 1; b < kBins; ++b) snapshot_[b] = now_;
    for (Box4& b : blockMoved_) b = {V4f{0, 0, 0, 0}, V4f{0, 0, 0, 0}};
    broken_ = !(far[0] + far[1] + far[2] < kFar * reach_) || count < slots_;
    rounding_ = rounding(far);
}

// The frame follows the mean motion of some points: any rigid motion of it is right, for distances
// do not feel it. Points that are broken have no say.
void Movement::follow(const Padded3& x) {
    const Index stride = std::max<Index>(1, slots_ / kSamples);
    const double limit = kThrown * reach_;
    Vec3 sum = Vec3::Zero(), at = Vec3::Zero(), torque = Vec3::Zero();
    Mat3 spread = Mat3::Zero();
    Index count = 0;
    for (Index s = 0; s < slots_; s += stride) {
        const Vec3 y(y_[s].v[0], y_[s].v[1], y_[s].v[2]);
        const Vec3 step = toFrame_ * (x.at(s) - centre_) - y;
        if (!(step.cwiseAbs().maxCoeff() < limit)) continue;
        sum += step;
        at += y;
        torque += y.cross(step);
        spread += y * y.transpose();
        ++count;
    }
    if (count == 0) return;
    const Vec3 mean = sum / count, middle = at / count;
    const Mat3 about = spread - count * middle * middle.transpose();
    const Mat3 inertia = about.trace() * Mat3::Identity() - about;
    // The angular movement about the middle, by least squares; a straight yarn may turn on itself.
    const Mat3 firm = inertia + (1e-9 * inertia.trace() + 1e-300) * Mat3::Identity();
    const Vec3 angle = firm.ldlt().solve(torque - count * middle.cross(mean));
    centre_ += turned_ * Vec3(mean + middle);
    const double size = angle.norm();
    if (size > 0 && size < 1)
        turned_ =
            (turned_ * Eigen::Quaterniond(Eigen::AngleAxisd(size, angle / size))).normalized();
    centre_ -= turned_ * middle;
    toFrame_ = turned_.toRotationMatrix().transpose();
}

void Movement::advance(const Padded3& x) {
    ++step_;
    visited_ = 0;
    if (step_ == 0) return start(x);
    const int mark = __builtin_ctzl(static_cast<unsigned long>(step_)) + 1;
    visited_ = mark < kBins ? mark : 0;
    follow(x);
    const Index blocks = static_cast<Index>(blocks_.size());
    parallelFor(static_cast<Index>(farOfChunk_.size()), 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            V4f far{0, 0, 0, 0};
            for (Index b = c * kChunk; b < std::min(blocks, (c + 1) * kChunk); ++b) {
                // A yarn's last block has the three slots after its last segment as well.
                const Index first = blocks_[b].place, n = blocks_[b].count;
                const bool end = b + 1 == blocks || blocks_[b + 1].place != first + n;
                track(x, first, first + n + (end ? 3 : 0), far);
            }
            farOfChunk_[c].v = far;
        }
    });
    V4f far{0, 0, 0, 0};
    for (const Float4& f : farOfChunk_) far = upper(f.v, far) + (f.v - f.v);
    const bool before = broken_;
    broken_ = !(far[0] + far[1] + far[2] < kFar * reach_);
    disturbed_ = broken_ || before;
    if (!broken_) rounding_ = std::max(rounding_, rounding(far));
    if (!disturbed_) return moveBlocks();
    for (int b = 1; b < kBins; ++b) snapshot_[b] = now_;
    for (Box4& b : blockMoved_) b = {V4f{0, 0, 0, 0}, V4f{0, 0, 0, 0}};
}

void Movement::moveBlocks() {
    parallelFor(static_cast<Index>(blocks_.size()), kChunk, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            // The Bezier points of all curves: each vertex, a sixth of its chord fore and back.
            const Float4* q = &moved_[blocks_[b].place + 1];
            Box4 box{q[0].v, q[0].v};
            for (Index i = 0; i <= blocks_[b].count; ++i) {
                const V4f t = (1.0f / 6) * (q[i + 1].v - q[i - 1].v);
                const V4f ahead = i < blocks_[b].count ? q[i].v + t : q[i].v;
                const V4f back = i > 0 ? q[i].v - t : q[i].v;
                box.low = lower(box.low, lower(q[i].v, lower(ahead, back)));
                box.high = upper(box.high, upper(q[i].v, upper(ahead, back)));
            }
            blockMoved_[b] = box;
        }
    });
}

void Movement::track(const Padded3& x, Index first, Index last, V4f& far) {
    const V4d centre{centre_.x(), centre_.y(), centre_.z(), 0};
    const Mat3& m = toFrame_;
    const V4d c0{m(0, 0), m(1, 0), m(2, 0), 0}, c1{m(0, 1), m(1, 1), m(2, 1), 0};
    const V4d c2{m(0, 2), m(1, 2), m(2, 2), 0};
    for (Index s = first; s < last; ++s) {
        const V4d p = V4d{x.x[s], x.y[s], x.z[s], 0} - centre;
        const V4d y = c0 * p[0] + c1 * p[1] + c2 * p[2];
        moved_[s].v = __builtin_convertvector(y - y_[s].v, V4f);
        y_[s].v = y;
        const V4f now = __builtin_convertvector(y, V4f);
        now_[s].v = now;
        far = upper(upper(now, -now), far) + (now - now); // what is not a number stays so
    }
}

// Differences of two floats up to `far`, three coordinates, two segments: 2^-24 * 2 * 1.8 * 2.
float Movement::rounding(V4f far) const {
    const float most = std::max(std::max(far[0], far[1]), far[2]);
    return 1e-6f * std::min(most, static_cast<float>(kFar * reach_));
}

void Movement::finish() {
    if (visited_ > 0) snapshot_[visited_].swap(now_); // the next step fills it anew
}

std::size_t Movement::bytes() const {
    return y_.size() * (sizeof(Double4) + (2 + kBins - 1) * sizeof(Float4)) +
           blockMoved_.size() * (sizeof(Box4) + sizeof(Block));
}

} // namespace purl
