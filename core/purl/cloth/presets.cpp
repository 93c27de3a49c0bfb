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

namespace {

// Wang: measured by H. Wang, R. Ramamoorthi, J. O'Brien, "Data-Driven Elastic Models for Cloth",
// SIGGRAPH 2011, as published with ARCSim: stretching C11, C22 near 1/6 strain for knits and at
// zero strain for wovens, bending at the lowest curvature measured along both axes; the stiffer
// axis is called warp here. Its shear figure C33 is halved (stress per tensor strain). KES-F:
// bending rigidity B of 1 gf cm2/cm is 9.807e-5 N m (physics 6.5), shear G of 1 gf/(cm deg) is 56.2
// N/m.
ClothMaterial make(double density, double thickness, double warp, double weft, double shear,
                   double poisson, double bendWarp, double bendWeft) {
    ClothMaterial m;
    m.areaDensity = density, m.thickness = thickness;
    m.stretchWarp = warp, m.stretchWeft = weft, m.shear = shear, m.poisson = poisson;
    m.bendWarp = bendWarp, m.bendWeft = bendWeft;
    return m;
}

} // namespace

const std::vector<ClothPreset>& clothPresets() {
    static const std::vector<ClothPreset> all = {
        {"cotton", make(0.12, 0.30e-3, 2000, 1500, 50, 0.15, 8e-6, 6e-6),
         "plain-weave shirting: typical KES-F ranges (B 0.03-0.15 gf cm2/cm, G 0.5-2 gf/(cm deg), "
         "E 500-3000 N/m), no single fabric"},
        {"denim", make(0.324, 0.70e-3, 1014, 205, 60, 0.05, 97e-6, 64e-6),
         "Wang 2011, 11 oz black denim (99 % cotton, 1 % spandex, which makes the weft soft); "
         "shear "
         "between Wang's C33/2 (27) and KES-F of six denims (84 and more, J. Textiles 2016, "
         "4614168); "
         "thickness typical"},
        {"silk", make(0.065, 0.15e-3, 3000, 2000, 22, 0.10, 3e-6, 2e-6),
         "light plain-weave silk: typical KES-F ranges (B 0.02-0.05 gf cm2/cm, G 0.3-0.6 "
         "gf/(cm deg)), no single fabric"},
        {"jersey", make(0.15, 0.50e-3, 120, 50, 35, 0.35, 3e-6, 2e-6),
         "cotton single jersey: typical KES-F ranges for knits (B 0.01-0.04 gf cm2/cm, G 0.5-1 "
         "gf/(cm deg), E 10-200 N/m); warp is the wale, no single fabric"},
        {"interlock", make(0.187, 0.80e-3, 406, 46, 18, 0.30, 23e-6, 14e-6),
         "Wang 2011, gray interlock t-shirt (60 % cotton, 40 % polyester); Poisson and thickness "
         "typical"},
        {"rib", make(0.276, 1.00e-3, 254, 52, 25, 0.05, 46e-6, 32e-6),
         "Wang 2011, ivory rib knit (95 % cotton, 5 % spandex); thickness typical"},
        {"twill", make(0.220, 0.45e-3, 2035, 2017, 52, 0.02, 125e-6, 125e-6),
         "Wang 2011, royal target trousers (65 % cotton, 35 % polyester); thickness typical"},
        {"windbreaker", make(0.113, 0.20e-3, 405, 227, 31, 0.10, 20e-6, 14e-6),
         "Wang 2011, tango red jet set jacket (100 % polyester); Poisson and thickness typical"},
        {"wool", make(0.27, 0.70e-3, 1200, 800, 40, 0.15, 12e-6, 9e-6),
         "worsted suiting: typical KES-F ranges (B 0.06-0.15 gf cm2/cm, G 0.5-0.9 gf/(cm deg)), no "
         "single fabric"},
    };
    return all;
}

const ClothMaterial& clothPreset(const std::string& name) {
    std::string known;
    for (const ClothPreset& p : clothPresets()) {
        if (name == p.name) return p.material;
        known += (known.empty() ? "" : ", ") + std::string(p.name);
    }
    throw Error("cloth material", "'" + name + "' is not a preset, expected one of " + known);
}

} // namespace purl
