#pragma once
#include <functional>
class UT_Interrupt;
namespace hdk {
// What tests set: asked every time a node asks, with what it says of its progress.
inline std::function<bool(int percent)> escape; // NOLINT: a test's handle on the double
} // namespace hdk
inline UT_Interrupt* UTgetInterrupt() { return nullptr; }
class UT_AutoInterrupt {
public:
    explicit UT_AutoInterrupt(const char*, UT_Interrupt* = UTgetInterrupt()) {}
    bool wasInterrupted(int percent = -1) const { return hdk::escape && hdk::escape(percent); }
};
