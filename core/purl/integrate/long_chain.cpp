#include "purl/integrate/long_chain.h"

#include "purl/base/parallel.h"
#include "purl/base/simd.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr Index kBlock = LongChain::kBlock;

Pack4 lanes(const std::vector<double>& a, Index i) {
    return V4d{a[i], a[i + kBlock], a[i + 2 * kBlock], a[i + 3 * kBlock]};
}
void put(std::vector<double>& a, Index i, Pack4 v) {
    for (int l = 0; l < 4; ++l) a[i + l * kBlock] = v[l];
}
} // namespace

LongChain::LongChain(Span<const double> lengths)
    : edges_(static_cast<Index>(lengths.size())), blocks_((edges_ + kBlock - 1) / kBlock) {
    const Index padded = (blocks_ + 3) / 4 * 4 * kBlock + kBlock;
    length_.assign(lengths.begin(), lengths.end());
    for (double l : length_) inverse_.push_back(1 / l);
    for (auto* a : {&x, &y, &z, &w}) a->assign(edges_ + 1, 0.0);
    for (auto* a : {&gx_, &gy_, &gz_, &off_, &residual_, &lambda_, &before_, &after_, &pivot_})
        a->assign(padded, 0.0);
    diagonal_.assign(padded, 1.0); // beyond the last edge: nothing, harmlessly
    for (auto* a : {&dirty_, &active_, &moved_}) a->assign(blocks_, 1);
    for (auto* a : {&worst_, &last_, &first_, &p_, &q_, &s_, &t_}) a->assign(blocks_, 0.0);
}

void LongChain::touchAll() { std::fill(dirty_.begin(), dirty_.end(), std::uint8_t{1}); }

void LongChain::touch(Index node) {
    dirty_[std::min(blocks_ - 1, node / kBlock)] = 1;
    if (node > 0) dirty_[(node - 1) / kBlock] = 1; // the edge before it
}

double LongChain::project(double tolerance, int maxIterations, int& iterations) {
    std::fill(moved_.begin(), moved_.end(), std::uint8_t{0});
    for (iterations = 0;; ++iterations) {
        const double worst = evaluate();
        if (worst <= tolerance || iterations == maxIterations) return worst;
        choose(tolerance);
        solveBlocks();
        joinBlocks();
        move();
    }
}

double LongChain::evaluate() {
    parallelFor(blocks_, 8, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            if (!dirty_[b]) continue;
            const Index s = b * kBlock, e = std::min(edges_, s + kBlock);
            double worst = 0;
            for (Index i = s; i < e; ++i) {
                gx_[i] = (x[i + 1] - x[i]) * inverse_[i];
                gy_[i] = (y[i + 1] - y[i]) * inverse_[i];
                gz_[i] = (z[i + 1] - z[i]) * inverse_[i];
                const double g2 = gx_[i] * gx_[i] + gy_[i] * gy_[i] + gz_[i] * gz_[i];
                residual_[i] = (g2 - 1) * length_[i];
                diagonal_[i] = 4 * g2 * (w[i] + w[i + 1]) + 1e-300;
                // Written so that what is not a number is the worst.
                const double off = std::abs(g2 - 1);
                worst = off <= worst ? worst : off;
            }
            worst_[b] = worst;
        }
    });
    parallelFor(blocks_, 8, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            if (!dirty_[b] && (b == 0 || !dirty_[b - 1])) continue;
            const Index s = std::max<Index>(1, b * kBlock), e = std::min(edges_, (b + 1) * kBlock);
            for (Index i = s; i < e; ++i)
                off_[i] =
                    -4 * w[i] * (gx_[i - 1] * gx_[i] + gy_[i - 1] * gy_[i] + gz_[i - 1] * gz_[i]);
        }
    });
    std::fill(dirty_.begin(), dirty_.end(), std::uint8_t{0});
    double worst = 0;
    for (double v : worst_) worst = v <= worst ? worst : v;
    return worst;
}

// The blocks that are solved: those whose lengths are off, and their neighbours. What the solve
// moves is looked at again, and so are the blocks before and after.
void LongChain::choose(double tolerance) {
    for (Index b = 0; b < blocks_; ++b) {
        const Index low = std::max<Index>(0, b - 1), high = std::min(blocks_ - 1, b + 1);
        bool off = false;
        for (Index n = low; n <= high; ++n) off = off || !(worst_[n] <= tolerance);
        active_[b] = off;
        for (Index n = low; n <= high && off; ++n) dirty_[n] = moved_[n] = 1;
    }
}

// Each block alone, for three right sides: its own, and one unit of either neighbour.
void LongChain::solveBlocks() {
    parallelFor((blocks_ + 3) / 4, 2, [&](Index g0, Index g1) {
        for (Index g = g0; g < g1; ++g) {
            const Index s = g * 4 * kBlock;
            bool any = false;
            for (Index b = 4 * g; b < std::min(blocks_, 4 * g + 4); ++b) any = any || active_[b];
            if (!any) continue;
            Pack4 inv = Pack4(1.0) / lanes(diagonal_, s), r = lanes(residual_, s),
                  left = lanes(off_, s);
            put(pivot_, s, inv);
            put(lambda_, s, r);
            put(before_, s, left);
            for (Index k = 1; k < kBlock; ++k) {
                const Pack4 o = lanes(off_, s + k), m = o * inv;
                inv = Pack4(1.0) / (lanes(diagonal_, s + k) - m * o);
                r = lanes(residual_, s + k) - m * r;
                left = -(m * left);
                put(pivot_, s + k, inv);
                put(lambda_, s + k, r);
                put(before_, s + k, left);
            }
            Pack4 right = lanes(off_, s + kBlock) * inv;
            r = r * inv;
            left = left * inv;
            for (Index k = kBlock - 1;; --k) {
                put(lambda_, s + k, r);
                put(before_, s + k, left);
                put(after_, s + k, right);
                if (k == 0) break;
                const Pack4 o = lanes(off_, s + k);
                inv = lanes(pivot_, s + k - 1);
                r = (lanes(lambda_, s + k - 1) - o * r) * inv;
                left = (lanes(before_, s + k - 1) - o * left) * inv;
                right = -(o * right) * inv;
            }
        }
    });
}

// Between block k and k + 1 the unknowns are a, the last of k, and b, the first of k + 1:
// a_k = s_k - t_k b_{k+1}, b_k = p_k - q_k b_{k+1}.
void LongChain::joinBlocks() {
    double s = 0, t = 0;
    for (Index k = 0; k + 1 < blocks_; ++k) {
        const Index l = (k + 1) * kBlock - 1, f = l + 1;
        // A block that is left alone has lambda 0 and answers nobody.
        const double here = active_[k], there = active_[k + 1];
        const double c = here * (lambda_[l] - before_[l] * s),
                     d = here * (after_[l] - before_[l] * t);
        const double den = 1 / (1 - there * before_[f] * d);
        p_[k] = there * (lambda_[f] - before_[f] * c) * den;
        q_[k] = there * after_[f] * den;
        s = s_[k] = c - d * p_[k];
        t = t_[k] = -d * q_[k];
    }
    double next = 0;
    for (Index k = blocks_ - 2; k >= 0; --k) {
        last_[k + 1] = s_[k] - t_[k] * next;
        next = first_[k] = p_[k] - q_[k] * next;
    }
}

void LongChain::move() {
    parallelFor(blocks_, 8, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            const Index s = b * kBlock, e = std::min(edges_, s + kBlock);
            const double a = last_[b], n = first_[b];
            if (!active_[b]) {
                if (s > 0 && a != 0) {
                    x[s] -= w[s] * 2 * a * gx_[s - 1];
                    y[s] -= w[s] * 2 * a * gy_[s - 1];
                    z[s] -= w[s] * 2 * a * gz_[s - 1];
                }
                continue;
            }
            for (Index i = s; i < e; ++i)
                lambda_[i] = 2 * (lambda_[i] - before_[i] * a - after_[i] * n);
            // A node takes the impulse of its edge less that of the edge before, which may be the
            // neighbour's: that one's lambda is known here too.
            const double from = 2 * a;
            if (s > 0) {
                x[s] += w[s] * (lambda_[s] * gx_[s] - from * gx_[s - 1]);
                y[s] += w[s] * (lambda_[s] * gy_[s] - from * gy_[s - 1]);
                z[s] += w[s] * (lambda_[s] * gz_[s] - from * gz_[s - 1]);
            } else {
                x[0] += w[0] * lambda_[0] * gx_[0];
                y[0] += w[0] * lambda_[0] * gy_[0];
                z[0] += w[0] * lambda_[0] * gz_[0];
            }
            for (Index i = s + 1; i < e; ++i) {
                x[i] += w[i] * (lambda_[i] * gx_[i] - lambda_[i - 1] * gx_[i - 1]);
                y[i] += w[i] * (lambda_[i] * gy_[i] - lambda_[i - 1] * gy_[i - 1]);
                z[i] += w[i] * (lambda_[i] * gz_[i] - lambda_[i - 1] * gz_[i - 1]);
            }
            if (e == edges_) {
                x[e] -= w[e] * lambda_[e - 1] * gx_[e - 1];
                y[e] -= w[e] * lambda_[e - 1] * gy_[e - 1];
                z[e] -= w[e] * lambda_[e - 1] * gz_[e - 1];
            }
        }
    });
}

} // namespace purl
