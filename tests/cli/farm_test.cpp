// The farm contract: exit codes, what managers read in the log, the forecast, wedges.
#include "cli/command.h"

#include <nlohmann/json.hpp>
#include <regex>

namespace purl {
namespace {

class Farm : public Command {
protected:
    void SetUp() override {
        Command::SetUp();
        write("in.geo", straight(3, 20));
        put("s.json", R"({"yarns": {"file": "in.geo"}, "colliders": ["plane:0,1,0,0.05"],
                          "time": {"frames": "1-4", "fps": 120}})");
    }
    static std::vector<std::string> lines(const std::string& text) {
        std::vector<std::string> out;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) out.push_back(line);
        return out;
    }
};

// The table of docs/farm.md, provoked.
TEST_F(Farm, TenFailuresHaveTheirDocumentedCodes) {
    const std::string out = " --quiet --out 'o/f.$F.geo' ";
    EXPECT_EQ(purl("sim s.json --no-such-flag" + out).code, 2);
    EXPECT_EQ(purl("sim s.json --frames 1-4 --out one.geo").code, 2) << "no place for a number";
    EXPECT_EQ(purl("sim nothing.json" + out).code, 3);
    put("cut.geo", bytes("in.geo").substr(0, 300));
    EXPECT_EQ(purl("sim --yarns cut.geo" + out).code, 3);
    EXPECT_EQ(purl("sim s.json --resume in.geo" + out).code, 3) << "no checkpoint";
    EXPECT_EQ(purl("sim s.json --checkpoint-every often" + out).code, 3);
    put("loud.json", R"({"yarns": {"file": "in.geo", "contact_stiffness": 1e12},
        "time": {"frames": "1-40", "fps": 24, "substeps": 1},
        "forces": {"gravity": [0, -1e7, 0], "drag": false}})");
    const Outcome loud = purl("sim loud.json" + out);
    EXPECT_EQ(loud.code, 4) << loud.text;
    EXPECT_NE(loud.text.find("are whole"), std::string::npos) << loud.text;
    EXPECT_NE(loud.text.find("checkpoint"), std::string::npos) << "the last good state stays";
    EXPECT_EQ(purl("sim s.json --frames 1-4000 --fps 1 --frame-budget 0.01" + out).code, 4);
    EXPECT_EQ(purl("sim s.json --dry-run --memory 1MB" + out).code, 5);
    EXPECT_EQ(purl("sim s.json --quiet --out '/proc/none/f.$F.geo'").code, 6);
    put("file", "not a folder");
    EXPECT_EQ(purl("sim s.json --quiet --out 'o/f.$F.geo' --checkpoint-dir file/x "
                   "--checkpoint-every 1")
                  .code,
              6);
    EXPECT_EQ(
        purl("sim s.json --frames 1-100000" + out, "timeout --preserve-status -s TERM 0.5").code,
        75);
    EXPECT_EQ(
        purl("sim s.json --frames 1-100000" + out, "timeout --preserve-status -s INT 0.5").code,
        130);
}

// What Deadline Cloud's adaptor (strict), Afanasy and OpenJD look for, as in their sources.
TEST_F(Farm, AHealthyLogReadsAsHealthyAndMonotone) {
    const std::regex failure("(error: |\\[error\\]|openjd_fail|Traceback|fatal)",
                             std::regex::icase);
    struct Style {
        const char* name;
        std::regex pattern;
    };
    const Style styles[] = {{"alf", std::regex(".*ALF_PROGRESS ([0-9]+)%.*")},
                            {"openjd", std::regex("openjd_progress: ([0-9]+)")}};
    for (const Style& style : styles) {
        const std::string flags = std::string(" --progress ") + style.name +
                                  " --resume auto --checkpoint-every 2 --stats s.jsonl";
        const std::string out = std::string(" --out '") + style.name + "/f.$F.geo'";
        std::string log = purl("sim s.json --frames 1-7" + out + flags).text;
        const Outcome o = purl("sim s.json --frames 1-9" + out + flags); // resumed: still healthy
        ASSERT_EQ(o.code, 0) << o.text;
        for (const std::string& text : {log, o.text}) {
            int last = -1;
            for (const std::string& line : lines(text)) {
                EXPECT_FALSE(std::regex_search(line, failure)) << line;
                EXPECT_EQ(line.find("rror"), std::string::npos) << line;
                std::smatch m;
                if (!std::regex_match(line, m, style.pattern)) continue;
                EXPECT_GT(std::stoi(m[1]), last) << line;
                last = std::stoi(m[1]);
            }
            EXPECT_EQ(last, 100) << text;
        }
    }
    const Outcome plain = purl("sim s.json --out 'p/f.$F.geo'");
    for (const std::string& line : lines(plain.text))
        EXPECT_FALSE(std::regex_search(line, failure)) << line;
}

TEST_F(Farm, TheForecastIsNearWhatTheRunTakes) {
    const std::string flags = " --set time/frames=1-6 --fps 240 --out 'o/f.$F.geo' ";
    const Outcome dry = purl("sim s.json --dry-run" + flags);
    ASSERT_EQ(dry.code, 0) << dry.text;
    EXPECT_FALSE(exists("o")) << "nothing is written";
    std::smatch m;
    ASSERT_TRUE(std::regex_search(dry.text, m, std::regex("memory: .*\\(([0-9]+) bytes\\)")));
    const double told = std::stod(m[1]);
    ASSERT_EQ(purl("sim s.json --progress none" + flags).code, 0);
    const double taken = nlohmann::json::parse(bytes("o/manifest.json"))["peak_memory"];
    EXPECT_NEAR(told / taken, 1, 0.2);
    EXPECT_NE(dry.text.find("for 6 frames"), std::string::npos) << dry.text;
}

TEST_F(Farm, AWedgeEndsInASheetAndATableAndGoesOnWhereItWas) {
    const std::string command = "wedge s.json --vary friction=0.1,0.5 --vary "
                                "forces/gravity='[0,-5,0];[0,-9,0];[0,-20,0]' --out w --width 64 ";
    const Outcome o = purl(command + "--frames 1-3 --jobs 2 -- --fps 60");
    ASSERT_EQ(o.code, 0) << o.text;
    const std::string table = bytes("w/table.csv");
    EXPECT_EQ(lines(table).size(), 7u) << table;
    EXPECT_EQ(table.find("failed"), std::string::npos) << table;
    EXPECT_EQ(bytes("w/sheet.png").substr(1, 3), "PNG");
    int folders = 0;
    for (const auto& e : std::filesystem::directory_iterator(folder / "w"))
        if (e.is_directory()) {
            ++folders;
            EXPECT_TRUE(std::filesystem::exists(e.path() / "f.0003.bgeo.sc")) << e.path();
        }
    EXPECT_EQ(folders, 6);
    // The same with more frames goes on; a single task is one variant.
    ASSERT_EQ(purl(command + "--frames 1-4 --index 2 --progress alf -- --fps 60").code, 0);
    EXPECT_NE(bytes("w/table.csv").find(",3,"), std::string::npos);
    ASSERT_EQ(purl(command + "--frames 1-4 --finish -- --fps 60").code, 0);
    EXPECT_NE(bytes("w/table.csv").find(",4,"), std::string::npos);
    EXPECT_EQ(purl("wedge s.json --vary friction=0.1,0.1 --out w").code, 3);
    EXPECT_NE(purl("wedge s.json --vary nonsense=1,2 --out n").code, 0);
}

TEST_F(Farm, AnOpenJobDescriptionHasATaskForEveryVariant) {
    ASSERT_EQ(purl("wedge s.json --vary friction=0.1,0.5,0.9 --out w --engine openjd").code, 0);
    const auto j = nlohmann::json::parse(bytes("w/wedge.template.json"));
    EXPECT_EQ(j["specificationVersion"], "jobtemplate-2023-09");
    const auto& step = j["steps"][0];
    EXPECT_EQ(step["parameterSpace"]["taskParameterDefinitions"][0]["range"], "1-3");
    EXPECT_EQ(step["script"]["actions"]["onRun"]["command"], "{{Param.Purl}}");
    // The task as a manager would run it, with its parameter put in.
    std::string task = "'" PURL_COMMAND "'";
    for (std::string a : step["script"]["actions"]["onRun"]["args"]) {
        const std::size_t at = a.find("{{Task.Param.Variant}}");
        if (at != std::string::npos) a.replace(at, 22, "3");
        task += " '" + a + "'";
    }
    const Outcome o = shell(task);
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_NE(o.text.find("openjd_progress: 100"), std::string::npos) << o.text;
    EXPECT_TRUE(exists("w/friction-0.9/f.0004.bgeo.sc"));
}

} // namespace
} // namespace purl
