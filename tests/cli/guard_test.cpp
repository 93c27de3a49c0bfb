// A run in which yarn would pass through yarn stops with exit 4 and says which yarns and where; the
// frames before it are whole and clean.
#include "cli/command.h"

namespace purl {

class Guard : public Command {
protected:
    // A thread held at its ends, and a heavy one that falls across it; contact hardly pushes back.
    void writeThreads(double stiffness) {
        Detail d;
        std::vector<Vec3> x;
        for (int i = 0; i < 21; ++i) x.emplace_back(0.004 * (i - 10), 0, 0);
        for (int i = 0; i < 21; ++i) x.emplace_back(0, 0.004, 0.004 * (i - 10));
        d.addPoints(static_cast<Index>(x.size()));
        d.setPositions(x);
        for (Index y = 0; y < 2; ++y) {
            std::vector<Index> ids;
            for (Index i = 0; i < 21; ++i) ids.push_back(21 * y + i);
            d.addPrimitive(PrimitiveKind::Polyline, ids);
        }
        Attribute& r = d.addFloat(Owner::Point, "pscale");
        for (Index p = 0; p < d.points(); ++p) r.set(p, 0, 0.001);
        Attribute& held = d.addInt(Owner::Point, "stopped");
        held.set(0, 0, 1);
        held.set(20, 0, 1);
        Attribute& k = d.addFloat(Owner::Primitive, "contactstiffness");
        for (Index y = 0; y < 2; ++y) k.set(y, 0, stiffness);
        write("threads.geo", d);
    }
};

TEST_F(Guard, StopsWithNamesBeforeYarnPassesYarn) {
    writeThreads(1e-4);
    const Outcome o = purl("sim --yarns threads.geo --frames 1-60 --fps 250 --out 'f.$F.geo' "
                           "--stats s.jsonl --quiet");
    EXPECT_EQ(o.code, 4) << o.text;
    for (const char* word : {"yarn 0", "yarn 1", " m ", "through", "are whole"})
        EXPECT_NE(o.text.find(word), std::string::npos) << word << " in " << o.text;
    const std::string stats = bytes("s.jsonl");
    EXPECT_NE(stats.find("\"passed_through\""), std::string::npos);
    EXPECT_NE(stats.find("\"certificate\":{\"passes\":0"), std::string::npos);
    EXPECT_TRUE(exists("f.2.geo"));
    EXPECT_FALSE(exists("f.60.geo"));
    EXPECT_EQ(purl("check 'f.$F.geo' --length-tolerance 1").code, 0);
}

TEST_F(Guard, OrdinaryContactHolds) {
    writeThreads(8);
    const Outcome o =
        purl("sim --yarns threads.geo --frames 1-25 --fps 250 --out 'f.$F.geo' --quiet");
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_EQ(purl("check 'f.$F.geo' --length-tolerance 1").code, 0);
}

} // namespace purl
