#include "purl/mixed/fit.h"

#include "purl/mixed/homogenise.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

// A plain weave has a closed form (physics 8.5): what is measured on a tile must be that.
TEST(Fit, PlainWeaveIsItsClosedForm) {
    LayoutSettings layout;
    layout.warpSpacing = layout.weftSpacing = 1e-3;
    layout.radius = 0.3e-3;
    FitSettings settings;
    settings.threads = 14;
    settings.strains = {0.01, 0.02};
    settings.bends = {10, 20};
    Monitor monitor;
    const FabricFit fit = fitTriangles(draftByName("plain"), layout, settings, monitor);
    const CrossingMaterial yarn = layout.warp;
    const ClothMaterial m = homogenise(yarn, yarn, 1e-3, 1e-3);
    EXPECT_NEAR(fit.material.stretchWarp / m.stretchWarp, 1, 0.03);
    EXPECT_NEAR(fit.material.stretchWeft / m.stretchWeft, 1, 0.03);
    EXPECT_NEAR(fit.material.poisson, 0, 0.02);
    EXPECT_NEAR(fit.material.shear / m.shear, 1, 0.05);
    EXPECT_NEAR(fit.material.bendWarp / m.bendWarp, 1, 0.05);
    EXPECT_NEAR(fit.material.bendWeft / m.bendWeft, 1, 0.05);
    EXPECT_LT(fit.residualInPlane, 0.05);
    EXPECT_LT(fit.residualBend, 0.05);
    for (const FitSample& s : fit.samples) EXPECT_GT(s.energy, 0);
}

} // namespace
} // namespace purl
