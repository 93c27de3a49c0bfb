// How far things can have moved *relative to their neighbours* since a list was made. A list that
// looked `skin` ahead stays complete as long as no two pieces that were not in it approached by more.
// Cloth that falls or swings as a whole moves far but not relatively, so displacements are compared
// inside cells of three sizes: near pieces may approach by the skin, farther ones by more.
#pragma once

#include "purl/base/types.h"
#include "purl/model/layout.h"

#include <array>

namespace purl {

class MotionBound {
public:
    // Remembers positions; `slot` lists the segments' first vertices, `reach` is the largest 2r.
    void reset(const Padded3& x, const std::vector<Index>& slot, double reach, double skin);
    // True while no pair outside the list can be nearer than `reach`.
    bool holds(const Padded3& x, const std::vector<Index>& slot);

private:
    static constexpr int kLevels = 3;
    struct Box {
        Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
        void add(const Box& b) {
            low = low.cwiseMin(b.low);
            high = high.cwiseMax(b.high);
        }
        double diagonal() const { return (high - low).norm(); }
    };
    static Box displacement(const Padded3& x, const Padded3& x0, Index slot);
    struct Level {
        double allowed = 0;                    // m, of relative motion
        std::vector<Index> parent;             // of each item of the level below: its cell here
        std::vector<Index> neighbourStart, neighbour; // cells beside a cell, itself included
        std::vector<Box> box;                  // scratch: displacement in each cell
    };
    Padded3 start_;
    std::vector<Box> item_;             // scratch: displacement of each segment
    std::vector<Level> level_;
    double global_ = 0; // m, allowed between any two pieces
};

} // namespace purl
