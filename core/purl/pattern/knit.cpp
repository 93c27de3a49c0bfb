#include "purl/pattern/knit.h"

#include "purl/pattern/relax.h"
#include "purl/pattern/strand_set.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

// A node of a course on its way into a chain.
struct Node {
    Index point;
    Tag tag;
};
using Course = std::vector<Node>; // from left to right

class Knitter {
public:
    Knitter(const StitchField& field, const PatternSettings& settings)
        : s_(settings), gauge_{settings.waleSpacing, settings.courseSpacing, settings.radius},
          helix_(settings.tube && settings.continuous),
          tile_(knitTile(field, gauge_, settings.tube ? settings.wales : 0, helix_)) {}

    Pattern make() {
        for (Index i = 0; i < s_.courses; ++i) courses_.push_back(knitCourse(i));
        if (s_.bindOff) courses_.push_back(bindOffCourse());
        if (s_.tube)
            joinTube();
        else
            joinFlat();
        RelaxSettings settings;
        settings.radius = s_.radius;
        settings.sweeps = 200;
        // A bound selvedge bends like one yarn through the weld, though each course ends there.
        StrandSet cut = cutChains(set_);
        cut.strands.flow = set_.strands.chains;
        requireRoom(relax(cut.strands, settings), gauge_);
        return toPattern(cut, s_.radius);
    }

private:
    bool lastCourse(Index i) const { return i == s_.courses - 1; }

    Course knitCourse(Index i) {
        Course course;
        for (Index j = 0; j < s_.wales; ++j)
            for (Index k = 0; k < kPointsPerLoop; ++k) course.push_back(loopPoint(i, j, k));
        if (!s_.tube) course.push_back(loopPoint(i, s_.wales - 1, kPointsPerLoop));
        return course;
    }

    // Free to move are the outer halves of the border wales and what the bind-off thread touches:
    // the rest fits already as it comes from the tile.
    Node loopPoint(Index i, Index j, Index k) {
        bool free = false;
        if (!s_.tube) free = (j == 0 && k <= 4) || (j == s_.wales - 1 && k >= 4);
        if (s_.bindOff) free = free || i >= s_.courses - 2;
        if (helix_) // its two ends
            free = free || (i == 0 && j == 0) || (lastCourse(i) && j == s_.wales - 1);
        Tag tag{i, j, 0};
        if (!s_.tube && j == 0 && k <= 2) tag.edges |= kLeft;
        if (!s_.tube && j == s_.wales - 1 && k >= 6) tag.edges |= kRight;
        if (i == 0 && (k <= 1 || k >= 7)) tag.edges |= kBottom;
        if (lastCourse(i) && k >= 3 && k <= 5) tag.edges |= kTop;
        return {set_.addPoint(tile_.at(i, j, k), !free), tag};
    }

    Vec3 outwards(const Vec3& p) const {
        return s_.tube ? Vec3(p[0], 0, p[2]).normalized() : Vec3(0, 0, 1);
    }

    // Through every live loop of the last course, where the next one's sinkers would lie: behind
    // the left leg, through the opening to the front, over the right leg and back between wales.
    Course bindOffCourse() {
        const Index top = s_.courses - 1;
        const auto left = [&](Index j) {
            const Vec3 p = 0.6 * tile_.at(top, j, 2) + 0.4 * tile_.at(top, j, 3);
            return Vec3(p - 1.6 * s_.radius * outwards(p));
        };
        const auto right = [&](Index j) {
            const Vec3 p = 0.6 * tile_.at(top, j, 6) + 0.4 * tile_.at(top, j, 5);
            return Vec3(p + 1.6 * s_.radius * outwards(p));
        };
        Course course;
        const auto add = [&](const Vec3& p, Index j, std::uint8_t side) {
            const Tag tag{s_.courses, j, static_cast<std::uint8_t>(kTop | side)};
            course.push_back({set_.addPoint(p, false), tag});
        };
        for (Index j = 0; j < s_.wales; ++j) {
            const bool first = j == 0 && !s_.tube, last = j == s_.wales - 1 && !s_.tube;
            add(0.5 * (right(j - 1) + left(j)), j, first ? kLeft : 0);
            add(left(j), j, first ? kLeft : 0);
            add(0.5 * (left(j) + right(j)), j, 0);
            add(right(j), j, last ? kRight : 0);
            if (last) add(0.5 * (right(j) + left(j + 1)), j, kRight);
        }
        return course;
    }

    // Flat knitting turns at the end of a course and works back: course i meets course i + 1 at
    // the right if i is even, at the left if it is odd. The turn's outermost point is shared by
    // both courses: welded, or passed by the one yarn.
    void joinFlat() {
        const Index n = static_cast<Index>(courses_.size());
        const bool joined = s_.bindSelvedges || s_.continuous;
        std::vector<Node> turns;
        for (Index i = 0; joined && i + 1 < n; ++i) turns.push_back(turn(i));
        for (Index i = 0; i < n; ++i) {
            if (i == 0 || !joined) set_.startChain(tile_.edge, false);
            Course course = courses_[i];
            if (joined && i % 2 == 1) std::reverse(course.begin(), course.end());
            if (joined && i + 1 < n) course.push_back(turns[i]);
            for (const Node& node : course) set_.addNode(node.point, node.tag);
        }
    }

    Node turn(Index i) {
        const bool right = i % 2 == 0;
        const Node a = right ? courses_[i].back() : courses_[i].front();
        const Node b = right ? courses_[i + 1].back() : courses_[i + 1].front();
        const Vec3 xa = set_.strands.x[a.point], xb = set_.strands.x[b.point];
        const double out = (right ? 1 : -1) * 0.5 * gauge_.course;
        Tag tag = a.tag;
        tag.edges |= right ? kRight : kLeft;
        tag.cut = !s_.continuous;
        return {set_.addPoint(0.5 * (xa + xb) + Vec3(out, 0, 0), false), tag};
    }

    void joinTube() {
        for (std::size_t i = 0; i < courses_.size(); ++i) {
            if (i == 0 || !helix_) set_.startChain(tile_.edge, !helix_);
            for (const Node& node : courses_[i]) set_.addNode(node.point, node.tag);
        }
    }

    const PatternSettings& s_;
    KnitGauge gauge_;
    bool helix_;
    KnitTile tile_;
    StrandSet set_;
    std::vector<Course> courses_;
};

} // namespace

Pattern makeKnit(const StitchField& field, const PatternSettings& settings) {
    return Knitter(field, settings).make();
}

} // namespace purl
