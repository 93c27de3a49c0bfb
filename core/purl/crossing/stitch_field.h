// The shape of a knit in its plane, as crossings: where the loop of one course goes through the
// loop below it. Loops are the thin ones of pattern/knit_tile.h, x = u (t + 1.3 sin 2t),
// y = 0.8 c cos t, and their four meetings with the course below are the nodes of a stitch (physics
// 7.3: two stitch contacts of two nodes each).
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

// In wales (x) and courses (y), from the middle of the upper loop's cell. The left contact is its
// foot (beside the lower loop's leg) and then its leg (over the lower loop's head); the right one
// is the mirror image. Both yarns go through foot and leg one after the other, upwards at the left
// and downwards at the right.
struct StitchShape {
    Vec2 leftFoot, leftLeg, rightLeg, rightFoot;
    std::array<Vec2, 4> all() const { return {leftFoot, leftLeg, rightLeg, rightFoot}; }
};
const StitchShape& stitchShape();

// Which of the two yarns is over: +1 the upper loop's, -1 the lower's. A knit stitch (+1) comes out
// of the lower loop to the front: its feet are behind, its legs before.
inline int upperLift(int stitch, int nodeOfStitch /*0..3 as in all()*/) {
    return nodeOfStitch == 0 || nodeOfStitch == 3 ? -stitch : stitch;
}

} // namespace purl
