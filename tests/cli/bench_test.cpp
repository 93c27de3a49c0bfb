// `purl bench acl` on a small knit: every figure is there, and what is not a time is repeatable.
#include "cli/command.h"

#include <nlohmann/json.hpp>

namespace purl {
namespace {

class Bench : public Command {
protected:
    nlohmann::json run(const std::string& flags) const {
        const Outcome o = purl("bench acl --seconds 0.04 --json --quiet --csv acl.csv " + flags);
        EXPECT_EQ(o.code, 0) << o.text;
        return nlohmann::json::parse(o.text, nullptr, false);
    }
};

TEST_F(Bench, TellsEveryFigureAndKeepsThem) {
    const nlohmann::json j = run("--loops 100 --threads-compare");
    ASSERT_TRUE(j.is_object());
    for (const char* key :
         {"contact_speedup_paper", "overall_speedup_paper", "contact_speedup_simd",
          "overall_speedup_simd", "updates_percent", "force_error_percent", "bandwidth_ratio",
          "bytes_per_set", "ms_per_step_acl", "loops", "contacts", "ms_evaluate", "ms_rods",
          "schedule_examined", "peak_memory_mb", "bandwidth_read", "threads_speedup"})
        EXPECT_GT(j.value(key, 0.0), 0.0) << key;
    EXPECT_EQ(j["loops"], 100);
    EXPECT_EQ(j["scene"], "scarf");
    EXPECT_LT(j["force_error_percent"], 10.0);
    EXPECT_LE(j["ms_per_step_acl"], j["ms_overall_acl"]);
    const nlohmann::json again = run("--loops 100 --threads-compare");
    for (const char* key : {"hash", "contacts", "updates_percent", "force_error_percent", "steps"})
        EXPECT_EQ(j[key], again[key]) << key;
    const std::string csv = bytes("acl.csv");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3); // names, and two runs
    EXPECT_EQ(csv.find("time,processor,scene,loops"), 0u);
}

TEST_F(Bench, MotionIsTheSameHoweverItIsMeasured) {
    const nlohmann::json j = run("--loops 64");
    EXPECT_EQ(run("--loops 64 --threads 1")["hash"], j["hash"]);
    EXPECT_EQ(run("--loops 64 --full")["hash"], j["hash"]);
    const std::string scenes = PURL_SOURCE_DIR "/scenes/";
    EXPECT_EQ(run("--loops 64 --scene " + scenes + "scarf.json")["hash"], j["hash"]);
    const nlohmann::json ball = run("--loops 64 --scene afghan");
    EXPECT_NE(ball["hash"], j["hash"]);
    EXPECT_EQ(run("--loops 64 --scene " + scenes + "afghan.json")["hash"], ball["hash"]);
}

TEST_F(Bench, SaysWhatItDoesNotKnow) {
    const Outcome o = purl("bench acl --scene sock");
    EXPECT_EQ(o.code, 3);
    EXPECT_NE(o.text.find("sock"), std::string::npos);
    EXPECT_EQ(purl("bench acl --loops 3").code, 3);
    EXPECT_EQ(purl("bench").code, 2);
    put("acl.csv", "other,columns\n1,2\n");
    EXPECT_EQ(purl("bench acl --loops 36 --seconds 0.001 --quiet --csv acl.csv").code, 3);
    EXPECT_EQ(bytes("acl.csv"), "other,columns\n1,2\n");
}

} // namespace
} // namespace purl
