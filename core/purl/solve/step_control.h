// How long a step may be (physics 6.8, after Baraff and Witkin): halved when one is rejected,
// doubled again after some that went well, never longer than what the host asked for.
#pragma once

#include <algorithm>

namespace purl {

struct StepControlSettings {
    double smallest = 1.0 / 1024; // of the full step; below it a rejected step is kept or refused
    int cleanSteps = 4;           // after which a longer one is tried
};

class StepControl {
public:
    explicit StepControl(const StepControlSettings& s = {}) : settings_(s) {}
    // The next step in a full one of `dt` (s) of which `left` is to go. Steps are dt / 2^k, so that
    // a full step is always ended exactly.
    double next(double dt, double left) const { return std::min(left, dt * share_); }
    // False if there is no shorter step to try.
    bool reject() {
        clean_ = 0;
        ++rejected_;
        if (share_ * 0.5 < settings_.smallest) return false;
        share_ *= 0.5;
        return true;
    }
    void accept() {
        if (++clean_ < settings_.cleanSteps) return;
        clean_ = 0;
        share_ = std::min(1.0, 2 * share_);
    }
    double share() const { return share_; }
    long rejected() const { return rejected_; }
    template <class Self, class Archive>
    static void fields(Self& s, Archive& a) { // of a checkpoint
        a(s.share_, s.clean_, s.rejected_);
    }

private:
    StepControlSettings settings_;
    double share_ = 1;
    int clean_ = 0;
    long rejected_ = 0;
};

} // namespace purl
