// The whole demo at 1, 2 and 3 threads: the same state, to the last bit, in every frame.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace {

std::vector<std::string> hashes(int threads) {
    const std::filesystem::path dir =
        std::filesystem::temp_directory_path() / ("purl_demo_" + std::to_string(threads));
    std::filesystem::remove_all(dir);
    const std::string command = std::string(PURL_COMMAND) + " sim " PURL_SOURCE_DIR
                                "/scenes/demo.json --out '" + (dir / "f.$F4.bgeo.sc").string() +
                                "' --stats " + (dir / "stats.jsonl").string() + " --threads " +
                                std::to_string(threads) + " --progress none > /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::vector<std::string> found;
    std::ifstream in(dir / "stats.jsonl");
    const std::regex hash("\"hash\":\"([0-9a-f]{16})\"");
    for (std::string line; std::getline(in, line);) {
        std::smatch m;
        if (std::regex_search(line, m, hash)) found.push_back(m[1]);
    }
    std::filesystem::remove_all(dir);
    return found;
}

} // namespace

TEST(Demo, SameBitsAtOneTwoAndThreeThreads) {
    const auto one = hashes(1);
    ASSERT_EQ(one.size(), 48u);
    EXPECT_NE(one.front(), one.back());
    EXPECT_EQ(hashes(2), one);
    EXPECT_EQ(hashes(3), one);
}
