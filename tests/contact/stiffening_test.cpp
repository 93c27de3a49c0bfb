// The law that stiffens near full compression: force and energy belong together in exact contact
// and in models, and it is the paper's law where yarns are not that near.
#include "purl/contact/exact.h"
#include "purl/contact/linear_model.h"

#include <gtest/gtest.h>

using namespace purl;

namespace {
struct Crossing {
    Curves c;
    std::vector<Material> material{2};
    Layout layout;
    Padded3 x;
    explicit Crossing(double height) {
        std::vector<Vec3> a, b;
        for (int i = 0; i < 6; ++i) {
            a.push_back(Vec3(2e-3 * (i - 2.5), 0, 0));
            b.push_back(Vec3(1e-4, 2e-3 * (i - 2.4), height));
        }
        c.add(a, false, 1.25e-3);
        c.add(b, false, 1.25e-3);
        layout = Layout(c);
        x.resize(layout.padded() + 16);
        for (Index y = 0; y < 2; ++y) scatter(layout, c.x, c.first[y], y, x);
    }
    double force(double below, double& energy) { // N, on the second yarn, upward
        ContactSettings s;
        s.stiffenBelow = below;
        ExactContact exact(c, layout, material, {}, s);
        Padded3 f = x;
        for (auto* a : {&f.x, &f.y, &f.z}) std::fill(a->begin(), a->end(), 0.0);
        exact.addForce(x, f);
        energy = exact.energy();
        double sum = 0;
        for (Index i = c.first[1]; i < c.first[2]; ++i) sum += f.z[layout.slotOf[i]];
        return sum;
    }
};
} // namespace

TEST(Stiffening, ForceIsTheSlopeOfTheEnergy) {
    for (double below : {0.0, 0.6}) {
        const double h = 1.2e-3, step = 1e-7; // 0.48 of 2r
        double e, low, high;
        const double f = Crossing(h).force(below, e);
        Crossing(h - step).force(below, low);
        Crossing(h + step).force(below, high);
        EXPECT_NEAR(f, -(high - low) / (2 * step), 1e-3 * f) << below;
    }
    double e;
    const double plain = Crossing(1.2e-3).force(0, e), stiff = Crossing(1.2e-3).force(0.6, e);
    EXPECT_GT(stiff, 1.5 * plain);
    EXPECT_EQ(Crossing(1.8e-3).force(0, e), Crossing(1.8e-3).force(0.6, e));
}

TEST(Stiffening, ModelsHaveTheSameForceAndItsDerivative) {
    ContactSettings s;
    s.stiffenBelow = 0.6;
    double total[2], slope = 0;
    for (int k : {1, 0}) {
        Crossing t(1.2e-3 + 1e-7 * k);
        const Quadrature q(t.c, t.layout, t.material, 11);
        const Exclusion e(t.c, {}, 11);
        const ModelBuilder builder(q, e, s);
        const PointBox box{11, 43, 55 + 11, 55 + 43};
        LinearModel m;
        builder.build(builder.measure(box, t.x).touch, box, t.x, true, m);
        total[k] = 0;
        slope = 0;
        const int n = m.window.size();
        for (int a = m.window.nu; a < n; ++a) {
            total[k] += m.force[3 * a + 2];
            for (int b = m.window.nu; b < n; ++b)
                slope += static_cast<double>(
                    m.stiffness[6 * LinearModel::block(n, std::min(a, b), std::max(a, b)) + 5]);
        }
        double energy;
        if (k == 0) {
            EXPECT_NEAR(total[0], t.force(0.6, energy), 1e-6 * total[0]);
        }
    }
    EXPECT_NEAR((total[1] - total[0]) / 1e-7, slope, 2e-3 * std::abs(slope));
}
