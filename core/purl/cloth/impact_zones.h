// The last line of defence: points that impulses could not keep apart move together as a rigid
// body (Provot 1997, Bridson 2002), and if even that meets something, their motion is scaled back
// towards the start of the step, in the end to nothing. The start is free of meetings, so holding
// ever more points must come to an end.
#pragma once

#include "purl/cloth/sheet_contact.h"

namespace purl {

class ImpactZones {
public:
    explicit ImpactZones(std::size_t points);

    void clear();
    // Joins the four points of each hit, and the zones they are in.
    void join(const std::vector<SheetContact>& hits);
    // Gives every zone with a changed member the rigid motion of its momentum; marks who moved.
    void moveRigidly(const ContactWork& work, Span<std::uint8_t> moved);
    // Halves the motion of the hits' zones, the third time to nothing.
    void scaleBack(const std::vector<SheetContact>& hits, const ContactWork& work,
                   Span<std::uint8_t> moved);
    // Holds every point that is not pinned.
    void holdAll(const ContactWork& work, Span<std::uint8_t> moved);

    bool held(Index point) const;
    long zones() const;
    long points() const;     // in zones
    long heldPoints() const; // of those, with their motion scaled back

private:
    Index root(Index p);
    std::vector<std::vector<Index>> members();

    std::vector<Index> parent_;        // union-find; -1: in no zone
    std::vector<std::uint8_t> scaled_; // per point: how often; 3: held
    std::vector<Index> joined_;        // points in zones, in the order they came
};

} // namespace purl
