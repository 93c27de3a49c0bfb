#include "purl/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

using namespace purl;

TEST(Parallel, CoversTheRangeOnce) {
    std::vector<std::atomic<int>> seen(10007);
    parallelFor(10007, 64, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) ++seen[i];
    });
    for (auto& s : seen) EXPECT_EQ(s, 1);
}

TEST(Parallel, OrderedSumHasOneAnswerAtEveryThreadCount) {
    std::set<double> answers;
    for (int threads : {1, 2, 3, 8}) {
        ThreadLimit limit(threads);
        for (int repeat = 0; repeat < 20; ++repeat)
            answers.insert(orderedSum(100000, 128, [](Index a, Index b) {
                double s = 0;
                for (Index i = a; i < b; ++i) s += std::sin(1e3 * i) * 1e-3;
                return s;
            }));
    }
    EXPECT_EQ(answers.size(), 1u);
}

TEST(Parallel, ThreadLimitAllowsMoreThreadsThanCores) {
    ThreadLimit limit(3);
    std::mutex guard;
    std::set<std::thread::id> ids;
    for (int round = 0; round < 50 && ids.size() < 3; ++round)
        parallelFor(64, 1, [&](Index, Index) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            std::lock_guard<std::mutex> lock(guard);
            ids.insert(std::this_thread::get_id());
        });
    EXPECT_EQ(ids.size(), 3u);
}
