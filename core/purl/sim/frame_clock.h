// Where a frame stands, in whole ticks: steps are the frame's full step halved so and so often, so
// that a frame is always ended exactly and a run without rejections has the same bits as if nothing
// were ever halved. How often it is halved lives on from frame to frame (and in a checkpoint).
#pragma once

#include <algorithm>

namespace purl {

class FrameClock {
public:
    static constexpr int kMostHalvings = 16;

    // halvings: how often the full step may be halved.
    void start(double frame /*s*/, long fullSteps, int halvings) {
        frame_ = frame;
        steps_ = fullSteps;
        most_ = std::min(halvings, kMostHalvings);
        level_ = std::min(level_, most_);
        tick_ = 0;
    }
    bool done() const { return tick_ >= total(); }
    double dt() const { return frame_ / static_cast<double>(steps_ << level_); } // s
    // Time inside the frame, 0..1, at the end of the next step.
    double next() const {
        return static_cast<double>(tick_ + width()) / static_cast<double>(total());
    }
    double now() const { return static_cast<double>(tick_) / static_cast<double>(total()); }
    bool last() const { return tick_ + width() >= total(); }
    bool smallest() const { return level_ >= most_; }
    void reject() {
        shorten();
        scared_ = true;
    }
    // The next step is half as long.
    void shorten() {
        clean_ = 0;
        if (!smallest()) ++level_;
    }
    // After `clean` steps since a rejection, or `quick` steps if there was none at this length, the
    // next is twice as long, where it ends on the grid of longer steps; `calm` false keeps it as it
    // is.
    void accept(int clean, int quick, bool calm) {
        tick_ += width();
        ++clean_;
        if (level_ == 0 || clean_ < (scared_ ? clean : quick) || !calm ||
            tick_ % (2 * width()) != 0)
            return;
        --level_;
        clean_ = 0;
        scared_ = false;
    }
    void accept(int clean) { accept(clean, clean, true); }
    // The first frame begins with steps of at most this length, s.
    void beginWith(double longest) {
        while (!smallest() && dt() > longest) ++level_;
    }
    int level() const { return level_; }
    int cleanSteps() const { return clean_; }
    template <class Self, class Archive>
    static void fields(Self& s, Archive& a) { // of a checkpoint
        a(s.frame_, s.steps_, s.tick_, s.most_, s.level_, s.clean_, s.scared_);
    }

private:
    long width() const { return 1L << (kMostHalvings - level_); }
    long total() const { return steps_ << kMostHalvings; }
    double frame_ = 0;
    long steps_ = 1, tick_ = 0;
    int most_ = 0, level_ = 0, clean_ = 0;
    bool scared_ = false; // by a rejection since steps had their present length
};

} // namespace purl
