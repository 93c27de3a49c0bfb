// Checkpoints of the command: resume, extend, branch, foreign and torn ones; the same bits always.
#include "cli/command.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

namespace purl {
namespace {

class Resume : public Command {
protected:
    // A knit that falls on a moving ball: contact, friction, a collider with keys.
    void SetUp() override {
        Command::SetUp();
        put("s.json", R"({
            "pattern": {"name": "stockinette", "wales": 5, "courses": 5, "radius": "1.25 mm",
                        "lie": true, "centre": [0, 0.02, 0]},
            "colliders": [{"shape": "sphere:0,0,0,0.015", "keys": [
                {"frame": 1, "translate": [0, 0, 0]}, {"frame": 30, "translate": [0.02, 0.01, 0]}]}],
            "time": {"frames": "1-12", "fps": 240}})");
        put("c.json", R"({
            "cloth": {"grid": {"rows": 12, "columns": 12, "width": 0.3, "height": 0.3, "lie": true,
                               "centre": [0, 0.105, 0]}},
            "colliders": [{"shape": "sphere:0,0,0,0.1", "keys": [
                {"frame": 1, "translate": [0, 0, 0]}, {"frame": 30, "translate": [0.05, 0.02, 0]}]}],
            "time": {"frames": "1-12", "fps": 24}})");
    }
    Outcome sim(const std::string& scene, const std::string& out, const std::string& flags) const {
        return purl("sim " + scene + " --out '" + out + "/f.$F2.bgeo.sc' --stats " + out +
                    "/stats.jsonl --progress none " + flags);
    }
    std::map<std::string, std::string> frames(const std::string& out) const {
        std::map<std::string, std::string> all;
        for (const auto& e : std::filesystem::directory_iterator(folder / out)) {
            const std::string name = e.path().filename().string();
            if (name.rfind("f.", 0) == 0) all[name] = bytes(out + "/" + name);
        }
        return all;
    }
    std::vector<std::string> hashes(const std::string& out) const {
        std::vector<std::string> all;
        std::istringstream lines(bytes(out + "/stats.jsonl"));
        for (std::string line; std::getline(lines, line);)
            all.push_back(nlohmann::json::parse(line)["hash"]);
        return all;
    }
};

TEST_F(Resume, ShorterThenLongerRangeIsTheSameAsOneRun) {
    for (const char* scene : {"s.json", "c.json"}) {
        const std::string a = std::string(scene) + "_a", b = std::string(scene) + "_b";
        ASSERT_EQ(sim(scene, a, "").code, 0);
        const std::string again = "--resume auto --checkpoint-every 3 --frames ";
        ASSERT_EQ(sim(scene, b, again + "1-5").code, 0);
        const Outcome o = sim(scene, b, again + "1-12 --threads 1");
        ASSERT_EQ(o.code, 0) << o.text;
        EXPECT_EQ(frames(a), frames(b)) << scene;
        EXPECT_EQ(hashes(a), hashes(b)) << scene;
        // Nothing left to do is no failure, and changes nothing.
        const auto before = std::filesystem::last_write_time(folder / b / "f.12.bgeo.sc");
        EXPECT_EQ(sim(scene, b, again + "1-12").code, 0);
        EXPECT_EQ(std::filesystem::last_write_time(folder / b / "f.12.bgeo.sc"), before);
    }
}

TEST_F(Resume, StopSignalsLeaveACheckpointInTheMiddleOfAFrame) {
    struct Case {
        std::string scene, signal, flags; // long frames: the signal comes inside one
    };
    for (const Case& c : {Case{"s.json", "TERM", " --set time/fps=12 --frames 1-3 --resume auto "},
                          Case{"c.json", "USR1", " --substeps 150 --frames 1-3 --resume auto "}}) {
        const auto start = std::chrono::steady_clock::now();
        ASSERT_EQ(sim(c.scene, "whole" + c.scene, c.flags).code, 0);
        const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - start;
        int stops = 0, code = 0;
        do {
            const Outcome o = purl("sim " + c.scene + " --out '" + c.signal +
                                       "/f.$F2.bgeo.sc' --progress none" + c.flags,
                                   "timeout --preserve-status -s " + c.signal + " " +
                                       std::to_string(0.5 * whole.count()));
            code = o.code;
            ASSERT_TRUE(code == 0 || code == 75) << o.text;
            if (code == 75) {
                EXPECT_NE(o.text.find("checkpoint"), std::string::npos) << o.text;
            }
        } while (code == 75 && ++stops < 100);
        ASSERT_EQ(code, 0);
        EXPECT_GT(stops, 0);
        EXPECT_EQ(frames("whole" + c.scene), frames(c.signal)) << c.scene;
    }
}

TEST_F(Resume, ForeignAndTornCheckpointsAreSkippedWithAWarning) {
    const std::string flags = "--resume auto --checkpoint-every 2 --keep 0 ";
    ASSERT_EQ(sim("s.json", "a", flags).code, 0);
    // The newest is cut, the one before belongs to another friction.
    const std::string newest = "a/checkpoints/state.000012.purlstate";
    ASSERT_TRUE(exists(newest));
    const std::string whole = bytes(newest);
    put(newest, whole.substr(0, whole.size() / 2));
    std::filesystem::remove(folder / "a/f.12.bgeo.sc");
    const Outcome torn = sim("s.json", "a", flags);
    EXPECT_EQ(torn.code, 0) << torn.text;
    EXPECT_NE(torn.text.find("is cut off"), std::string::npos) << torn.text;
    EXPECT_TRUE(exists("a/f.12.bgeo.sc"));
    const Outcome foreign = sim("s.json", "a", flags + "--friction 0.7");
    EXPECT_EQ(foreign.code, 0);
    EXPECT_NE(foreign.text.find("other settings"), std::string::npos) << foreign.text;
    ASSERT_EQ(sim("s.json", "b", "--friction 0.7").code, 0);
    EXPECT_EQ(frames("a"), frames("b")); // begun anew
}

TEST_F(Resume, ABranchGoesOnWithOtherParameters) {
    ASSERT_EQ(sim("s.json", "a", "--checkpoint-every 4 --keep 0").code, 0);
    const std::string state = "a/checkpoints/state.000009.purlstate";
    ASSERT_TRUE(exists(state));
    ASSERT_EQ(sim("s.json", "same", "--resume " + state).code, 0);
    ASSERT_EQ(sim("s.json", "other", "--friction 0.9 --gravity 0,-30,0 --resume " + state).code, 0);
    auto all = frames("a");
    const auto same = frames("same"), other = frames("other");
    ASSERT_EQ(same.size(), 3u); // 10, 11, 12
    for (const auto& [name, bytes] : same) EXPECT_EQ(all[name], bytes) << name;
    EXPECT_NE(other.at("f.12.bgeo.sc"), all["f.12.bgeo.sc"]);
    // As a branch it can be killed and resumed itself.
    const std::string branch = "--friction 0.9 --gravity 0,-30,0 --resume auto --branch " + state;
    ASSERT_EQ(sim("s.json", "b", branch + " --checkpoint-every 1 --frames 1-11").code, 0);
    ASSERT_EQ(sim("s.json", "b", branch + " --checkpoint-every 1").code, 0);
    EXPECT_EQ(frames("b"), other);
    // Of another mode, or of other yarns, it is refused.
    EXPECT_EQ(sim("c.json", "x", "--resume " + state).code, 3);
    const Outcome o = sim("s.json", "y", "--set pattern/wales=6 --resume " + state);
    EXPECT_EQ(o.code, 3);
    EXPECT_NE(o.text.find("as in the scene"), std::string::npos) << o.text;
}

TEST_F(Resume, TheManifestTellsWhatMadeTheFrames) {
    write("in.geo", straight(2, 6));
    ASSERT_EQ(purl("sim --yarns in.geo --out 'o/f.$F.geo' --frames 1-3 --threads 2").code, 0);
    const auto m = nlohmann::json::parse(bytes("o/manifest.json"));
    EXPECT_EQ(m["outcome"], "done");
    EXPECT_EQ(m["exit_code"], 0);
    EXPECT_EQ(m["threads"], 2);
    EXPECT_EQ(m["last_frame"], 3);
    EXPECT_EQ(m["inputs"][0]["path"], "in.geo");
    EXPECT_EQ(m["inputs"][0]["xxh3"].get<std::string>().size(), 16u);
    EXPECT_FALSE(m["host"].get<std::string>().empty());
    EXPECT_GT(m["peak_memory"].get<double>(), 1e6);
}

} // namespace
} // namespace purl
