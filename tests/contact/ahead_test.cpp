// Forces of contact sets at another place than the one that their models are made at, as implicit
// steps ask for them.
#include "purl/contact/acl.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace purl {

namespace {

// Two yarns crossing, pressed together by a tenth of their thickness.
struct Crossed {
    Curves curves;
    std::vector<Material> material = std::vector<Material>(2);
    Layout layout;

    Crossed() {
        std::vector<Vec3> a, b;
        for (int i = 0; i < 9; ++i) {
            a.push_back({0.002 * (i - 4.0), 0, 0});
            b.push_back({0.0001, 0.002 * (i - 4.1), 0.9 * 0.0025});
        }
        curves.add(a, false, 0.00125);
        curves.add(b, false, 0.00125);
        layout = Layout(curves);
    }
    AclContact contact() const {
        ContactSettings settings;
        settings.positive = true;
        return AclContact(curves, layout, material, {}, settings);
    }
    Padded3 zero() const {
        Padded3 p;
        p.resize(layout.padded() + 4);
        return p;
    }
    Padded3 place(const Mat3& turn, const Vec3& shiftOfUpper) const {
        std::vector<Vec3> p = curves.x;
        for (Index i = curves.first[1]; i < curves.first[2]; ++i) p[i] += shiftOfUpper;
        for (Vec3& q : p) q = turn * q;
        Padded3 x = zero();
        for (Index y = 0; y < 2; ++y) scatter(layout, p, curves.first[y], y, x);
        return x;
    }
    // Largest difference of forces at nodes, of the largest force.
    double apart(const Padded3& f, const Padded3& g, const Mat3& turn) const {
        double most = 0, largest = 0;
        for (Index s : layout.slotOf) {
            most = std::max(most, (f.at(s) - turn * g.at(s)).norm());
            largest = std::max(largest, g.at(s).norm());
        }
        EXPECT_GT(largest, 0);
        return most / largest;
    }
};

const Mat3 kStay = Mat3::Identity();

} // namespace

TEST(ContactAhead, AtTheSamePlaceItIsTheSameForce) {
    const Crossed c;
    AclContact a = c.contact(), b = c.contact();
    const Padded3 x = c.place(kStay, Vec3::Zero());
    Padded3 f = c.zero(), g = c.zero();
    a.addForce(x, f);
    b.addForce(x, x, g);
    EXPECT_LT(c.apart(g, f, kStay), 1e-3); // matrices are kept in halves
}

// Whatever is turned as a whole pushes as before, turned: the world's frame would leave the forces
// behind, which is what held knits back from curling.
TEST(ContactAhead, ForcesTurnWithTheYarns) {
    const Crossed c;
    for (double angle : {0.05, 0.4}) {
        const Mat3 turn = Eigen::AngleAxisd(angle, Vec3(1, 2, -1).normalized()).matrix();
        AclContact a = c.contact(), b = c.contact();
        const Padded3 x = c.place(kStay, Vec3::Zero()), at = c.place(turn, Vec3::Zero());
        Padded3 f = c.zero(), g = c.zero();
        a.addForce(x, f);
        b.addForce(x, at, g);
        EXPECT_LT(c.apart(g, f, turn), 2e-3) << angle;
    }
}

// Pressed on a little further, the models answer as exact contact does.
TEST(ContactAhead, PressedOnItIsTheExactForceThere) {
    const Crossed c;
    const Vec3 down(0, 0, -2e-5); // 1 % of the distance
    AclContact a = c.contact(), b = c.contact();
    const Padded3 x = c.place(kStay, Vec3::Zero()), at = c.place(kStay, down);
    Padded3 there = c.zero(), here = c.zero(), ahead = c.zero();
    a.addForce(at, there); // made anew at that place: exact
    b.addForce(x, at, ahead);
    AclContact start = c.contact();
    start.addForce(x, here);
    const double moved = c.apart(here, there, kStay);
    EXPECT_GT(moved, 0.05); // it is a different force
    EXPECT_LT(c.apart(ahead, there, kStay), 0.3 * moved);
}

} // namespace purl
