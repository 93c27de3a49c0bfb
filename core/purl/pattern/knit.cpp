#include "purl/pattern/knit.h"

#include "purl/pattern/relax.h"
#include "purl/pattern/rows.h"

#include <cmath>

namespace purl {

namespace {

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
        // A bound selvedge bends like one yarn through the weld, though each course ends there.
        StrandSet cut = cutChains(set_);
        cut.strands.flow = set_.strands.chains;
        requireRoom(relaxBorder(cut.strands, s_.radius), s_.radius);
        return toPattern(cut, s_.radius);
    }

private:
    bool lastCourse(Index i) const { return i == s_.courses - 1; }

    Row knitCourse(Index i) {
        Row course;
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
    Row bindOffCourse() {
        const Index top = s_.courses - 1;
        const auto left = [&](Index j) {
            const Vec3 p = 0.6 * tile_.at(top, j, 2) + 0.4 * tile_.at(top, j, 3);
            return Vec3(p - 2.0 * s_.radius * outwards(p));
        };
        const auto right = [&](Index j) {
            const Vec3 p = 0.6 * tile_.at(top, j, 6) + 0.4 * tile_.at(top, j, 5);
            return Vec3(p + 2.0 * s_.radius * outwards(p));
        };
        Row course;
        const auto add = [&](const Vec3& p, Index j, std::uint8_t side) {
            const Tag tag{s_.courses, j, static_cast<std::uint8_t>(kTop | side)};
            course.push_back({set_.addPoint(p, false), tag});
        };
        const Vec3 aside(0.25 * gauge_.wale, 0, 0);
        for (Index j = 0; j < s_.wales; ++j) {
            const bool first = j == 0 && !s_.tube, last = j == s_.wales - 1 && !s_.tube;
            add(first ? Vec3(left(j) - aside) : Vec3(0.5 * (right(j - 1) + left(j))), j,
                first ? kLeft : 0);
            add(left(j), j, first ? kLeft : 0);
            add(0.5 * (left(j) + right(j)), j, 0);
            add(right(j), j, last ? kRight : 0);
            if (last) add(right(j) + aside, j, kRight);
        }
        return course;
    }

    void joinFlat() {
        Turning turning;
        turning.reach = 0.5 * gauge_.course;
        turning.continuous = s_.continuous;
        std::vector<Node> turns;
        if (s_.bindSelvedges || s_.continuous) turns = makeTurns(set_, courses_, turning);
        if (s_.bindOff && turns.size() > 1) fasten(courses_.back(), turns[turns.size() - 2].point);
        addRows(set_, courses_, turns, tile_.edge);
    }

    // The far end of the bind-off thread is brought down around to the last turn on its side, and
    // meets it from outside.
    void fasten(Row& course, Index turnPoint) {
        const bool right = s_.courses % 2 == 0; // the bind-off's far side
        const Node end = right ? course.back() : course.front();
        Tag tag = end.tag;
        tag.edges = right ? kRight : kLeft;
        const Vec3 from = set_.strands.x[end.point], to = set_.strands.x[turnPoint];
        const double c = gauge_.course, side = right ? 1 : -1;
        const auto add = [&](Index point) {
            course.insert(right ? course.end() : course.begin(), Node{point, tag});
        };
        add(set_.addPoint(from + Vec3(side * c, -0.2 * c, 0), false));
        add(set_.addPoint(0.5 * (from + to) + Vec3(side * 1.4 * c, 0, 0), false));
        add(set_.addPoint(to + Vec3(side * 0.75 * c, 0.1 * c, 0), false));
        add(turnPoint);
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
    std::vector<Row> courses_;
};

} // namespace

Pattern makeKnit(const StitchField& field, const PatternSettings& settings) {
    return Knitter(field, settings).make();
}

} // namespace purl
