// What every node does around its work: errors of the core become messages on the node, Esc is
// asked for, and nothing that is thrown leaves the plugin.
#pragma once

#include "purl/base/error.h"
#include "purl/base/monitor.h"

#include <SOP/SOP_NodeVerb.h>
#include <UT/UT_Interrupt.h>

#include <exception>
#include <string>

namespace purl::houdini {

// Esc, and a progress bar.
class InterruptMonitor final : public Monitor {
public:
    explicit InterruptMonitor(const char* what) : boss_(what) {}
    void progress(double fraction) override { percent_ = static_cast<int>(100 * fraction); }
    bool interrupted() override {
        if (!stopped_) stopped_ = boss_.wasInterrupted(percent_);
        return stopped_;
    }

private:
    UT_AutoInterrupt boss_;
    int percent_ = 0;
    bool stopped_ = false;
};

template <class Work>
void guarded(const SOP_NodeVerb::CookParms& cook, Work&& work) {
    try {
        work();
    } catch (const std::bad_alloc&) {
        cook.sopAddError(SOP_MESSAGE, "not enough memory");
    } catch (const std::exception& e) {
        cook.sopAddError(SOP_MESSAGE, e.what());
    } catch (...) {
        cook.sopAddError(SOP_MESSAGE, "something that is no std::exception was thrown");
    }
}

// All warnings of a kind as one line each; more than a few are counted.
template <class Warnings>
void warn(const SOP_NodeVerb::CookParms& cook, const Warnings& warnings) {
    constexpr std::size_t kShown = 10;
    for (std::size_t i = 0; i < warnings.size() && i < kShown; ++i)
        cook.sopAddWarning(SOP_MESSAGE, warnings[i].c_str());
    if (warnings.size() > kShown)
        cook.sopAddWarning(SOP_MESSAGE,
                           (std::to_string(warnings.size() - kShown) + " more warnings").c_str());
}

} // namespace purl::houdini
