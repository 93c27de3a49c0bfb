#include "purl/base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>

namespace purl {

namespace {
// More threads than cores are allowed (the determinism tests ask for them), which the default arena
// of TBB would refuse: ThreadLimit installs an arena of its own.
tbb::task_arena* theArena = nullptr;

template <class F>
void inArena(F&& f) {
    if (theArena)
        theArena->execute(f);
    else
        f();
}

template <class Combine>
double orderedReduce(Index n, Index block, FunctionRef<double(Index, Index)> body, double start,
                     Combine combine) {
    const Index blocks = (n + block - 1) / block;
    if (blocks <= 1) return n > 0 ? combine(start, body(0, n)) : start;
    std::vector<double> part(blocks);
    parallelFor(blocks, 1, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) part[b] = body(b * block, std::min(n, (b + 1) * block));
    });
    for (double p : part) start = combine(start, p);
    return start;
}
} // namespace

struct ThreadLimit::Impl {
    explicit Impl(int n)
        : control(tbb::global_control::max_allowed_parallelism, n), arena(n), outer(theArena) {}
    tbb::global_control control;
    tbb::task_arena arena;
    tbb::task_arena* outer;
};

// Asked of the arena, not of tbb::info: Houdini 20.5 has a TBB from before oneTBB.
ThreadLimit::ThreadLimit(int threads)
    : impl_(std::make_unique<Impl>(threads > 0 ? threads : tbb::this_task_arena::max_concurrency())) {
    theArena = &impl_->arena;
}

ThreadLimit::~ThreadLimit() { theArena = impl_->outer; }

void parallelFor(Index n, Index grain, FunctionRef<void(Index, Index)> body) {
    if (n <= 0) return;
    if (n <= grain) {
        body(0, n);
        return;
    }
    inArena([&] {
        tbb::parallel_for(tbb::blocked_range<Index>(0, n, std::max<Index>(grain, 1)),
                          [&](const tbb::blocked_range<Index>& r) { body(r.begin(), r.end()); });
    });
}

double orderedSum(Index n, Index block, FunctionRef<double(Index, Index)> body) {
    return orderedReduce(n, block, body, 0.0, [](double a, double b) { return a + b; });
}

double orderedMax(Index n, Index block, FunctionRef<double(Index, Index)> body) {
    return orderedReduce(n, block, body, -std::numeric_limits<double>::infinity(),
                         [](double a, double b) { return std::max(a, b); });
}

} // namespace purl
