// What Purl keeps with a DOP object from step to step. Copies share the running solver; the first
// of them to go on takes it along, the others make theirs again from their own state. So a cache of
// many steps costs one state each, and going back is right to the bit.
#pragma once

#include "purl/host/session.h"

#include <SIM/SIM_DataUtils.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_OptionsUser.h>

#include <array>
#include <memory>

class SIM_PurlState : public SIM_Data { // SideFX's factory wants names without a namespace
public:
    // Begins with the object's geometry, or goes on by one step of `seconds`, with the parameters
    // of a solver's data. Says what is wrong in `problem`; never throws.
    bool solve(SIM_Object& object, const SIM_Options& parameters, double seconds, bool isNew,
               std::string& problem);

protected:
    explicit SIM_PurlState(const SIM_DataFactory* factory);
    void initializeSubclass() override;
    void makeEqualSubclass(const SIM_Data* source) override;
    void saveSubclass(std::ostream& os) const override;
    bool loadSubclass(UT_IStream& is) override;
    int64 getMemorySizeSubclass() const override;

private:
    void begin(const purl::SessionSettings& settings, const purl::ColliderFrames& colliders);
    void catchUp(const purl::SessionSettings& settings, const purl::ColliderFrames& colliders);
    void start(GU_Detail& gdp, const purl::SessionSettings& settings,
               const purl::ColliderFrames& colliders, std::vector<std::string>& warnings);
    void advance(const SIM_Object& object, const GU_Detail& gdp,
                 const purl::SessionSettings& settings, purl::ColliderFrames colliders,
                 std::vector<std::string>& warnings);

    std::shared_ptr<purl::Session> session_; // may be ahead of this state: look at step_
    std::shared_ptr<const purl::Detail> start_;
    std::shared_ptr<const std::vector<char>> state_; // of step_
    // Colliders a step back and at this state: the next step needs to know how they move.
    std::array<std::shared_ptr<const purl::ColliderFrames>, 2> seen_;
    int step_ = 0;

    static const SIM_DopDescription* getDopDescription();
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_PurlState, SIM_Data, "Purl State", getDopDescription());
};
