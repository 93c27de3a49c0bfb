#include "preview/image.h"

#include "purl/base/error.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <png.h>
#include <sys/resource.h>

namespace purl {
namespace {

namespace fs = std::filesystem;

class ImageFile : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder = fs::temp_directory_path() /
                 ("purl_image_" + std::string(info->name()) + std::to_string(::getpid()));
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }
    std::size_t filesThere() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }
    fs::path folder;
};

Image pattern(int w, int h) {
    Image image(w, h);
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            image.set(x, y,
                      {static_cast<std::uint8_t>(7 * x), static_cast<std::uint8_t>(11 * y),
                       static_cast<std::uint8_t>(x * y)});
        }
    }
    return image;
}

Image readBack(const std::string& path) { // libpng's own simple reader
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    EXPECT_TRUE(png_image_begin_read_from_file(&png, path.c_str())) << png.message;
    png.format = PNG_FORMAT_RGB;
    Image image(static_cast<int>(png.width), static_cast<int>(png.height));
    EXPECT_TRUE(png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr));
    return image;
}

TEST_F(ImageFile, PngComesBackByteForByte) {
    const Image image = pattern(37, 23);
    const std::string path = folder / "a.png";
    writePng(path, image);
    const Image back = readBack(path);
    EXPECT_EQ(back.width, 37);
    EXPECT_EQ(back.height, 23);
    EXPECT_EQ(back.rgb, image.rgb);
    EXPECT_EQ(filesThere(), 1U) << "a temporary file was left behind";
}

TEST_F(ImageFile, MissingFolderIsADiskError) {
    try {
        writePng(folder / "none" / "a.png", pattern(4, 4));
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::Disk);
        EXPECT_NE(std::string(e.what()).find("none/a.png"), std::string::npos) << e.what();
    }
}

TEST_F(ImageFile, AFolderInTheWayIsADiskErrorAndLeavesNothing) {
    fs::create_directories(folder / "a.png" / "inside");
    try {
        writePng(folder / "a.png", pattern(4, 4));
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::Disk);
    }
    EXPECT_EQ(filesThere(), 1U);
}

TEST_F(ImageFile, AFullDiskKeepsTheOldPicture) {
    const std::string path = folder / "a.png";
    const Image old = pattern(8, 8);
    writePng(path, old);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1024, before.rlim_max}; // stands in for a disk with 1 kB left
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    bool refused = false;
    try {
        writePng(path, pattern(640, 480));
    } catch (const Error& e) {
        refused = e.kind() == Error::Kind::Disk;
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_TRUE(refused);
    EXPECT_EQ(readBack(path).rgb, old.rgb);
    EXPECT_EQ(filesThere(), 1U);
}

TEST(Image, SizeMustBeSensible) {
    EXPECT_THROW(Image(0, 4), Error);
    EXPECT_THROW(Image(4, 100000), Error);
    EXPECT_THROW(writePng("/tmp/never.png", Image()), Error);
}

TEST(Image, RoundCornersAreCutAndTheMiddleIsFull) {
    Image image(40, 40, {0, 0, 0});
    fillRect(image, 5, 5, 30, 30, {200, 100, 50}, 10);
    EXPECT_EQ(image.at(5, 5), (Rgb8{0, 0, 0}));
    EXPECT_EQ(image.at(34, 34), (Rgb8{0, 0, 0}));
    EXPECT_EQ(image.at(20, 5), (Rgb8{200, 100, 50}));
    EXPECT_EQ(image.at(20, 20), (Rgb8{200, 100, 50}));
    EXPECT_EQ(image.at(20, 4), (Rgb8{0, 0, 0}));
    double area = 0; // of the rectangle less four corners, a square less its quarter circle each
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 40; ++x) area += image.at(x, y)[0] / 200.0;
    }
    EXPECT_NEAR(area, 900 - (4 - 3.14159265) * 100, 4);
}

TEST(Image, PasteCutsWhatFallsOutside) {
    Image to(10, 10, {1, 2, 3});
    paste(to, Image(6, 6, {90, 80, 70}), 7, -3);
    EXPECT_EQ(to.at(9, 0), (Rgb8{90, 80, 70}));
    EXPECT_EQ(to.at(6, 0), (Rgb8{1, 2, 3}));
    EXPECT_EQ(to.at(9, 3), (Rgb8{1, 2, 3}));
}

} // namespace
} // namespace purl
