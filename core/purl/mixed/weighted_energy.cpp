#include "purl/mixed/weighted_energy.h"

namespace purl {

namespace {
// Slots are numbered from an energy's first stencil on: ours, as the inner energy numbers them.
template <class T>
Span<T> shifted(Span<T> all, Index ours, Index theirs, Index end, int width) {
    if (all.empty()) return all;
    return Span<T>(all.data() + (ours - theirs) * width, static_cast<std::size_t>(end * width));
}
} // namespace

WeightedEnergy::WeightedEnergy(std::unique_ptr<ClothEnergy> energy, std::vector<double> weight)
    : energy_(std::move(energy)) {
    const Stencils& all = energy_->stencils();
    stencils_.width = all.width;
    for (Index s = 0; s < all.count(); ++s) {
        if (!(weight[s] > 0)) continue;
        source_.push_back(s);
        weight_.push_back(weight[s]);
        for (int k = 0; k < all.width; ++k) stencils_.nodes.push_back(all.nodes[s * all.width + k]);
    }
}

void WeightedEnergy::evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                              const EnergySlots& out) const {
    const int w = stencils_.width, ww = w * w;
    Index s = begin;
    while (s < end) { // runs of stencils that follow each other in the energy as well
        Index e = s + 1;
        while (e < end && source_[e] == source_[s] + (e - s)) ++e;
        const Index from = source_[s], to = from + (e - s);
        EnergySlots slots;
        slots.energy = shifted(out.energy, s, from, to, 1);
        slots.gradient = shifted(out.gradient, s, from, to, w);
        slots.hessian = shifted(out.hessian, s, from, to, ww);
        slots.damping = shifted(out.damping, s, from, to, ww);
        energy_->evaluate(from, to, x, v, slots);
        for (Index i = s; i < e; ++i) {
            const double a = weight_[i];
            if (!out.energy.empty()) out.energy[i] *= a;
            for (Index k = i * w; k < (i + 1) * w && !out.gradient.empty(); ++k)
                out.gradient[k] *= a;
            for (Index k = i * ww; k < (i + 1) * ww; ++k) {
                if (!out.hessian.empty()) out.hessian[k] *= a;
                if (!out.damping.empty()) out.damping[k] *= a;
            }
        }
        s = e;
    }
}

void WeightedEnergy::exactHessian(Index begin, Index end, Span<const Vec3> x,
                                  Span<Mat3> out) const {
    const int ww = stencils_.width * stencils_.width;
    for (Index s = begin; s < end; ++s) {
        const Index from = source_[s];
        energy_->exactHessian(from, from + 1, x, shifted(out, s, from, from + 1, ww));
        for (Index k = s * ww; k < (s + 1) * ww; ++k) out[k] *= weight_[s];
    }
}

} // namespace purl
