// Names, presets and what is refused.
#include "purl/cloth/models.h"

#include "cloth/sheets.h"
#include "purl/base/error.h"

#include <gtest/gtest.h>

using namespace purl;
using namespace purl::test;

namespace {

TEST(Presets, AreClothsEveryModelTakes) {
    const Sheet s = grid(2, 2, 1, 1, false);
    for (const ClothPreset& p : clothPresets()) {
        EXPECT_NO_THROW(checkMaterial(p.material)) << p.name;
        EXPECT_GT(std::string(p.source).size(), 20u);
        EXPECT_EQ(&clothPreset(p.name), &p.material);
        for (const InPlaneModel m : inPlaneModels())
            EXPECT_TRUE(makeInPlane(m, s.mesh, p.material));
        for (const BendingModel m : bendingModels())
            EXPECT_TRUE(makeBending(m, s.mesh, p.material));
    }
    for (const char* wanted : {"cotton", "denim", "silk", "jersey"})
        EXPECT_NO_THROW(clothPreset(wanted));
    EXPECT_THROW(clothPreset("lace"), Error);
}

TEST(Models, AreKnownByName) {
    EXPECT_EQ(inPlaneModels().size(), 4u);
    EXPECT_EQ(bendingModels().size(), 8u);
    for (const InPlaneModel m : inPlaneModels()) EXPECT_EQ(inPlaneModel(name(m), "test"), m);
    for (const BendingModel m : bendingModels()) EXPECT_EQ(bendingModel(name(m), "test"), m);
    try {
        bendingModel("stiff", "scene: bending");
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("scene: bending: 'stiff'"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("discrete_shells"), std::string::npos);
    }
}

TEST(Models, RefuseWhatNoClothCanBe) {
    Sheet s = grid(1, 1, 1, 1, false);
    ClothMaterial bad;
    bad.poisson = 2;
    EXPECT_THROW(makeInPlane(InPlaneModel::StVK, s.mesh, bad), Error);
    bad = {};
    bad.stretchWarp = std::nan("");
    EXPECT_THROW(makeInPlane(InPlaneModel::StVK, s.mesh, bad), Error);
    std::swap(s.mesh.rest[1][0], s.mesh.rest[1][1]);
    for (const InPlaneModel m : inPlaneModels()) try {
            makeInPlane(m, s.mesh, {});
            FAIL() << name(m);
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("triangle 1"), std::string::npos) << e.what();
        }
}

} // namespace
