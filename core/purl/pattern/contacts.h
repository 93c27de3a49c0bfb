// Near pairs of points on strands, found with a grid over all images of the lattice.
#pragma once

#include "purl/pattern/strands.h"

namespace purl {

struct NearPair {
    Index a, b;  // samples
    Shift shift; // of b
};

class Contacts {
public:
    // spacing: m between samples, exclude: m of arc under which two points of a strand are not a
    // pair.
    Contacts(const Strands&, double spacing, double exclude);

    void update(const Strands&);                // sample positions and tangents
    void find(const Strands&, double cutoff);   // all pairs nearer than cutoff (m)
    double spacing() const { return spacing_; } // m, at most
    const std::vector<NearPair>& pairs() const { return pairs_; }
    const std::vector<Sample>& samples() const { return samples_; }
    // The pair's distance, if it is the nearest among the neighbouring samples, refined between
    // them to first order; a negative number if it is not. `direction` points from b to a.
    // A pair farther apart than `limit` (m) is not looked at.
    double localMinimum(const Strands&, const NearPair&, double limit, Vec3& direction) const;
    // The smallest distance of all pairs that `find` knows, at most `otherwise`.
    double smallest(const Strands&, double otherwise) const;

private:
    void locate(const Strands&, Index sample);
    void look(const Strands&, Index sample); // at its neighbours on the strand
    void measure(const Strands&);            // arc lengths
    void keepNearActive(double reach);
    void markJoints(const Chain&, Index first, Index last);
    bool excluded(const Strands&, Index a, Index b, Shift g) const;

    double spacing_;
    double exclude_;
    std::vector<Sample> samples_;
    std::vector<Index> firstSample_; // per chain
    std::vector<double> length_;     // m, per chain
    std::vector<std::uint8_t> weld_; // per point: it stands in several places
    std::vector<Vec3> p_;            // m, per sample
    std::vector<Vec3> before_;       // m, the previous sample on the strand, itself at an end
    std::vector<Vec3> after_;        // m, the next one
    std::vector<Index> active_;      // samples that can move, and their neighbours
    std::vector<Index> relevant_;    // samples that can move or be met
    std::vector<NearPair> pairs_;
};

} // namespace purl
