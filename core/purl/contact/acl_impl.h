// What AclContact is made of.
#pragma once

#include "purl/contact/acl.h"
#include "purl/contact/pair_list.h"

namespace purl {

struct AclContact::Impl {
    Impl(const Curves& rest, const Layout&, const std::vector<Material>&, const std::vector<Weld>&,
         const ContactSettings&);

    void detect(const Padded3& x);                // new touching pairs -> sets without models
    void insert(const NewBox&, const Padded3& x); // merges with what is there, or fits in beside it
    void create(const Padded3& x);                // their models
    void step(const Padded3& x, const Padded3* at, Padded3& f);
    void commit(Padded3& f); // sets that changed size, and those that let go

    // The model of a set at x, in its frame of now. False if nothing touches.
    struct Fresh {
        Index id;
        PointBox box; // wanted
        double nearest;
        long touching;
        bool moved; // the control points changed: it needs another record
        Stiction stiction;
        LinearModel model;
    };
    void remodel(Index id, const Padded3& x, const Eigen::Vector3f carried[Stiction::kSprings],
                 Fresh& out) const;
    // What the springs of a set pull with at x, N, world axes; returns the energy they hold, J.
    double springForces(Index id, const Padded3& x, Eigen::Vector3f out[Stiction::kSprings]) const;
    PointBox wanted(const PointBox& box, const PointBox& touch) const;
    void write(const Fresh&, SetStore::Region&, Index lane) const;
    void adopt(const Fresh&, ContactSet&) const;
    struct Outcome { // of one region in one step; kept to reuse its memory
        std::vector<Index> rebuilt;
        std::vector<Fresh> changed;
        long slid = 0;
        double heat = 0;
    };
    enum class Pass { Whole, Remake, Slide }; // at once, or in two
    void evaluateRegion(const Padded3& x, SetStore::Region&, Outcome&, Pass);
    void evaluate(const Padded3& x, Pass); // all models; stale ones are made anew
    Padded3 unused;                        // forces of the first of two passes
    void keepTurn(const Padded3& x, SetStore::Region&, int size, Index first, int lanes,
                  const Pack8 before[4], RecordResult&);
    void rebuildLane(const Padded3& x, SetStore::Region&, int size, Index lane, const RecordResult&,
                     Outcome&);
    static Eigen::Quaternionf turnOf(const SetStore::Region&, int size, Index lane);
    static const Pack8* restOf(const SetStore::Region&, int size, Index lane);
    void slide(SetStore::Region&, int size, Index lane, RecordResult&, Outcome&);

    // Whether models are kept at all: with tau = 0 explicit steps need forces alone.
    bool models() const { return settings.tau > 0 || settings.positive; }

    ContactSettings settings;
    Layout const* layout;
    Quadrature quadrature;
    Exclusion exclusion;
    ModelBuilder builder;
    Coalescer coalescer;
    // Who finds new contacts: the schedule, or for implicit steps the list of near pairs.
    template <class Work>
    void finder(Work&& work) {
        if (settings.positive)
            work(list);
        else
            work(schedule);
    }
    ScheduleStats finderStats() const {
        return settings.positive ? list.stats() : schedule.stats();
    }
    Schedule schedule;
    PairList list;
    SetStore store;
    std::vector<PointPair> found;
    std::vector<NewBox> boxes;
    std::vector<Index> fresh, near;
    std::vector<Outcome> outcome;
    std::vector<std::uint16_t> updates;
    AclStats stats;
};

} // namespace purl
