// Adaptive contact linearization (Kaldor 2010; physics 4): contacts are evaluated by linear models
// that turn with the cloth and are made anew only where it deforms. What is exact stays in
// exact.h; with tau = 0 every set is summed anew each step and the two agree to rounding.
#pragma once

#include "purl/contact/coalesce.h"
#include "purl/contact/evaluate.h"
#include "purl/contact/schedule.h"

#include <memory>

namespace purl {

struct AclStats {
    long sets = 0;                                                               // now
    long steps = 0, rebuilt = 0, created = 0, deleted = 0, merged = 0, slid = 0; // so far
    long entries = 0, examined = 0, processed = 0; // of the schedule; the last two so far
    double bytesStreamed = 0;                      // B, of models and lanes, so far
    double bytesTotal = 0, bytesSchedule = 0;      // B, now: sets and schedule; schedule alone
    double secondsDetect = 0, secondsCreate = 0, secondsEvaluate = 0, secondsRemake = 0,
           secondsCommit = 0; // so far
    double slideHeat = 0;     // J, so far
};

class AclContact {
public:
    AclContact();
    AclContact(const Curves& rest, const Layout&, const std::vector<Material>&,
               const std::vector<Weld>&, const ContactSettings&);
    AclContact(AclContact&&) noexcept;
    AclContact& operator=(AclContact&&) noexcept;
    ~AclContact();

    void addForce(const Padded3& x, Padded3& f); // one call a step: it moves the schedule on
    // The same with models made at x, but forces of those models at another place, to which they
    // are turned: their matrices are then those of sets(). For implicit steps.
    void addForce(const Padded3& x, const Padded3& at, Padded3& f);
    const AclStats& stats() const;
    struct Survey {             // of all sets at x, pair by pair: for a frame's report
        double energy = 0;      // J
        double sticking = 0;    // J, in the springs of friction
        double smallestGap = 1; // of all pairs of points in a set: distance / (r_u + r_v)
        long touching = 0;      // sets
    };
    Survey survey(const Padded3& x) const;
    void resetStats();
    // Per slot: rebuilds of its contacts since the last reset.
    const std::vector<std::uint16_t>& updates() const;
    const SetStore& sets() const;
    const ModelBuilder& builder() const;

    // The sets with their models and springs, and the figures so far. The schedule is not saved:
    // what it finds depends on positions and covered pairs alone (schedule.h). Loading wants a
    // contact just made. Where settings or materials are others than those saved, every model is
    // made anew in the next step, and its springs go on with the forces they had.
    void save(class SnapshotWriter&) const;
    void load(class SnapshotReader&);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace purl
