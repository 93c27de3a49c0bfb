// Positions that a motion went through, and the other contacts evaluated at them afterwards, one
// after the other as in a run of their own. Nothing of this is inside the time that ACL gets.
#pragma once

#include "cli/bench_run.h"
#include "purl/contact/exact.h"
#include "purl/contact/hierarchy.h"

namespace purl::cli {

class BenchReplay {
public:
    explicit BenchReplay(const Scene&);

    void keep(const std::vector<Vec3>& x, bool judged); // before a step
    void keepForce(std::vector<Vec3> contactForce);     // after it, if judged
    void play(long steps);                              // of `steps` steps; then forgets them
    void finish(BenchResult&) const;

private:
    struct Kept {
        std::vector<Vec3> x, force;
        bool judged;
    };

    Curves rest_;
    Layout layout_;
    ExactContact exact_;
    HierarchyContact hierarchy_;
    Padded3 x_, f_;
    std::vector<Kept> kept_;
    std::size_t used_ = 0;
    double evaluate_ = 0, rebuild_ = 0, hierarchySeconds_ = 0; // s
    long evaluations_ = 0, rebuilds_ = 0, steps_ = 0;
    long judgedCalls_ = 0;
    double near_ = 0, touching_ = 0;
    double errorSquares_ = 0, forceSquares_ = 0, worst_ = 0;
    bool first_ = true;
};

} // namespace purl::cli
