// Esc: how long a press can go unheard, at sizes that artists work with, in every mode. The longest
// time between two questions, and from the answer to the return, is what a user waits at most. It
// is counted in processor time of all threads, which others on the machine do not lengthen; on an
// idle machine the clock on the wall shows no more.
#include "net.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/host/fabric_attribute.h"

#include <chrono>
#include <ctime>

namespace purl::test {

namespace {

double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; } // s

struct Latency {
    double begin = 0;   // s, of the start frame: nothing asks there
    double between = 0; // s, the longest from one question to the next
    double back = 0;    // s, from the answer "stop" to the return of the cook
    double wall = 0;    // s, `between` by the clock on the wall
    int questions = 0;
};

double wallNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Cooks up to frame `last`, then presses Esc `after` seconds into the next one.
Latency press(SOP_Node* solver, int last, double after) {
    Latency l;
    hdk::escape = nullptr;
    const double start = now();
    Net::cook(solver, 1);
    l.begin = now() - start;
    double before = now(), pressed = before, wallBefore = wallNow();
    hdk::escape = [&](int) {
        l.between = std::max(l.between, now() - before);
        l.wall = std::max(l.wall, wallNow() - wallBefore);
        before = now();
        wallBefore = wallNow();
        ++l.questions;
        return false;
    };
    for (int f = 2; f <= last; ++f) {
        before = now();
        wallBefore = wallNow();
        Net::cook(solver, f);
    }
    const double begun = now();
    before = begun;
    wallBefore = wallNow();
    bool said = false;
    hdk::escape = [&](int) {
        l.between = std::max(l.between, now() - before);
        l.wall = std::max(l.wall, wallNow() - wallBefore);
        before = now();
        wallBefore = wallNow();
        ++l.questions;
        if (now() - begun < after) return false;
        if (!said) pressed = now();
        return said = true;
    };
    Net::cook(solver, last + 1);
    if (said) l.back = now() - pressed;
    hdk::escape = nullptr;
    EXPECT_EQ(Net::errors(solver), "");
    return l;
}

Detail sheet(int columns, int rows, double width, double height) {
    ClothEntry entry;
    entry.grid = GridEntry{columns, rows, width, height, Vec3(0, 0.05, 0), true};
    std::string name;
    std::vector<std::string> warnings;
    return loadSheet(entry, name, warnings);
}

Detail fabric(double spacing, bool painted) {
    Detail d = sheet(20, 15, 0.2, 0.15);
    FabricEntry e;
    e.draft = "twill2/2";
    e.warpSpacing = spacing;
    putFabricEntry(d, e);
    if (!painted) return d;
    Attribute& paint = d.addFloat(Owner::Point, "yarn");
    const std::vector<Vec3> x = d.positions();
    for (Index i = 0; i < d.points(); ++i) paint.set(i, 0, x[i].x() > 0 ? 1 : 0);
    return d;
}

SOP_Node* scarf(Net& net, int wales, int courses, const char* stepping) {
    SOP_Node* pattern = net.add("purl::pattern::1.0", "pattern1");
    Net::set(pattern, "wales", wales);
    Net::set(pattern, "courses", courses);
    Net::set(pattern, "t", 0.05, 1);
    SOP_Node* solver = net.add("purl::solver::1.0", "solver1", {pattern});
    Net::set(solver, "useground", 1);
    Net::set(solver, "stepping", stepping);
    return solver;
}

SOP_Node* solve(Net& net, const Detail& d) {
    SOP_Node* solver = net.add("purl::solver::1.0", "solver1", {net.source("input", fixed(d))});
    Net::set(solver, "useground", 1);
    return solver;
}

void report(const char* what, const Latency& l) {
    std::printf("%-34s start %6.2f s, asked %5d times, at most %5.3f s (wall %5.3f s) "
                "apart, back in %5.3f s\n",
                what, l.begin, l.questions, l.between, l.wall, l.back);
}

} // namespace

TEST(Esc, IsHeardWithinAFifthOfASecondInEveryMode) {
    Net net;
    const Latency modes[] = {press(scarf(net, 24, 24, "explicit"), 1, 0.05),
                             press(scarf(net, 24, 24, "implicit"), 1, 0.05),
                             press(solve(net, sheet(40, 30, 0.4, 0.3)), 1, 0.02),
                             press(solve(net, fabric(0.003, false)), 1, 0.05),
                             press(solve(net, fabric(0.003, true)), 1, 0.05)};
    const char* names[] = {"yarn, 24 x 24 loops, explicit", "yarn, 24 x 24 loops, implicit",
                           "cloth, 40 x 30", "fabric, 66 x 50 crossings", "mixed, half painted"};
    for (int k = 0; k < 5; ++k) {
        report(names[k], modes[k]);
        EXPECT_GT(modes[k].questions, 1) << names[k];
        EXPECT_LT(modes[k].between + modes[k].back, 0.2) << names[k];
    }
}

TEST(Esc, AtTheEndOfAFrameOrInADrapeGoesOnToTheSameBits) {
    // Cloth in one step a frame has no middle: a press after it finds the frame whole. A drape that
    // is stopped has not begun.
    for (const bool drape : {false, true}) {
        Net net;
        const auto make = [&] {
            SOP_Node* s = solve(net, sheet(12, 10, 0.2, 0.15));
            Net::set(s, "substeps", 1);
            Net::set(s, "drape", drape);
            return s;
        };
        SOP_Node *stopped = make(), *whole = make();
        Net::cook(stopped, 1);
        int left = drape ? 4 : 2; // the first question is before the frame
        hdk::escape = [&](int) { return --left <= 0; };
        Net::cook(stopped, 2);
        EXPECT_EQ(Net::warnings(stopped).find("interrupted") != std::string::npos, drape);
        hdk::escape = nullptr;
        ++stopped->changes; // Houdini cooks it again
        for (int f = 2; f <= 3; ++f)
            EXPECT_TRUE(sameBits(Net::at(stopped, f), Net::at(whole, f), "P")) << drape << f;
    }
}

TEST(Esc, InsideASolveOfFabricAndMixedLeavesTheLastGoodFrame) {
    for (const bool painted : {false, true}) {
        Net net;
        const Detail d = fabric(0.01, painted);
        SOP_Node *stopped = solve(net, d), *whole = solve(net, d);
        Net::cook(stopped, 2);
        const Detail two = Net::at(stopped, 2);
        int left = 4; // the first question of a step is before it, the others inside
        hdk::escape = [&](int) { return --left <= 0; };
        EXPECT_TRUE(sameBits(Net::at(stopped, 3), two, "P"));
        EXPECT_NE(Net::warnings(stopped).find("interrupted in frame 3"), std::string::npos);
        hdk::escape = nullptr;
        ++stopped->changes;
        for (int f = 3; f <= 4; ++f)
            EXPECT_TRUE(sameBits(Net::at(stopped, f), Net::at(whole, f), "P")) << painted << f;
    }
}

// Not in the suite: minutes. docs/houdini.md has the command and what it gave.
TEST(Esc, DISABLED_AtTheSizeOfAScarfAndAGarment) {
    Net net;
    report("scarf, 54 x 60 loops, explicit", press(scarf(net, 54, 60, "explicit"), 1, 2));
    report("scarf, 54 x 60 loops, implicit", press(scarf(net, 54, 60, "implicit"), 1, 2));
    report("scarf, 40 x 113 loops, explicit", press(scarf(net, 40, 113, "explicit"), 1, 2));
    report("scarf, 40 x 113 loops, implicit", press(scarf(net, 40, 113, "implicit"), 1, 2));
    report("cloth, 150 x 120", press(solve(net, sheet(150, 120, 0.75, 0.6)), 2, 1));
    report("fabric, 200 x 150 crossings", press(solve(net, fabric(0.001, false)), 1, 2));
    report("mixed, half of the same", press(solve(net, fabric(0.001, true)), 1, 2));
}

} // namespace purl::test
