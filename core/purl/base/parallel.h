// The two words of parallel code: parallelFor and orderedSum. The same input gives the same bits at
// every thread count: elements write their own slots, sums are taken over fixed blocks in order.
#pragma once

#include "purl/base/types.h"

#include <memory>
#include <type_traits>

namespace purl {

// A non-owning reference to a callable, so that the scheduler stays in one source file.
template <class Signature>
class FunctionRef;
template <class R, class... A>
class FunctionRef<R(A...)> {
public:
    template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
    FunctionRef(F&& f) // NOLINT: implicit on purpose
        : object_(const_cast<void*>(static_cast<const void*>(&f))), call_([](void* o, A... a) -> R {
              return (*static_cast<std::remove_reference_t<F>*>(o))(a...);
          }) {}
    R operator()(A... a) const { return call_(object_, a...); }

private:
    void* object_;
    R (*call_)(void*, A...);
};

// Calls body(begin, end) over pieces that cover [0, n), each at least `grain` long but the last.
// The body must not depend on how the range was cut.
void parallelFor(Index n, Index grain, FunctionRef<void(Index, Index)> body);

// Sum over [0, n) of body(begin, end) taken over blocks of fixed length `block`, added in order.
double orderedSum(Index n, Index block, FunctionRef<double(Index, Index)> body);
// The same with max instead of +.
double orderedMax(Index n, Index block, FunctionRef<double(Index, Index)> body);

// Limits the threads of parallelFor while it lives; 0 means all of the machine's. A host makes one.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace purl
