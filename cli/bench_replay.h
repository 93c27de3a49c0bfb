// Positions that a motion went through, and the other contacts evaluated at them afterwards, one
// after the other as in a run of their own. Nothing of this is inside the time that ACL gets.
#pragma once

#include "cli/bench_run.h"
#include "purl/contact/acl.h"
#include "purl/contact/exact.h"
#include "purl/contact/hierarchy.h"

namespace purl::cli {

class BenchReplay {
public:
    BenchReplay(const Scene&, double tau);

    struct Use {
        bool timed = false;  // (ii) is timed; else it only keeps its lists as old as they would be
        bool follow = false; // the force error's ACL keeps its models up: at even distances
        bool judged = false; // (i) is timed, and forces are compared
    };
    void keep(const std::vector<Vec3>& x, Use use);
    void play(); // what was kept; then forgets it
    void finish(BenchResult&) const;

private:
    struct Kept {
        std::vector<Vec3> x;
        Use use;
    };
    void playExact(bool timed);
    void playHierarchy();
    void judge(); // f_ holds the exact force

    Curves rest_;
    Layout layout_;
    ExactContact exact_;
    HierarchyContact hierarchy_;
    // Without friction, which exact contact has not: an ACL of its own that sees every so many
    // steps. A model is made anew before it is off by tau, however long the steps are.
    AclContact linear_;
    Padded3 x_, f_, g_;
    std::vector<Kept> kept_;
    std::size_t used_ = 0;
    double evaluate_ = 0, rebuild_ = 0, hierarchySeconds_ = 0; // s
    long evaluations_ = 0, rebuilds_ = 0, judged_ = 0, compared_ = 0, timedInRow_ = 0;
    double near_ = 0, touching_ = 0;
    double errorSquares_ = 0, forceSquares_ = 0, worst_ = 0;
};

} // namespace purl::cli
