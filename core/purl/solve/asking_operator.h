// A matrix that asks its host now and then whether the answer is still wanted, so that Esc is heard
// in the middle of a long solve.
#pragma once

#include "purl/base/monitor.h"
#include "purl/solve/operator.h"

namespace purl {

struct Interrupted {}; // thrown through a step that is not to end; its state is not to be used

class AskingOperator final : public LinearOperator {
public:
    // `monitor` may be null: then it never asks. Both outlive this.
    AskingOperator(const LinearOperator& a, Monitor* monitor) : a_(a), monitor_(monitor) {}
    Index size() const override { return a_.size(); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override {
        if (monitor_ && ++calls_ % 4 == 0 && monitor_->interrupted()) throw Interrupted();
        a_.apply(x, y);
    }

private:
    const LinearOperator& a_;
    Monitor* monitor_;
    mutable int calls_ = 0;
};

// Who is asked while a frame is solved.
class AskedWhile {
public:
    AskedWhile(Monitor*& place, Monitor& monitor) : place_(place) { place_ = &monitor; }
    ~AskedWhile() { place_ = nullptr; }
    AskedWhile(const AskedWhile&) = delete;
    AskedWhile& operator=(const AskedWhile&) = delete;

private:
    Monitor*& place_;
};

} // namespace purl
