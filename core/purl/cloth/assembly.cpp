#include "purl/cloth/assembly.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr Index kGrain = 256; // rows or lists a piece of parallel work

Index chunkOf(int width) { // stencils whose slots fit the caches
    return std::clamp<Index>(1024 / (width * width) / 4 * 4, 4, SlotMap::kLongestRun);
}
} // namespace

struct ClothAssembly::Buffers {
    std::vector<double> energy;
    std::vector<Vec3> gradient;
    std::vector<Mat3> hessian, damping;
};

ClothAssembly::ClothAssembly(Index nodes, std::vector<const ClothEnergy*> energies)
    : energies_(std::move(energies)) {
    for (const ClothEnergy* e : energies_)
        stencils_.push_back(
            {e->stencils().width, {e->stencils().nodes.data(), e->stencils().nodes.size()}});
    pattern_ = std::make_shared<BlockPattern>(nodes, stencils_);
    Index blocks = 0, rows = 0;
    for (const StencilView& s : stencils_) maps_.emplace_back(*pattern_, s, blocks, rows);
    gather_ = AsideGather(*pattern_, maps_, stencils_, blocks, rows);
    asideBlock_.resize(static_cast<std::size_t>(blocks));
    asideG_.resize(static_cast<std::size_t>(rows));
    asideKw_.resize(static_cast<std::size_t>(rows));
    g_.resize(static_cast<std::size_t>(nodes));
    kw_.resize(static_cast<std::size_t>(nodes));
    partEnergy_.resize(static_cast<std::size_t>(pattern_->parts()));
}

double ClothAssembly::evaluate(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> g,
                               const Derivatives& d) {
    const BlockPattern& q = *pattern_;
    const bool wantG = !g.empty();
    parallelFor(q.parts(), 1, [&](Index p0, Index p1) {
        Buffers buffers;
        for (Index p = p0; p < p1; ++p) partEnergy_[p] = evaluatePart(p, x, v, wantG, d, buffers);
    });
    const auto add = [](const AsideGather::List& list, auto&& from, auto&& to) {
        parallelFor(static_cast<Index>(list.target.size()), kGrain, [&](Index a, Index b) {
            for (Index k = a; k < b; ++k)
                for (Index s = list.first[k]; s < list.first[k + 1]; ++s)
                    to[list.target[k]] += from[list.slot[s]];
        });
    };
    if (d.matrix) add(gather_.blocks, asideBlock_, d.matrix->blocks());
    if (wantG) add(gather_.rows, asideG_, g_);
    if (!d.w.empty()) add(gather_.rows, asideKw_, kw_);
    parallelFor(q.size(), 4 * kGrain, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) {
            if (wantG) g[q.order[r]] = g_[r];
            if (!d.w.empty()) d.kw[q.order[r]] = kw_[r];
        }
    });
    double energy = 0;
    for (double e : partEnergy_) energy += e;
    return energy;
}

double ClothAssembly::evaluatePart(Index p, Span<const Vec3> x, Span<const Vec3> v, bool wantG,
                                   const Derivatives& d, Buffers& buffers) {
    const BlockPattern& q = *pattern_;
    const bool wantH = d.matrix || !d.w.empty();
    const bool wantD = d.matrix && d.damping != 0;
    std::fill(g_.begin() + q.part[p], g_.begin() + q.part[p + 1], Vec3::Zero());
    std::fill(kw_.begin() + q.part[p], kw_.begin() + q.part[p + 1], Vec3::Zero());
    Mat3* blocks = d.matrix ? d.matrix->blocks().data() : nullptr;
    if (blocks) std::fill(blocks + q.row[q.part[p]], blocks + q.row[q.part[p + 1]], Mat3::Zero());
    double energy = 0;
    for (std::size_t m = 0; m < maps_.size(); ++m) {
        const SlotMap& map = maps_[m];
        const int w = map.width, ww = w * w;
        const Index chunk = chunkOf(w);
        buffers.energy.resize(static_cast<std::size_t>(chunk));
        buffers.gradient.resize(static_cast<std::size_t>(chunk) * w);
        if (wantH) buffers.hessian.resize(static_cast<std::size_t>(chunk) * ww);
        if (wantD) buffers.damping.resize(static_cast<std::size_t>(chunk) * ww);
        for (Index r = map.firstRun[p]; r < map.firstRun[p + 1]; ++r) {
            for (Index s0 = map.runs[r].begin; s0 < map.runs[r].end; s0 += chunk) {
                const Index s1 = std::min(map.runs[r].end, s0 + chunk);
                // Energies number their slots from the first stencil of all: the buffer is handed
                // out as the part [s0, s1) of such an array.
                const auto window = [&](auto& buffer, int width) {
                    return Span<std::decay_t<decltype(buffer[0])>>(
                        buffer.data() - static_cast<std::ptrdiff_t>(s0) * width,
                        static_cast<std::size_t>(s1) * width);
                };
                EnergySlots slots;
                slots.energy = window(buffers.energy, 1);
                slots.gradient = window(buffers.gradient, w);
                if (wantH && !d.exact) slots.hessian = window(buffers.hessian, ww);
                if (wantD) slots.damping = window(buffers.damping, ww);
                energies_[m]->evaluate(s0, s1, x, v, slots);
                if (wantH && d.exact)
                    energies_[m]->exactHessian(s0, s1, x, window(buffers.hessian, ww));
                for (Index s = s0; s < s1; ++s) {
                    energy += buffers.energy[s - s0];
                    const Mat3* H = buffers.hessian.data() + static_cast<std::size_t>(s - s0) * ww;
                    const Mat3* D = buffers.damping.data() + static_cast<std::size_t>(s - s0) * ww;
                    const Vec3* G = buffers.gradient.data() + static_cast<std::size_t>(s - s0) * w;
                    const std::size_t node = static_cast<std::size_t>(s) * w;
                    for (int a = 0; a < w; ++a) {
                        const Index row = map.rowOf[node + a];
                        const bool own = row >= 0;
                        const Index slot = SlotMap::aside(row);
                        if (wantG) {
                            if (own)
                                g_[row] += G[a];
                            else
                                asideG_[slot] = G[a];
                        }
                        if (!d.w.empty()) {
                            Vec3 sum = Vec3::Zero();
                            for (int b = 0; b < w; ++b)
                                sum += H[a * w + b] * d.w[stencils_[m].nodes[node + b]];
                            if (own)
                                kw_[row] += sum;
                            else
                                asideKw_[slot] = sum;
                        }
                        if (!blocks) continue;
                        for (int b = 0; b < w; ++b) {
                            const Index target = map.block[(node + a) * w + b];
                            if (target == SlotMap::kNowhere) continue;
                            const int k = a * w + b;
                            Mat3& to =
                                target >= 0 ? blocks[target] : asideBlock_[SlotMap::aside(target)];
                            if (target < 0) to.setZero();
                            to += d.stiffness * H[k];
                            if (wantD) to += d.damping * D[k];
                        }
                    }
                }
            }
        }
    }
    return energy;
}

} // namespace purl
