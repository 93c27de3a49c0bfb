// Twelve ways to mistreat a knit (issue: never a silent pass-through). Each scene either runs
// clean, by the judge of `purl check` on every saved frame, which knows nothing of the solver, or
// stops and names yarns; and what was saved until then is clean as well.
#include "purl/check/check.h"
#include "purl/collide/shapes.h"

#include <functional>
#include <gtest/gtest.h>
#include <tuple>

#include "sim/knit_scene.h"

namespace purl {

namespace {

constexpr double kFrame = 0.004; // s, between saved frames
constexpr double kPi = 3.14159265358979323846;

struct Abuse {
    std::string name;
    int frames;
    // Changes the scene before it is built: pins, colliders, materials.
    std::function<void(test::Knit&)> prepare;
    // Where pins shall be at the time t (s): from their place at the start.
    std::function<Vec3(const test::Knit&, Index node, const Vec3& start, double t)> target;
    // Pose of the first collider at a time.
    std::function<Vec3(double t)> collider;
    int changeAt = -1; // frame before which `change` makes a new scene of the present one
    std::function<void(Scene&)> change;
};

// Pins the first and the last course (or wale).
std::function<void(test::Knit&)> pinEnds(bool wales) {
    return [wales](test::Knit& k) {
        for (Index i = 0; i < k.scene.yarns.points(); ++i) {
            const Index at = wales ? k.pattern.wale[i] : k.pattern.course[i];
            if (at <= 0 || at >= k.n - 1) k.scene.pins.push_back(i);
        }
    };
}

bool farEnd(const test::Knit& k, Index node, bool wales) {
    return (wales ? k.pattern.wale[node] : k.pattern.course[node]) >= k.n - 1;
}

Vec3 extent(const test::Knit& k) {
    Vec3 low(1e9, 1e9, 1e9), high = -low;
    for (const Vec3& p : k.pattern.curves.x) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    return high - low;
}

Vec3 middle(const test::Knit& k) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : k.pattern.curves.x) sum += p;
    return sum / static_cast<double>(k.pattern.curves.x.size());
}

// The direction from the first to the last course (or wale).
Vec3 along(const test::Knit& k, bool wales) {
    const auto line = k.line(k.pattern.curves.x, wales);
    return (line.back() - line.front()).normalized();
}
Vec3 across(const test::Knit& k) { return along(k, true).cross(along(k, false)).normalized(); }

Abuse stretch(const std::string& name, bool wales, double ratio, double speed) {
    Abuse a{name, 30, pinEnds(wales), {}, {}, -1, {}};
    a.target = [=](const test::Knit& k, Index node, const Vec3& start, double t) -> Vec3 {
        if (!farEnd(k, node, wales)) return start;
        const double length = std::abs(extent(k).dot(along(k, wales).cwiseAbs()));
        return start + std::min(speed * t, (ratio - 1) * length) * along(k, wales);
    };
    return a;
}

// A collider that comes from one side and goes 20 m/s through the middle of the cloth.
Abuse shot(const std::string& name,
           std::function<std::shared_ptr<Collider>(const test::Knit&)> make, double speed) {
    Abuse a{name, 8, {}, {}, {}, -1, {}};
    a.prepare = [make](test::Knit& k) {
        pinEnds(false)(k);
        k.scene.colliders.push_back(make(k));
        k.scene.collision.push_back(k.scene.settings.collision);
    };
    a.collider = [speed](double t) { return Vec3(0, 0, speed * t); };
    return a;
}

std::vector<Abuse> scenes() {
    std::vector<Abuse> all;
    all.push_back(stretch("stretch 60 % along wales", false, 1.6, 0.5));
    all.push_back(stretch("stretch 60 % along courses", true, 1.6, 0.5));
    all.push_back(stretch("stretch 150 % at 3 m/s", false, 2.5, 3));

    Abuse twist{"twist 720 degrees", 40, pinEnds(false), {}, {}, -1, {}};
    twist.target = [](const test::Knit& k, Index node, const Vec3& start, double t) -> Vec3 {
        if (!farEnd(k, node, false)) return start;
        const double turn = 4 * kPi * std::min(1.0, t / 0.15);
        return middle(k) + Eigen::AngleAxisd(turn, along(k, false)) * Vec3(start - middle(k)) -
               std::min(0.3, t) * 0.01 * along(k, false);
    };
    all.push_back(twist);

    Abuse crumple{"crumple", 30, pinEnds(false), {}, {}, -1, {}};
    crumple.target = [](const test::Knit& k, Index node, const Vec3& start, double t) -> Vec3 {
        const Vec3 m = middle(k);
        const double keep = std::max(0.15, 1 - 10 * t);
        const Vec3 d = start - m;
        return m + d - (1 - keep) * d.dot(along(k, false)) * along(k, false) +
               (1 - keep) * 0.004 * across(k) * (farEnd(k, node, false) ? 1 : -1);
    };
    all.push_back(crumple);

    Abuse drag{"drag at 5 m/s", 12, {}, {}, {}, -1, {}};
    drag.prepare = [](test::Knit& k) {
        for (Index i = 0; i < k.scene.yarns.points(); ++i)
            if (k.pattern.course[i] <= 0 && k.pattern.wale[i] <= 1) k.scene.pins.push_back(i);
    };
    drag.target = [](const test::Knit&, Index, const Vec3& start, double t) -> Vec3 {
        return start + 5 * t * Vec3(0.6, 0, 0.8);
    };
    all.push_back(drag);

    all.push_back(shot(
        "ball at 20 m/s",
        [](const test::Knit& k) {
            return std::make_shared<SphereCollider>(Vec3(middle(k) - Vec3(0, 0, 0.03)), 0.012);
        },
        20));
    all.push_back(shot(
        "needle at 20 m/s",
        [](const test::Knit& k) {
            const Vec3 m = middle(k) - Vec3(0, 0, 0.02);
            return std::make_shared<CapsuleCollider>(Vec3(m - Vec3(0.03, 0, 0)),
                                                     Vec3(m + Vec3(0.03, 0, 0)), 0.0015);
        },
        20));

    Abuse shrink = stretch("radius shrunk in the run", false, 1.4, 0.5);
    shrink.changeAt = 10;
    shrink.change = [](Scene& s) {
        for (double& r : s.yarns.radius) r *= 0.3;
    };
    all.push_back(shrink);

    Abuse stiff = stretch("absurd stiffness", false, 1.2, 0.5);
    stiff.frames = 6;
    const auto pin = stiff.prepare;
    stiff.prepare = [pin](test::Knit& k) {
        pin(k);
        for (Material& m : k.scene.material) m.contactStiffness *= 3000;
        k.scene.settings.time.substeps = 16; // as if the artist had said so: far too few
    };
    all.push_back(stiff);

    Abuse soft = stretch("contact as soft as butter", false, 1.5, 0.5);
    soft.prepare = [pin](test::Knit& k) {
        pin(k);
        for (Material& m : k.scene.material) m.contactStiffness *= 2e-3;
    };
    all.push_back(soft);

    Abuse impact{"impact at 30 m/s", 8, {}, {}, {}, -1, {}};
    impact.prepare = [](test::Knit& k) {
        k.scene.velocity.assign(k.scene.yarns.x.size(), Vec3(0, 0, -30));
        k.scene.colliders.push_back(
            std::make_shared<SphereCollider>(Vec3(middle(k) - Vec3(0, 0, 0.035)), 0.02));
        k.scene.collision.push_back(k.scene.settings.collision);
    };
    all.push_back(impact);
    return all;
}

struct Result {
    FrameReport::Outcome outcome = FrameReport::Outcome::Done;
    std::string reason, first;
    int frames = 0;
    long rejected = 0, lenient = 0;
    Index passes = 0, broken = 0, doubts = 0;
    double gap = 1;
};

Result run(const Abuse& abuse, Stepping kind, bool guarded = true) {
    test::Knit knit("stockinette", 7);
    knit.scene.settings.guard.enabled = guarded;
    knit.scene.settings.step.kind = kind;
    knit.scene.settings.time.fps = 1 / kFrame;
    if (abuse.prepare) abuse.prepare(knit);
    const std::vector<Vec3> start = knit.scene.yarns.x;
    SequenceCheck check;
    Curves shown = knit.scene.yarns;
    check.add(0, shown);
    auto sim = std::make_unique<Simulation>(knit.scene);
    Monitor quiet;
    Result r;
    for (int f = 1; f <= abuse.frames && r.outcome == FrameReport::Outcome::Done; ++f) {
        if (f == abuse.changeAt) {
            Scene s = knit.scene;
            if (s.rest.empty()) s.rest = s.yarns.x;
            s.yarns.x = sim->positions();
            s.velocity = sim->velocities();
            abuse.change(s);
            sim = std::make_unique<Simulation>(s);
        }
        const double t = f * kFrame;
        if (abuse.target) {
            std::vector<Vec3> target = start;
            for (Index i : knit.scene.pins) target[i] = abuse.target(knit, i, start[i], t);
            sim->setTargets(target);
        }
        if (abuse.collider) {
            Pose before, now;
            before.translation = abuse.collider(t - kFrame);
            now.translation = abuse.collider(t);
            knit.scene.colliders[0]->setPose(before, now, kFrame);
        }
        const FrameReport report = sim->advanceFrame(quiet);
        r.outcome = report.outcome;
        r.reason = report.reason;
        for (long n : report.rejected) r.rejected += n;
        r.lenient += report.lenient;
        r.gap = std::min(r.gap, report.certificate.smallestGap);
        if (r.first.empty()) r.first = report.firstRejected;
        if (report.outcome != FrameReport::Outcome::Done) break;
        EXPECT_EQ(report.certificate.given, guarded);
        EXPECT_EQ(report.certificate.passes, 0);
        shown.x = sim->positions();
        check.add(f, shown);
        ++r.frames;
    }
    const CheckReport judged = check.report();
    r.passes = judged.count(FindingKind::PassThrough);
    r.broken = judged.count(FindingKind::NonFinite) + judged.count(FindingKind::Broken);
    r.doubts = judged.count(FindingKind::Doubtful);
    for (const Finding& f : judged.findings)
        if (f.kind == FindingKind::PassThrough) r.first += " | " + f.text;
    return r;
}

class AbuseTest : public testing::TestWithParam<std::tuple<int, Stepping>> {};

TEST_P(AbuseTest, RunsCleanOrStopsWithNames) {
    const Abuse abuse = scenes()[static_cast<std::size_t>(std::get<0>(GetParam()))];
    const Stepping kind = std::get<1>(GetParam());
    const Result r = run(abuse, kind);
    std::printf("%s %s: outcome %d after %d frames, %ld rejected, smallest gap %.2f %s\n",
                kind == Stepping::Explicit ? "explicit" : "implicit", abuse.name.c_str(),
                static_cast<int>(r.outcome), r.frames, r.rejected, r.gap, r.reason.c_str());
    EXPECT_EQ(r.passes, 0) << abuse.name << ": " << r.first;
    EXPECT_EQ(r.broken, 0) << abuse.name;
    EXPECT_NE(r.outcome, FrameReport::Outcome::Interrupted);
    if (r.outcome == FrameReport::Outcome::Done) {
        EXPECT_EQ(r.frames, abuse.frames);
    } else {
        EXPECT_TRUE(r.reason.find("yarn ") != std::string::npos ||
                    r.reason.find(" J ") != std::string::npos ||
                    r.reason.find("the solve") != std::string::npos)
            << r.reason;
    }
}

INSTANTIATE_TEST_SUITE_P(Twelve, AbuseTest,
                         testing::Combine(testing::Range(0, 12),
                                          testing::Values(Stepping::Explicit, Stepping::Implicit)));

// The judge has teeth: without the guard the same scenes do pass, and it sees that.
TEST(Abuse, WithoutTheGuardYarnsPass) {
    int passed = 0;
    for (int k : {0, 2, 6, 10})
        passed += run(scenes()[static_cast<std::size_t>(k)], Stepping::Explicit, false).passes > 0;
    EXPECT_EQ(passed, 4);
}

TEST(Abuse, ThereAreTwelve) { EXPECT_EQ(scenes().size(), 12u); }

} // namespace

} // namespace purl
