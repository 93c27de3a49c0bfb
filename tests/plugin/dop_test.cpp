// The DOP solver: the same frames as the SOP, its state through caches and files.
#include "net.h"
#include "plugin/GAS_PurlSolver.h"
#include "plugin/SIM_PurlSolver.h"
#include "plugin/SIM_PurlState.h"

#include <sstream>

extern "C" void initializeSIM(void*);

namespace purl::test {

namespace {

constexpr double kFps = 480;

struct Dop {
    SIM_Engine engine;
    SIM_Object object;
    std::shared_ptr<SIM_Data> solver;
    explicit Dop(const Detail& yarns, const std::string& type = "SIM_PurlSolver") {
        initializeSIM(nullptr);
        auto geometry = std::make_shared<SIM_GeometryCopy>(nullptr);
        geometry->handle.allocateAndSet(new GU_Detail);
        houdini::appendGeometry(*geometry->handle.gdpNC(), yarns);
        object.subdata[SIM_GEOMETRY_DATANAME] = geometry;
        solver.reset(hdk::factories().at(type)());
        const SIM_DopDescription* d = type == "SIM_PurlSolver" ? SIM_PurlSolver::dopDescription()
                                                               : GAS_PurlSolver::dopDescription();
        for (const auto& p : d->templates->parms)
            for (const std::string& v : p.defaults) options().values[p.name].emplace_back(v);
        set("gravity", "-9.80665", 1);
        set("useground", "1");
    }
    SIM_Options& options() { return dynamic_cast<SIM_OptionsUser&>(*solver).options; }
    void set(const char* name, const char* value, int i = 0) {
        options().values.at(name).at(i) = UT_StringHolder(value);
    }
    bool step(bool isNew) {
        SIM_ObjectArray none;
        return static_cast<SIM_SingleSolver&>(*solver).solveSingleObject(
                   engine, object, none, SIM_Time(1 / kFps), isNew) ==
               SIM_Solver::SIM_SOLVER_SUCCESS;
    }
    Detail geometry() const {
        return houdini::readGeometry(*object.getGeometry()->getGeometry().gdp());
    }
    std::string said() const { return solver->said.empty() ? "" : solver->said.back().second; }
    SIM_PurlState& state() {
        return static_cast<SIM_PurlState&>(*object.getNamedSubData("PurlState"));
    }
};

struct Reference : Net {
    SOP_Node *pattern, *solver;
    Reference() {
        CHgetManager()->fps = kFps;
        pattern = add("purl::pattern::1.0", "p");
        set(pattern, "wales", 5);
        set(pattern, "courses", 4);
        set(pattern, "t", 0.004, 1);
        solver = add("purl::solver::1.0", "s", {pattern});
        set(solver, "useground", 1);
    }
    ~Reference() { CHgetManager()->fps = 24; }
};

} // namespace

TEST(Dop, StepsAreTheSopsFrames) {
    Reference sop;
    Dop dop(Net::at(sop.pattern, 1));
    ASSERT_TRUE(dop.step(true)) << dop.said();
    for (int f = 2; f <= 5; ++f) {
        ASSERT_TRUE(dop.step(false)) << dop.said();
        for (const char* name : {"P", "v", "orient"})
            EXPECT_TRUE(sameBits(dop.geometry(), Net::at(sop.solver, f), name)) << f;
    }
}

TEST(Dop, MicrosolverStepsTheSame) {
    Reference sop;
    Dop dop(Net::at(sop.pattern, 1), "GAS_PurlSolver");
    for (int f = 2; f <= 4; ++f) {
        ASSERT_TRUE(
            static_cast<GAS_SubSolver&>(*dop.solver).solveGas(dop.engine, &dop.object, 0, 1 / kFps))
            << dop.said();
        EXPECT_TRUE(sameBits(dop.geometry(), Net::at(sop.solver, f), "P")) << f;
    }
}

TEST(Dop, GoingBackInTheCacheGoesOnToTheSameBits) {
    Reference sop;
    Dop dop(Net::at(sop.pattern, 1));
    dop.step(true);
    dop.step(false); // at frame 2
    // What the engine does for its cache: copies of all data.
    auto kept = std::shared_ptr<SIM_Data>(hdk::factories().at("SIM_PurlState")());
    kept->makeEqual(&dop.state());
    const Detail two = dop.geometry();
    dop.step(false);
    dop.step(false); // at 4
    // The playbar goes back to 2, and on again.
    dop.object.subdata["PurlState"] = kept;
    auto geometry = std::make_shared<SIM_GeometryCopy>(nullptr);
    geometry->handle.allocateAndSet(new GU_Detail);
    houdini::appendGeometry(*geometry->handle.gdpNC(), two);
    dop.object.subdata[SIM_GEOMETRY_DATANAME] = geometry;
    ASSERT_TRUE(dop.step(false)) << dop.said();
    EXPECT_TRUE(sameBits(dop.geometry(), Net::at(sop.solver, 3), "P"));
    EXPECT_GT(kept->getMemorySize(), 1000);
}

TEST(Dop, SimFilesBringTheStateBack) {
    Reference sop;
    Dop first(Net::at(sop.pattern, 1));
    first.step(true);
    for (int f = 2; f <= 3; ++f) first.step(false);
    std::stringstream file;
    first.state().save(file);
    Dop second(first.geometry()); // another session: geometry and state come from the file
    second.object.createNamedSubData("PurlState", "SIM_PurlState", 0);
    UT_IStream in(file);
    ASSERT_TRUE(second.state().load(in));
    ASSERT_TRUE(second.step(false)) << second.said();
    EXPECT_TRUE(sameBits(second.geometry(), Net::at(sop.solver, 4), "P"));
    std::stringstream cut(file.str().substr(0, file.str().size() / 2));
    UT_IStream half(cut);
    EXPECT_FALSE(second.state().load(half));
}

TEST(Dop, AffectorsAreCollidersAndForcesPull) {
    Reference sop;
    const Detail yarns = Net::at(sop.pattern, 1);
    // A network's own gravity does what the solver's does, nearly: it is sampled once a step.
    struct Gravity : SIM_Force {
        using SIM_Force::SIM_Force;
        void getForce(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                      fpreal mass, UT_Vector3& force, UT_Vector3&) const override {
            force = UT_Vector3(0, static_cast<float>(-9.80665 * mass), 0);
        }
    };
    Dop pulled(yarns);
    pulled.set("gravity", "0", 1);
    pulled.set("useground", "0");
    pulled.object.forces.push_back(std::make_shared<Gravity>(nullptr));
    Dop own(yarns);
    own.set("useground", "0");
    for (int f = 1; f <= 4; ++f) {
        ASSERT_TRUE(pulled.step(f == 1)) << pulled.said();
        ASSERT_TRUE(own.step(f == 1));
    }
    const std::vector<Vec3> x0 = yarns.positions(), a = pulled.geometry().positions(),
                            b = own.geometry().positions();
    double fallen = 0, apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        fallen += (x0[i].y() - b[i].y()) / static_cast<double>(a.size());
        apart += (a[i] - b[i]).norm() / static_cast<double>(a.size());
    }
    EXPECT_GT(fallen, 1e-4); // 1/2 g t2 in three steps of 1/480 s: 0.19 mm
    EXPECT_LT(apart, 0.1 * fallen);
    // A floor as polygons of another object, moved up by its transform.
    Detail floor;
    floor.addPoints(4);
    floor.setPositions(std::vector<Vec3>{Vec3(-0.1, 0, -0.1), Vec3(-0.1, 0, 0.1), Vec3(0.1, 0, 0.1),
                                         Vec3(0.1, 0, -0.1)});
    floor.addPrimitive(PrimitiveKind::Polygon, std::vector<Index>{0, 1, 2, 3});
    SIM_Object ground;
    auto geometry = std::make_shared<SIM_GeometryCopy>(nullptr);
    geometry->handle.allocateAndSet(new GU_Detail);
    houdini::appendGeometry(*geometry->handle.gdpNC(), floor);
    geometry->xform.m[3][1] = -0.001;
    ground.subdata[SIM_GEOMETRY_DATANAME] = geometry;
    Dop falls(yarns);
    falls.set("useground", "0");
    falls.object.affectors.push_back(&ground);
    for (int f = 1; f <= 24; ++f) ASSERT_TRUE(falls.step(f == 1)) << falls.said();
    double lowest = 1;
    for (const Vec3& x : falls.geometry().positions()) lowest = std::min(lowest, x.y());
    EXPECT_GT(lowest, -0.001 + 0.9 * 0.00125); // the yarn's radius above it
}

TEST(Dop, AnObjectWithoutGeometryFailsWithAWord) {
    Dop dop(Detail{});
    EXPECT_FALSE(dop.step(true));
    EXPECT_NE(dop.said(), "");
    dop.object.subdata.erase(SIM_GEOMETRY_DATANAME);
    EXPECT_FALSE(dop.step(true));
    EXPECT_NE(dop.said().find("Geometry"), std::string::npos);
}

} // namespace purl::test
