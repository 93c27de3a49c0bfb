// Where the threads of one family are: lines at given distances that repeat without end.
#pragma once

#include "purl/base/types.h"

#include <algorithm>
#include <cmath>

namespace purl {

class ThreadGrid {
public:
    // `gaps`: m from each thread to the next, one repeat; scaled so that their mean is `spacing`.
    ThreadGrid(const std::vector<double>& gaps, double spacing) : at_{0} {
        const std::size_t n = std::max<std::size_t>(1, gaps.size());
        double sum = 0;
        for (double g : gaps) sum += g;
        for (std::size_t i = 0; i < n; ++i)
            at_.push_back(at_.back() + (gaps.empty() ? spacing : gaps[i] * spacing * n / sum));
        period_ = at_.back();
        at_.pop_back();
        first_ = 0.5 * (period_ - at_.back()); // half a gap from the origin
        mean_ = period_ / static_cast<double>(n);
    }
    double at(Index k) const { // m
        const Index n = static_cast<Index>(at_.size()), lap = floorDiv(k, n);
        return first_ + lap * period_ + at_[k - lap * n];
    }
    // The first thread at or after x (m).
    Index from(double x) const {
        const Index n = static_cast<Index>(at_.size());
        const double lap = std::floor((x - first_) / period_);
        Index k = static_cast<Index>(lap) * n;
        while (at(k) >= x) --k;
        while (at(k) < x) ++k;
        return k;
    }
    double mean() const { return mean_; } // m
    // The smaller of the gaps beside thread k, m.
    double gap(Index k) const { return std::min(at(k) - at(k - 1), at(k + 1) - at(k)); }

private:
    static Index floorDiv(Index a, Index b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
    std::vector<double> at_;
    double period_ = 1, first_ = 0, mean_ = 1;
};

} // namespace purl
