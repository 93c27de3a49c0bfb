// The models of eight sets at once (physics 4.2, 4.3): gather, turn back, multiply, turn forth.
#pragma once

#include "purl/contact/corotate.h"
#include "purl/contact/set_store.h"

namespace purl {

struct RecordResult {
    Pack8 z[3 * kMaxControls];     // m, displacement from the model's shape, in its frame
    Pack8 force[3 * kMaxControls]; // N, world
    M3<Pack8> turn;                // model -> world
    unsigned stale = 0;            // lanes whose model no longer holds (physics 4.4)
    unsigned slides = 0;           // lanes in which a spring may slide
};

// One record of n control points; `lanes` of `count` sets. Updates the rotations in the record.
void evaluateRecord(int n, Pack8* record, const SetStore::Lane* lanes, int count, const Double4* x,
                    RecordResult& out, bool turns = true);
// To the sums of a region; lanes in `skip` are left out.
void addForces(const SetStore::Lane*, int count, int n, unsigned skip, const RecordResult&,
               Float4* sum);

} // namespace purl
