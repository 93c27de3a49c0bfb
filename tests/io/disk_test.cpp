// Writing is all or nothing, and says why it did not work.
#include "io/rich_detail.h"
#include "purl/base/error.h"
#include "purl/io/atomic_file.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

using namespace purl;
namespace fs = std::filesystem;

namespace {

class Disk : public ::testing::Test {
protected:
    void SetUp() override {
        dir_ = fs::temp_directory_path() / ("purl_disk_" + std::to_string(::getpid()));
        fs::create_directories(dir_);
    }
    void TearDown() override { fs::remove_all(dir_); }
    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(dir_), fs::directory_iterator()));
    }
    fs::path dir_;
};

void expectDisk(const std::string& path) {
    try {
        writeDetail(path, richDetail(2000));
        ADD_FAILURE() << path << " was written";
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::Disk);
        EXPECT_NE(std::string(e.what()).find(path), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("cannot"), std::string::npos) << e.what();
    }
}

} // namespace

TEST_F(Disk, APathThatIsAFolder) {
    fs::create_directories(dir_ / "out.bgeo");
    expectDisk((dir_ / "out.bgeo").string());
    EXPECT_EQ(entries(), 1u);
}

TEST_F(Disk, ADeviceIsNotReplaced) {
    EXPECT_THROW(writeFileAtomically("/dev/null", "abc", 3), Error);
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Disk, AFolderThatIsNotThere) { expectDisk((dir_ / "no/out.bgeo").string()); }

TEST_F(Disk, AFolderThatCannotBeWritten) {
    expectDisk("/proc/out.bgeo"); // also for root
    if (::geteuid() == 0) return;
    fs::permissions(dir_, fs::perms::owner_read | fs::perms::owner_exec);
    expectDisk((dir_ / "out.bgeo").string());
    fs::permissions(dir_, fs::perms::owner_all);
}

// A limit on the size of files fails in the middle of a write, as a full disk does.
TEST_F(Disk, AWriteThatFailsHalfwayLeavesTheOldFile) {
    const fs::path path = dir_ / "frame.bgeo.sc";
    std::ofstream(path) << "earlier frame";
    struct rlimit old {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    struct rlimit small = old;
    small.rlim_cur = 20000;
    auto* handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    expectDisk(path.string());
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(entries(), 1u);
    std::string text;
    std::getline(std::ifstream(path), text);
    EXPECT_EQ(text, "earlier frame");
}

TEST_F(Disk, NotFiniteIsRefusedByName) {
    const fs::path path = dir_ / "a.bgeo";
    for (double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        Detail d = richDetail(5000);
        d.findPoint("v")->set(4321, 2, bad);
        try {
            writeDetail(path.string(), d);
            ADD_FAILURE();
        } catch (const Error& e) {
            EXPECT_EQ(e.kind(), Error::Kind::Input);
            EXPECT_NE(std::string(e.what()).find("point attribute v of element 4321"),
                      std::string::npos)
                << e.what();
        }
    }
    EXPECT_EQ(entries(), 0u);
    Detail d = richDetail(10);
    d.add(Owner::Point, "h", Storage::Float16).set(3, 0, std::numeric_limits<double>::infinity());
    EXPECT_THROW(writeDetail(path.string(), d), Error);
}

TEST_F(Disk, WrongSizesAndUnknownExtensionsAreRefused) {
    Detail d = richDetail(10);
    EXPECT_THROW(writeDetail((dir_ / "a.abc").string(), d), Error);
    d.findPoint("v")->as<float>()->pop_back();
    EXPECT_THROW(writeDetail((dir_ / "a.bgeo").string(), d), Error);
    EXPECT_EQ(entries(), 0u);
}

TEST_F(Disk, AtomicFileWithoutCommitLeavesNothing) {
    {
        AtomicFile f((dir_ / "x").string());
        f.write("abc", 3);
    }
    EXPECT_EQ(entries(), 0u);
    writeFileAtomically((dir_ / "x").string(), "abc", 3);
    EXPECT_EQ(fs::file_size(dir_ / "x"), 3u);
    EXPECT_EQ(entries(), 1u);
}
