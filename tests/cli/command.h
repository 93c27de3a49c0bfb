// Runs the real command in a folder of its own.
#pragma once

#include "purl/io/geo.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace purl {

struct Outcome {
    int code = -1;
    std::string text; // what it printed, on both channels
};

class Command : public testing::Test {
protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder = std::filesystem::temp_directory_path() /
                 ("purl_cli_" + std::to_string(getpid()) + "_" + info->name());
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    // `arguments` as typed in a shell, in the test's folder; `before` stands before the command.
    Outcome purl(const std::string& arguments, const std::string& before = "") const {
        return shell(before + " '" PURL_COMMAND "' " + arguments);
    }
    Outcome shell(const std::string& command) const {
        const std::string line = "cd '" + folder.string() + "' && " + command + " 2>&1";
        Outcome o;
        std::FILE* pipe = popen(line.c_str(), "r");
        char buffer[4096];
        while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe))
            o.text.append(buffer, n);
        const int status = pclose(pipe);
        o.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
        return o;
    }
    std::string path(const std::string& name) const { return (folder / name).string(); }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder / name); }
    std::string bytes(const std::string& name) const {
        std::ifstream in(folder / name, std::ios::binary);
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }
    void put(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name, std::ios::binary) << text;
    }
    Detail read(const std::string& name) const {
        std::vector<std::string> warnings;
        return readDetail(path(name), warnings);
    }
    void write(const std::string& name, const Detail& d) const { writeDetail(path(name), d); }

    // `count` parallel straight yarns of `points` points along x, 1 cm apart in z, with pscale.
    static Detail straight(int count, int points) {
        Detail d;
        std::vector<Vec3> x;
        for (int y = 0; y < count; ++y)
            for (int i = 0; i < points; ++i) x.emplace_back(0.004 * i, 0.1, 0.01 * y);
        d.addPoints(static_cast<Index>(x.size()));
        d.setPositions(x);
        for (int y = 0; y < count; ++y) {
            std::vector<Index> ids;
            for (int i = 0; i < points; ++i) ids.push_back(y * points + i);
            d.addPrimitive(PrimitiveKind::Polyline, ids);
        }
        Attribute& r = d.addFloat(Owner::Point, "pscale");
        for (Index p = 0; p < d.points(); ++p) r.set(p, 0, 0.001);
        return d;
    }

    std::filesystem::path folder;
};

} // namespace purl
