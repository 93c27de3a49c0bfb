// Snapshots: what goes in comes out to the bit; what was cut, changed or is of another kind does
// not go in at all, and says where.
#include "purl/base/snapshot.h"

#include "purl/base/error.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

using namespace purl;

namespace {

struct Thing {
    std::vector<Vec3> x;
    std::vector<std::uint8_t> flag;
    std::vector<std::vector<Index>> lists;
    std::string name;
    double time = 0;
    Mat3 turn = Mat3::Identity();

    template <class Self, class Archive>
    static void fields(Self& s, Archive& a) {
        a(s.x, s.flag, s.lists, s.name, s.time, s.turn);
    }
    void save(SnapshotWriter& w) const {
        w.begin("thing", 3);
        fields(*this, w);
        w.end();
    }
    void load(SnapshotReader& r) {
        r.begin("thing", 3);
        fields(*this, r);
        r.end();
    }
};

Thing example() {
    Thing t;
    std::mt19937 random(7);
    std::normal_distribution<double> n;
    for (int i = 0; i < 20000; ++i) t.x.push_back({n(random), n(random), n(random)});
    t.x[5].x() = std::numeric_limits<double>::denorm_min();
    t.x[6].y() = -0.0;
    t.flag = {1, 0, 255};
    t.lists = {{1, 2, 3}, {}, {-4}};
    t.name = "wool \"2\" \n";
    t.time = 1.0 / 3;
    t.turn(1, 2) = 0.25;
    return t;
}

std::vector<char> bytesOf(const Thing& t) {
    SnapshotWriter w;
    t.save(w);
    w.finish();
    return w.bytes();
}

std::string complaint(std::vector<char> bytes) {
    try {
        SnapshotReader r(std::move(bytes), "c.purlstate");
        Thing t;
        t.load(r);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST(Snapshot, WhatGoesInComesOut) {
    const Thing t = example();
    SnapshotReader r(bytesOf(t), "memory");
    Thing u;
    u.load(r);
    EXPECT_TRUE(r.atEnd());
    ASSERT_EQ(u.x.size(), t.x.size());
    EXPECT_EQ(std::memcmp(u.x.data(), t.x.data(), t.x.size() * sizeof(Vec3)), 0);
    EXPECT_EQ(u.flag, t.flag);
    EXPECT_EQ(u.lists, t.lists);
    EXPECT_EQ(u.name, t.name);
    EXPECT_EQ(u.time, t.time);
    EXPECT_EQ(u.turn, t.turn);
}

TEST(Snapshot, ASinkGetsTheSameBytesAsMemory) {
    const Thing t = example();
    std::vector<char> sunk;
    SnapshotWriter w([&](const void* p, std::size_t n) {
        sunk.insert(sunk.end(), static_cast<const char*>(p), static_cast<const char*>(p) + n);
    });
    t.save(w);
    w.finish();
    EXPECT_EQ(sunk, bytesOf(t));
    EXPECT_EQ(w.size(), sunk.size());
}

TEST(Snapshot, CutAnywhereItIsRefused) {
    const std::vector<char> whole = bytesOf(example());
    for (std::size_t n = 0; n < whole.size(); n += 101)
        ASSERT_THROW(SnapshotReader({whole.begin(), whole.begin() + n}, "cut"), Error) << n;
    std::vector<char> longer = whole;
    longer.push_back(0);
    EXPECT_THROW(SnapshotReader(longer, "longer"), Error);
}

TEST(Snapshot, AFlippedBitIsRefused) {
    std::vector<char> bytes = bytesOf(example());
    for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 61) {
        bytes[at] ^= 4;
        ASSERT_THROW(SnapshotReader(bytes, "flipped"), Error) << at;
        bytes[at] ^= 4;
    }
    EXPECT_EQ(complaint(bytes), "");
}

TEST(Snapshot, ComplaintsNameFileSectionAndWhatWasExpected) {
    SnapshotWriter newer;
    newer.begin("thing", 4);
    newer.end();
    newer.finish();
    EXPECT_NE(complaint(newer.bytes()).find("c.purlstate: start"), std::string::npos);
    EXPECT_NE(complaint(newer.bytes()).find("version 4, expected at most 3"), std::string::npos);
    SnapshotWriter other;
    other.begin("cloth", 1);
    other.end();
    other.finish();
    EXPECT_NE(complaint(other.bytes()).find("'cloth' was found, expected 'thing'"),
              std::string::npos);
    SnapshotWriter floats; // elements of another size
    floats.begin("thing", 3);
    floats.put(std::vector<float>(9, 1.0f));
    floats.end();
    floats.finish();
    EXPECT_NE(complaint(floats.bytes()).find("thing, byte"), std::string::npos);
    EXPECT_NE(complaint(floats.bytes()).find("4 bytes was found, expected one of 24"),
              std::string::npos);
    SnapshotWriter more; // a section with something left
    more.begin("thing", 3);
    Thing t = example();
    Thing::fields(t, more);
    more.put(1.0);
    more.end();
    more.finish();
    EXPECT_NE(complaint(more.bytes()).find("expected the end of the section"), std::string::npos);
    EXPECT_THROW(SnapshotReader::fromFile("/nonexistent/c.purlstate"), Error);
}

TEST(Snapshot, LengthsThatTheSceneFixesAreChecked) {
    SnapshotWriter w;
    w.put(std::vector<double>(5, 0.0));
    w.finish();
    SnapshotReader r(w.bytes(), "c");
    std::vector<double> v;
    try {
        r.getSized(v, 6, "nodes");
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("5 nodes were found, expected 6"), std::string::npos);
    }
}
