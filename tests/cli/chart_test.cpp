// `purl pattern chart.png`: a pixel a stitch.
#include "cli/command.h"
#include "io/png_file.h"
#include "purl/pattern/pattern.h"

namespace purl {

class Chart : public Command {
protected:
    void putChart(const std::string& name, const std::vector<std::string>& rows) const {
        put(name, pngFile(chart(rows)));
    }
    std::string refusal(const std::string& arguments, int code = 3) const {
        const Outcome o = purl("pattern " + arguments + " --out out.geo");
        EXPECT_EQ(o.code, code) << o.text;
        EXPECT_FALSE(exists("out.geo"));
        return o.text;
    }
};

TEST_F(Chart, IsTheSameAsTheNamedPattern) {
    putChart("rib.png", {"wwbb"});
    putChart("garter.png", {"b", "w"}); // the lowest row is the first course, which is knit
    putChart("moss.png", {"bw", "wb"});
    for (const char* name : {"rib", "garter", "moss"}) {
        const std::string size = " --wales 8 --courses 6 --out ";
        ASSERT_EQ(purl(std::string("pattern ") + name + ".png" + size + "chart.geo").code, 0);
        ASSERT_EQ(
            purl(std::string("pattern ") + (name[0] == 'r' ? "rib2x2" : name) + size + "named.geo")
                .code,
            0);
        EXPECT_EQ(bytes("chart.geo"), bytes("named.geo")) << name;
    }
}

TEST_F(Chart, IsReadFromTheBottomUpAndHasItsOwnSize) {
    // a T of purl stitches on knit ones: upside down it would be another field
    putChart("t.png", {"wwwwww", "wbbbbw", "wwbbww", "wwbbww", "wwwwww"});
    const Outcome o = purl("pattern t.png --out t.bgeo");
    ASSERT_EQ(o.code, 0) << o.text;
    const Detail d = read("t.bgeo");
    const Attribute &course = *d.findPoint("course"), &wale = *d.findPoint("wale");
    int most[2] = {0, 0};
    for (Index p = 0; p < d.points(); ++p) {
        most[0] = std::max(most[0], static_cast<int>(wale.integer(p)));
        most[1] = std::max(most[1], static_cast<int>(course.integer(p)));
    }
    EXPECT_EQ(most[0], 5); // six wales
    EXPECT_EQ(most[1], 5); // five courses and the bind-off
    PatternSettings wanted;
    wanted.wales = 6;
    wanted.courses = 5;
    wanted.field = {5, 6, {1, 1,  1,  1,  1,  1,   //
                           1, 1,  -1, -1, 1,  1,   //
                           1, 1,  -1, -1, 1,  1,   //
                           1, -1, -1, -1, -1, 1,   //
                           1, 1,  1,  1,  1,  1}}; // the first course first
    const Pattern p = makePattern(wanted);
    const std::vector<Vec3> x = d.positions();
    ASSERT_EQ(x.size(), p.curves.x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_LT((x[i] - p.curves.x[i]).norm(), 1e-8) << "point " << i;
}

TEST_F(Chart, LegendAsTextAndAsFile) {
    putChart("red.png", {"rrgg"});
    putChart("rib.png", {"wwbb"});
    ASSERT_EQ(purl("pattern rib.png --wales 8 --courses 6 --out a.geo").code, 0);
    Outcome o = purl("pattern red.png --legend '#ff0000 = knit, grey=purl' --wales 8 --courses 6 "
                     "--out b.geo");
    ASSERT_EQ(o.code, 0) << o.text;
    put("legend.txt", "// my chart\nred = knit // front\n\n#808080=purl\r\n");
    o = purl("pattern red.png --legend legend.txt --wales 8 --courses 6 --out c.geo");
    ASSERT_EQ(o.code, 0) << o.text;
    EXPECT_EQ(bytes("a.geo"), bytes("b.geo"));
    EXPECT_EQ(bytes("a.geo"), bytes("c.geo"));
    // a weave: black is where the warp is over the weft
    putChart("plain.png", {"wb", "bw"});
    o = purl("pattern plain.png --legend black=over,white=under --wales 6 --courses 6 --out d.geo");
    ASSERT_EQ(o.code, 0) << o.text;
    ASSERT_EQ(purl("pattern plain --wales 6 --courses 6 --out e.geo").code, 0);
    EXPECT_EQ(bytes("d.geo"), bytes("e.geo"));
}

TEST_F(Chart, BadChartsAndLegendsAreRefusedByName) {
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "expected: " << part;
    };
    putChart("c.png", {"wwb", "wrb"});
    has(refusal("c.png"), "c.png: pixel 1,1: colour #ff0000 is not in the legend");
    has(refusal("c.png"), "#000000, #ffffff");
    has(refusal("c.png --legend white=knit,black=pearl"), "stitch 'pearl'");
    has(refusal("c.png --legend mauve=knit"), "colour 'mauve'");
    has(refusal("c.png --legend '#12345=knit'"), "colour '#12345'");
    has(refusal("c.png --legend white=knit,black=over"), "knits and of weaves");
    has(refusal("c.png --legend white=knit,white=purl"), "twice");
    has(refusal("c.png --legend nowhere.txt"), "nowhere.txt");
    put("l.txt", "white=knit\nblack\n");
    has(refusal("c.png --legend l.txt"), "l.txt: line 2");
    has(refusal("stockinette --legend white=knit"), "--legend");
    has(refusal("nowhere.png"), "nowhere.png");
    put("no.png", "not a picture");
    has(refusal("no.png"), "not a PNG");
    PngSpec palette = chart({"wb"});
    palette.color = 3;
    palette.pixels = {0, 1};
    put("palette.png", pngFile(palette));
    has(refusal("palette.png"), "palette");
}

} // namespace purl
