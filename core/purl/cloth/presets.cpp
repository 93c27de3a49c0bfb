#include "purl/cloth/material.h"

#include "purl/base/error.h"

#include <cmath>

namespace purl {

void checkMaterial(const ClothMaterial& m, const std::string& where) {
    const auto need = [&](bool fine, const char* key, double value, const char* expected) {
        if (!fine)
            throw Error(where, std::string(key) + " is " + std::to_string(value) + ", expected " +
                                   expected);
    };
    const auto positive = [&](const char* key, double v) {
        need(v > 0 && std::isfinite(v), key, v, "a number > 0");
    };
    const auto notNegative = [&](const char* key, double v) {
        need(v >= 0 && std::isfinite(v), key, v, "a number >= 0");
    };
    positive("areaDensity", m.areaDensity);
    notNegative("thickness", m.thickness);
    positive("stretchWarp", m.stretchWarp);
    positive("stretchWeft", m.stretchWeft);
    notNegative("shear", m.shear);
    notNegative("stretchDamping", m.stretchDamping);
    notNegative("bendWarp", m.bendWarp);
    notNegative("bendWeft", m.bendWeft);
    notNegative("bendDamping", m.bendDamping);
    need(m.poisson > -1 && m.poisson * m.poisson * m.stretchWeft / m.stretchWarp < 1, "poisson",
         m.poisson, "poisson^2 * stretchWeft / stretchWarp < 1, and more than -1");
    need(m.bendPoisson > -1 && m.bendPoisson < 1, "bendPoisson", m.bendPoisson, "-1 to 1");
    need(m.yieldCurvature > 0, "yieldCurvature", m.yieldCurvature, "a curvature > 0 1/m");
    need(m.plasticShare >= 0 && m.plasticShare <= 1, "plasticShare", m.plasticShare, "0 to 1");
    notNegative("maxRestCurvature", m.maxRestCurvature);
    positive("referenceArea", m.referenceArea);
}

} // namespace purl
