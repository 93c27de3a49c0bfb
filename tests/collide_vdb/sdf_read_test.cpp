#include "purl/base/error.h"
#include "purl/collide/distance_field.h"
#include "purl/collide/sdf.h"

#include "grids.h"

#include <openvdb/tools/LevelSetUtil.h>

#include <gtest/gtest.h>

using namespace purl;

namespace {
// The message of the refusal, or nothing if there was none.
std::string refusal(const std::string& bytes, const SdfOptions& options = {}) {
    try {
        readSdfBytes({bytes.data(), bytes.size()}, "in.vdb", options);
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::Input);
        return e.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) {
    const bool found = text.find(part) != std::string::npos;
    if (!found) ADD_FAILURE() << "'" << part << "' is not in: " << text;
    return found;
}
} // namespace

TEST(SdfRead, AFogVolumeIsRefused) {
    auto fog = ballGrid(Vec3::Zero(), 0.1, 0.01);
    openvdb::tools::sdfToFogVolume(*fog);
    fog->setName("density");
    has(refusal(bytesOf({fog})), "in.vdb: grid 'density': this is a fog volume");
    fog->setGridClass(openvdb::GRID_UNKNOWN); // known by its values alone
    has(refusal(bytesOf({fog})), "fog volume");
    fog->setGridClass(openvdb::GRID_LEVEL_SET); // and though it says otherwise
    has(refusal(bytesOf({fog})), "expected a level set");
}

TEST(SdfRead, GridsWithoutABandAreRefused) {
    openvdb::initialize();
    auto empty = openvdb::FloatGrid::create(0.03F);
    empty->setName("surface");
    has(refusal(bytesOf({empty})), "the grid is empty");

    auto thin = ballGrid(Vec3::Zero(), 0.1, 0.01);
    for (auto it = thin->beginValueOn(); it; ++it) // only signs are left
        it.setValue(*it < 0 ? -0.03F : 0.03F);
    has(refusal(bytesOf({thin})), "narrow band");

    auto positive = ballGrid(Vec3::Zero(), 0.1, 0.01);
    for (auto it = positive->beginValueAll(); it; ++it) it.setValue(std::abs(*it) + 1e-4F);
    has(refusal(bytesOf({positive})), "change sign");

    auto voxels = ballGrid(Vec3::Zero(), 0.1, 0.01); // distances counted in voxels
    for (auto it = voxels->beginValueAll(); it; ++it) it.setValue(*it * 100);
    openvdb::FloatGrid::Ptr scaled(new openvdb::FloatGrid(3.0F));
    scaled->setTransform(voxels->transform().copy());
    scaled->tree().topologyUnion(voxels->tree());
    for (auto it = scaled->beginValueOn(); it; ++it)
        it.setValue(voxels->tree().getValue(it.getCoord()));
    scaled->setName("surface");
    has(refusal(bytesOf({scaled})), "expected");

    auto bad = ballGrid(Vec3::Zero(), 0.1, 0.01);
    bad->beginValueOn().setValue(NAN);
    has(refusal(bytesOf({bad})), "expected finite numbers");
}

TEST(SdfRead, OtherTypesAndShapesAreRefused) {
    openvdb::initialize();
    auto vectors = openvdb::Vec3SGrid::create();
    vectors->setName("surface");
    has(refusal(bytesOf({vectors})), "of type vec3s, expected a level set of type float");

    auto flat = ballGrid(Vec3::Zero(), 0.1, 0.01);
    auto transform = flat->transform().copy();
    transform->preScale(openvdb::Vec3d(1, 2, 1));
    flat->setTransform(transform);
    has(refusal(bytesOf({flat})), "0.01 x 0.02 x 0.01 m, expected cubes");

    auto ball = ballGrid(Vec3::Zero(), 0.1, 0.01);
    auto wrong = openvdb::FloatGrid::create(1);
    wrong->setName("v");
    has(refusal(bytesOf({ball, wrong})), "expected velocities of type vec3s");
}

TEST(SdfRead, GridsAreChosenByName) {
    auto a = ballGrid(Vec3::Zero(), 0.1, 0.01), b = ballGrid(Vec3(1, 0, 0), 0.1, 0.01);
    a->setName("left");
    b->setName("right");
    const std::string both = bytesOf({a, b});
    const std::string text = refusal(both);
    has(text, "'left'");
    has(text, "expected a level set named 'surface'");
    SdfOptions options;
    options.surface = "right";
    EXPECT_NEAR(readSdfBytes({both.data(), both.size()}, "x", options)->centroid.x(), 1, 1e-4);
    options.surface = "middle";
    has(refusal(both, options), "named 'middle'");
    options.surface = "left";
    options.velocity = "speed";
    has(refusal(both, options), "velocity grid named 'speed'");

    a->setName("surface");
    const std::string main = bytesOf({b, a});
    EXPECT_NEAR(readSdfBytes({main.data(), main.size()}, "x")->centroid.x(), 0, 1e-4);
}

TEST(SdfRead, VelocitiesAreReadAndContinued) {
    auto ball = ballGrid(Vec3::Zero(), 0.1, 0.005);
    auto speed = velocityGrid(*ball, [](const Vec3& x) { return Vec3(2, 10 * x.x(), 0); });
    speed->setName("vel");
    const std::string bytes = bytesOf({ball, speed});
    const FieldPtr field = readSdfBytes({bytes.data(), bytes.size()}, "x");
    ASSERT_TRUE(field->hasVelocity());
    EXPECT_NEAR((field->velocity(Vec3(0.1, 0, 0)) - Vec3(2, 1, 0)).norm(), 0, 0.05);
    EXPECT_NEAR((field->velocity(Vec3(0, 0.1, 0)) - Vec3(2, 0, 0)).norm(), 0, 0.05);
    // Beyond the band, that of the nearest point of the surface.
    EXPECT_NEAR((field->velocity(Vec3(0.06, 0, 0)) - Vec3(2, 1, 0)).norm(), 0, 0.1);
    EXPECT_NEAR((field->velocity(Vec3(0.3, 0, 0)) - Vec3(2, 1, 0)).norm(), 0, 0.3);
    EXPECT_NEAR(field->maxSpeed, std::sqrt(5.0), 0.2);
}

TEST(SdfRead, WhatIsNoVdbFileIsRefused) {
    has(refusal(""), "in.vdb: cannot be read as OpenVDB");
    has(refusal("this is a text file and no volume at all, however long it may be"),
        "expected a whole .vdb file");
    EXPECT_THROW(readSdf("/nowhere/at/all.vdb"), Error);
    EXPECT_THROW(readSdf(std::filesystem::temp_directory_path().string()), Error);
}

TEST(SdfRead, ATruncatedFileIsRefusedWhereverItEnds) {
    const std::string path = scratch("ball.vdb");
    writeSphereVdb(path, Vec3(0.1, 0.2, 0.3), 0.1, 0.01);
    std::ifstream in(path, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    ASSERT_GT(whole.size(), 1000u);
    EXPECT_EQ(refusal(whole), "");
    for (int part = 1; part < 60; ++part) {
        const std::string text = refusal(whole.substr(0, whole.size() * part / 60));
        has(text, "in.vdb");
        has(text, "expected");
    }
    has(refusal(whole.substr(0, whole.size() - 1)), "expected");
    const std::string cut = scratch("cut.vdb");
    std::ofstream(cut, std::ios::binary) << whole.substr(0, whole.size() / 2);
    EXPECT_THROW(readSdf(cut), Error);
}

TEST(SdfRead, AWrittenBallIsReadBack) {
    const std::string path = scratch("written.vdb");
    writeSphereVdb(path, Vec3(0.1, 0.2, 0.3), 0.1, 0.005);
    const FieldPtr field = readSdf(path);
    EXPECT_NEAR(field->distance(Vec3(0.1, 0.2, 0.41)), 0.01, 2e-4);
    EXPECT_NEAR((field->centroid - Vec3(0.1, 0.2, 0.3)).norm(), 0, 1e-4);
    for (const auto& entry : std::filesystem::directory_iterator(scratch("")))
        EXPECT_EQ(entry.path().string().find(".part"), std::string::npos);
    EXPECT_THROW(writeSphereVdb("/nowhere/ball.vdb", Vec3::Zero(), 1, 0.1), Error);
    EXPECT_THROW(writeSphereVdb(path, Vec3::Zero(), 0.1, 1), Error);
}

TEST(SdfRead, TheSampleSphereLoads) {
    const std::string path = std::string(PURL_SHARED_DIR) + "/samples/houdini/cortex/sphere.vdb";
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    const FieldPtr field = readSdf(path);
    // Whatever its size: a ball's surface is as far from its centre everywhere.
    double low = 1e9, high = 0;
    for (const Vec3f& s : field->surface) {
        const double r = (field->toWorld(s.cast<double>()) - field->centroid).norm();
        low = std::min(low, r);
        high = std::max(high, r);
    }
    EXPECT_LT(high - low, 0.5 * field->voxel);
    EXPECT_NEAR(field->distance(field->centroid), -0.5 * (low + high), field->voxel);
}
