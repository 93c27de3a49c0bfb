#include "purl/implicit/yarn_matrix.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {

constexpr int kSymmetric[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
constexpr Index kGrain = 512; // slots

// y += b x, row by row
inline V4f times(const float* b, V4f x) {
    return V4f{b[0] * x[0] + b[1] * x[1] + b[2] * x[2], b[3] * x[0] + b[4] * x[1] + b[5] * x[2],
               b[6] * x[0] + b[7] * x[1] + b[8] * x[2], 0};
}
inline V4f timesTransposed(const float* b, V4f x) {
    return x[0] * V4f{b[0], b[1], b[2], 0} + x[1] * V4f{b[3], b[4], b[5], 0} +
           x[2] * V4f{b[6], b[7], b[8], 0};
}
inline V4f timesSymmetric(const float* b, V4f x) {
    return x[0] * V4f{b[0], b[1], b[2], 0} + x[1] * V4f{b[1], b[3], b[4], 0} +
           x[2] * V4f{b[2], b[4], b[5], 0};
}

using Block = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
Eigen::Map<Block> offBlock(SlotBand& band, Index slot, int k) {
    return Eigen::Map<Block>(band.row(slot) + SlotBand::off(k));
}
// `place` is 0 for the diagonal, kSum for the sum of the row.
Block diagonal(const SlotBand& band, Index slot, int place = 0) {
    const float* r = band.row(slot) + place;
    Block d;
    d << r[0], r[1], r[2], r[1], r[3], r[4], r[2], r[4], r[5];
    return d;
}
void addTo(SlotBand& band, Index slot, const Block& d, int place = 0) {
    float* r = band.row(slot) + place;
    r[0] += d(0, 0);
    r[1] += 0.5f * (d(0, 1) + d(1, 0));
    r[2] += 0.5f * (d(0, 2) + d(2, 0));
    r[3] += d(1, 1);
    r[4] += 0.5f * (d(1, 2) + d(2, 1));
    r[5] += d(2, 2);
}
void clear(SlotBand& band, Index slot) { std::fill_n(band.row(slot), SlotBand::kRow, 0.f); }

} // namespace

YarnMatrix::YarnMatrix(const Curves& yarns, const Layout& layout, const std::vector<Weld>& welds,
                       const std::vector<double>& inverseMass)
    : layout_(&layout), master_(yarns.points()) {
    for (Index i = 0; i < yarns.points(); ++i) master_[i] = i;
    for (const auto& cluster : weldClusters(welds)) {
        const auto pinned = std::find_if(cluster.begin(), cluster.end(),
                                         [&](Index i) { return inverseMass[i] == 0; });
        const Index answers = pinned == cluster.end() ? cluster.front() : *pinned;
        for (Index i : cluster) master_[i] = answers;
    }
    for (Index i = 0; i < yarns.points(); ++i)
        if (!answers(i)) follower_.push_back(i);
    band_.reset(layout.slots());
    x_.assign(layout.padded() + SlotBand::kReach, Float4{V4f{0, 0, 0, 0}});
    y_ = x_;
    spread_.resize(yarns.points());
}

// Vertex s has the edges e = x_s - x_(s-1) and f = x_(s+1) - x_s.
void YarnMatrix::setRods(const RodStiffness& rod, const Stretch& stretch, double factor) {
    const Index slots = layout_->slots();
    clear(band_, 0);
    parallelFor(slots - 1, kGrain, [&](Index a, Index b) {
        for (Index s = a + 1; s <= b; ++s) {
            float* row = band_.row(s);
            const double *now = stretch.block(s), *last = stretch.block(s - 1);
            for (int m = 0; m < 9; ++m) {
                const int i = m / 3, j = m % 3, t = kSymmetric[m], back = 3 * j + i;
                const double here = rod.ee[t][s] + rod.ff[t][s] - rod.ef[m][s] - rod.ef[back][s];
                if (j >= i)
                    row[t] = static_cast<float>(
                        factor * (rod.ff[t][s - 1] + here + rod.ee[t][s + 1] + now[t] + last[t]));
                row[SlotBand::off(1) + m] =
                    static_cast<float>(factor * (rod.ef[m][s] - rod.ff[t][s] + rod.ef[m][s + 1] -
                                                 rod.ee[t][s + 1] - now[t]));
                row[SlotBand::off(2) + m] = static_cast<float>(-factor * rod.ef[m][s + 1]);
                row[SlotBand::off(3) + m] = 0;
            }
            std::fill_n(row + SlotBand::kSum, 6, 0.f); // a common motion costs rods nothing
        }
    });
    // A ring's first vertex looks back at a ghost: its row is the only one of a ghost in use.
    for (Index y = 0; y < layout_->yarns(); ++y) {
        const Index b = layout_->base[y];
        if (b > 0 || !layout_->closed[y]) continue;
        float* row = band_.row(b);
        for (int m = 0; m < 9; ++m) {
            const int t = kSymmetric[m];
            if (m % 3 >= m / 3) row[t] = static_cast<float>(factor * rod.ee[t][b + 1]);
            row[SlotBand::off(1) + m] =
                static_cast<float>(factor * (rod.ef[m][b + 1] - rod.ee[t][b + 1]));
            row[SlotBand::off(2) + m] = static_cast<float>(-factor * rod.ef[m][b + 1]);
        }
    }
}

void YarnMatrix::addDiagonal(Index node, const Mat3& kg) {
    addTo(band_, layout_->slotOf[node], Block(kg.cast<float>()));
    addTo(band_, layout_->slotOf[node], Block(kg.cast<float>()), SlotBand::kSum);
}

// Ghosts of open yarns are 2 q0 - q1: their rows become rows of those two.
void YarnMatrix::foldOpen(Index yarn) {
    const Index b = layout_->base[yarn], n = layout_->size[yarn], e = b + n + 1;
    if (n < 4) return; // the ghosts stay, and apply() treats them as such
    const auto foldSum = [&](Index ghost, Index end, Index inner) {
        const Block g = diagonal(band_, ghost, SlotBand::kSum);
        addTo(band_, end, 2 * g, SlotBand::kSum);
        addTo(band_, inner, -g, SlotBand::kSum);
    };
    foldSum(b, b + 1, b + 2);
    foldSum(e, e - 1, e - 2);
    {
        const Block g = diagonal(band_, b), g0 = offBlock(band_, b, 1), g1 = offBlock(band_, b, 2),
                    g2 = offBlock(band_, b, 3);
        addTo(band_, b + 1, 4 * g + 2 * (g0 + g0.transpose()));
        offBlock(band_, b + 1, 1) += -2 * g - g0.transpose() + 2 * g1;
        offBlock(band_, b + 1, 2) += 2 * g2;
        addTo(band_, b + 2, g - g1 - g1.transpose());
        offBlock(band_, b + 2, 1) -= g2;
        clear(band_, b);
    }
    const Block g = diagonal(band_, e), g0 = offBlock(band_, e - 1, 1),
                g1 = offBlock(band_, e - 2, 2), g2 = offBlock(band_, e - 3, 3);
    addTo(band_, e - 1, 4 * g + 2 * (g0 + g0.transpose()));
    offBlock(band_, e - 2, 1) += -2 * g - g0.transpose() + 2 * g1;
    offBlock(band_, e - 3, 2) += 2 * g2;
    addTo(band_, e - 2, g - g1 - g1.transpose());
    offBlock(band_, e - 3, 1) -= g2;
    offBlock(band_, e - 1, 1).setZero();
    offBlock(band_, e - 2, 2).setZero();
    offBlock(band_, e - 3, 3).setZero();
    clear(band_, e);
}

// Ghosts of rings are copies: what is on their diagonals belongs to the originals. Couplings over
// the seam stay with the ghosts, where the preconditioner does not see them.
void YarnMatrix::foldClosed(Index yarn) {
    const Index b = layout_->base[yarn], n = layout_->size[yarn];
    const auto move = [&](Index ghost, Index real) {
        for (int place : {0, SlotBand::kSum}) {
            addTo(band_, real, diagonal(band_, ghost, place), place);
            std::fill_n(band_.row(ghost) + place, 6, 0.f);
        }
    };
    move(b, b + n);
    move(b + n + 1, b + 1);
    move(b + n + 2, b + 2);
    offBlock(band_, b + 1, 1) += offBlock(band_, b + n + 1, 1);
    offBlock(band_, b + n + 1, 1).setZero();
}

void YarnMatrix::finish(const AclMatrix* contacts, const BlockDrag* drag) {
    contacts_ = contacts;
    drag_ = drag;
    if (contacts) contacts->addBand(band_);
    parallelFor(layout_->yarns(), 16, [&](Index a, Index b) {
        for (Index y = a; y < b; ++y) layout_->closed[y] ? foldClosed(y) : foldOpen(y);
    });
    for (Index i : follower_) {
        const Index slot = layout_->slotOf[i];
        for (int place : {0, SlotBand::kSum}) {
            addTo(band_, layout_->slotOf[master_[i]], diagonal(band_, slot, place), place);
            std::fill_n(band_.row(slot) + place, 6, 0.f);
        }
    }
}

void YarnMatrix::gatherWelds(Span<Vec3> y) const {
    for (Index i : follower_) {
        y[master_[i]] += y[i];
        y[i].setZero();
    }
}
void YarnMatrix::spreadWelds(Span<Vec3> x) const {
    for (Index i : follower_) x[i] = x[master_[i]];
}

void YarnMatrix::joinWelds(Span<std::uint8_t> flag) const {
    for (Index i : follower_) flag[master_[i]] |= flag[i];
    for (Index i : follower_) flag[i] = flag[master_[i]];
}

void YarnMatrix::fillGhosts(Float4* x) const {
    for (Index yarn = 0; yarn < layout_->yarns(); ++yarn) {
        const Index b = layout_->base[yarn], n = layout_->size[yarn];
        if (layout_->closed[yarn]) {
            x[b] = x[b + n];
            x[b + n + 1] = x[b + 1];
            x[b + n + 2] = x[b + 2];
        } else {
            x[b].v = 2 * x[b + 1].v - x[b + 2].v;
            x[b + n + 1].v = 2 * x[b + n].v - x[b + n - 1].v;
            x[b + n + 2].v = V4f{0, 0, 0, 0};
        }
    }
}
void YarnMatrix::foldGhostValues(Float4* y) const {
    for (Index yarn = 0; yarn < layout_->yarns(); ++yarn) {
        const Index b = layout_->base[yarn], n = layout_->size[yarn];
        if (layout_->closed[yarn]) {
            y[b + n].v += y[b].v;
            y[b + 1].v += y[b + n + 1].v;
            y[b + 2].v += y[b + n + 2].v;
        } else {
            y[b + 1].v += 2 * y[b].v;
            y[b + 2].v -= y[b].v;
            y[b + n].v += 2 * y[b + n + 1].v;
            y[b + n - 1].v -= y[b + n + 1].v;
        }
    }
}

void YarnMatrix::apply(Span<const Vec3> x, Span<Vec3> y) const {
    const auto& slot = layout_->slotOf;
    const Index n = size();
    parallelFor(n, kGrain, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            spread_[i] = x[master_[i]];
            const Vec3& v = spread_[i];
            x_[slot[i]].v = V4f{static_cast<float>(v[0]), static_cast<float>(v[1]),
                                static_cast<float>(v[2]), 0};
        }
    });
    fillGhosts(x_.data());
    parallelFor(layout_->slots(), kGrain, [&](Index a, Index b) {
        for (Index s = a; s < b; ++s) {
            const float* row = band_.row(s);
            const V4f here = x_[s].v;
            V4f sum = timesSymmetric(row + SlotBand::kSum, here);
            for (int k = 1; k <= SlotBand::kReach; ++k) {
                sum += times(row + SlotBand::off(k), x_[s + k].v - here);
                if (s >= k)
                    sum += timesTransposed(band_.row(s - k) + SlotBand::off(k), x_[s - k].v - here);
            }
            y_[s].v = sum;
        }
    });
    if (contacts_) contacts_->apply(x_.data(), y_.data());
    foldGhostValues(y_.data());
    parallelFor(n, kGrain, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            const V4f v = y_[slot[i]].v;
            y[i] = Vec3(v[0], v[1], v[2]);
        }
    });
    if (drag_) drag_->subtractHeld(spread_, y);
    gatherWelds(y);
}

} // namespace purl
