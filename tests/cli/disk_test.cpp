// What cannot be written: exit 6, a message that names the file, nothing half-written, and what was
// there before stays.
#include "cli/command.h"

namespace purl {

class DiskTrouble : public Command {
protected:
    void SetUp() override {
        Command::SetUp();
        write("in.geo", straight(4, 60));
    }
    // Runs a line of shell where it may mount: a name space of its own. False if the machine does
    // not allow that.
    static bool mayMount() {
        static const bool yes = std::system("unshare -rm sh -c 'mount -t tmpfs none /mnt' "
                                            ">/dev/null 2>&1") == 0;
        return yes;
    }
    Outcome mounted(const std::string& options, const std::string& line) const {
        std::filesystem::create_directories(folder / "disk");
        put("run.sh", "mount -t tmpfs -o " + options + " none disk\n" + line + "\n");
        return shell("unshare -rm sh run.sh");
    }
    std::size_t entries(const std::string& name) const {
        std::size_t n = 0;
        for (const auto& e : std::filesystem::directory_iterator(folder / name)) {
            (void)e;
            ++n;
        }
        return n;
    }
    const std::string command = "'" PURL_COMMAND "'";
    const std::string sim = command + " sim --yarns in.geo --fps 2400 --quiet ";
};

TEST_F(DiskTrouble, FullDiskKeepsEarlierFrames) {
    if (!mayMount()) GTEST_SKIP() << "this machine allows no mount; a size limit is tested below";
    // Room for some of the frames: the one that does not fit leaves no trace, the others are whole.
    const Outcome o =
        mounted("size=120k", sim +
                                 "--frames 1-40 --out 'disk/f.$F4.geo'\n"
                                 "echo code $?\nls disk\n"
                                 "for f in disk/f.*; do " +
                                 command + " info $f >/dev/null || echo BROKEN $f; done");
    EXPECT_NE(o.text.find("code 6"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("No space left on device"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("purl: disk/f.0"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("f.0001.geo"), std::string::npos) << o.text;
    EXPECT_EQ(o.text.find("f.0040.geo"), std::string::npos) << o.text;
    EXPECT_EQ(o.text.find(".tmp"), std::string::npos) << o.text;
    EXPECT_EQ(o.text.find("BROKEN"), std::string::npos) << o.text;
}

TEST_F(DiskTrouble, AfterSpaceIsFreedARunGoesOnToTheSameBits) {
    if (!mayMount()) GTEST_SKIP() << "this machine allows no mount";
    const std::string flags = "--frames 1-30 --resume auto --checkpoint-every 3 ";
    ASSERT_EQ(shell(sim + flags + "--out 'whole/f.$F4.geo'").code, 0);
    const std::string run = sim + flags + "--out 'disk/f.$F4.geo'";
    const Outcome o = mounted("size=400k", run +
                                               "\necho first $?\nls disk/*.tmp* 2>/dev/null\n"
                                               "mount -o remount,size=20m none disk\n" +
                                               run +
                                               "\necho second $?\n"
                                               "for f in whole/f.*; do cmp $f disk/${f#*/} "
                                               "|| echo DIFFERS; done");
    EXPECT_NE(o.text.find("first 6"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("second 0"), std::string::npos) << o.text;
    EXPECT_EQ(o.text.find("DIFFERS"), std::string::npos) << o.text;
    EXPECT_EQ(o.text.find(".tmp"), std::string::npos) << o.text;
}

TEST_F(DiskTrouble, FullDiskKeepsTheFileThatIsReplaced) {
    if (!mayMount()) GTEST_SKIP() << "this machine allows no mount";
    const Outcome o =
        mounted("size=40k",
                "echo mine > disk/out.geo\n"
                "head -c 30000 /dev/zero > disk/fill\n" +
                    command + " convert in.geo disk/out.geo\necho code $?\n" + command +
                    " relax in.geo disk/out.geo --seconds 0.003 --quiet\necho code $?\n" + command +
                    " collider sphere:0,0,0,0.05 --out disk/ball.vdb\necho code $?\n" +
                    "cat disk/out.geo\nls disk");
    std::size_t sixes = 0;
    for (std::size_t at = 0; (at = o.text.find("code 6", at)) != std::string::npos; ++at) ++sixes;
    EXPECT_EQ(sixes, 3u) << o.text;
    EXPECT_NE(o.text.find("mine\nfill\nout.geo\n"), std::string::npos) << o.text;
}

TEST_F(DiskTrouble, ReadOnlyFolder) {
    if (!mayMount()) GTEST_SKIP() << "this machine allows no mount";
    const Outcome o = mounted(
        "ro,size=1m",
        sim + "--frames 1-2 --out 'disk/f.$F4.bgeo.sc'\necho code $?\n" + sim +
            "--frames 1-2 --out 'disk/new/f.$F4.bgeo.sc'\necho code $?\n" + command +
            " pattern stockinette --wales 4 --courses 4 --out disk/p.geo\necho code $?\n" +
            command +
            " preview in.geo --out disk/p.png --width 32 --height 32\necho code $?\nls disk");
    std::size_t sixes = 0;
    for (std::size_t at = 0; (at = o.text.find("code 6", at)) != std::string::npos; ++at) ++sixes;
    EXPECT_EQ(sixes, 4u) << o.text;
    EXPECT_NE(o.text.find("Read-only file system"), std::string::npos) << o.text;
}

// The same as a full disk without any right to mount: the size of a file is limited, and a write
// fails in its middle.
TEST_F(DiskTrouble, WriteThatFailsHalfway) {
    put("out.geo", "mine");
    const Outcome o = purl("convert in.geo out.geo", "ulimit -f 2 &&");
    EXPECT_EQ(o.code, 6) << o.text;
    EXPECT_NE(o.text.find("purl: out.geo: cannot write"), std::string::npos) << o.text;
    EXPECT_EQ(bytes("out.geo"), "mine");
    EXPECT_EQ(entries("."), 2u);
}

TEST_F(DiskTrouble, OutputThatIsAFolder) {
    std::filesystem::create_directories(folder / "f.0002.geo");
    Outcome o = purl("sim --yarns in.geo --out 'f.$F4.geo' --frames 1-3 --fps 2400 --quiet");
    EXPECT_EQ(o.code, 6) << o.text;
    EXPECT_NE(o.text.find("f.0002.geo"), std::string::npos) << o.text;
    EXPECT_TRUE(exists("f.0001.geo")); // the earlier frame is whole
    EXPECT_EQ(read("f.0001.geo").points(), 240);
    EXPECT_FALSE(exists("f.0003.geo"));
    EXPECT_TRUE(std::filesystem::is_empty(folder / "f.0002.geo"));
    std::filesystem::create_directories(folder / "there.vdb");
    std::filesystem::create_directories(folder / "there.png");
    for (const char* line :
         {"convert in.geo f.0002.geo", "relax in.geo f.0002.geo --seconds 0.003 --quiet",
          "pattern stockinette --wales 4 --courses 4 --out f.0002.geo",
          "preview in.geo --out there.png --width 32 --height 32",
          "collider sphere:0,0,0,0.05 --out there.vdb",
          "sim --yarns in.geo --out f.0001.geo --frames 1-1 --stats f.0002.geo --quiet"}) {
        o = purl(line);
        EXPECT_EQ(o.code, 6) << line << "\n" << o.text;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder / "f.0002.geo"));
    EXPECT_TRUE(std::filesystem::is_empty(folder / "there.vdb"));
}

} // namespace purl
