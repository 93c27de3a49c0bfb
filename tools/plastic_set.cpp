// What a snag and a pull at two corners leave in a woven patch of cotton (docs/crossings.md):
// drawn, let go, and with friction switched off. tools/plastic_set.sh builds, runs and renders it.
#include "purl/crossing/curves_out.h"
#include "purl/crossing/samples.h"
#include "purl/crossing/solver.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cstdio>
#include <string>

using namespace purl;

namespace {

constexpr double kSpacing = 3e-4; // m

struct Patch {
    CrossingNetwork net;
    FabricSolver fabric;
    Index n;
    std::string folder, name;

    static FabricSolverSettings still() {
        FabricSolverSettings s;
        s.forces.gravity.setZero();
        s.touch.self = false;
        return s;
    }
    static CrossingNetwork weave(Index n, double tail) {
        WovenSample s;
        s.warps = s.wefts = n;
        s.tail = tail;
        return wovenSample(s, CrossingMaterial());
    }
    Patch(Index side, double tail, const char* folderName, const char* patchName)
        : net(weave(side, tail)), fabric(net, still()), n(side), folder(folderName),
          name(patchName) {}

    // Prints the furthest that a crossing has moved against the patch as a whole and slid along a
    // yarn, and writes the yarns.
    void tell(const char* when, double residual) const {
        Eigen::Matrix3Xd a(3, n * n), b(3, n * n);
        for (Index i = 0; i < n * n; ++i) {
            a.col(i) = net.x[i];
            b.col(i) = fabric.x()[i];
        }
        const Eigen::Matrix4d t = Eigen::umeyama(a, b, false);
        const double moved =
            (b - (t.topRows<3>() * a.colwise().homogeneous())).colwise().norm().maxCoeff();
        const YarnLinks& l = fabric.fabric().links();
        double slid = 0;
        for (Index v = 0; v < net.visitCount(); ++v)
            slid =
                std::max(slid, std::abs(l.slide(fabric.unknowns(), l.ofVisit[v]) - net.slide[v]));
        std::printf("%-8s %-9s moved %6.3f slid %6.3f spacings, force left %.1e N\n", name.c_str(),
                    when, moved / kSpacing, slid / kSpacing, residual);
        std::fflush(stdout);
        const Curves c = fabricCurves(net, fabric.x(), fabric.slides()).curves;
        const std::string path = folder + "/" + name + "_" + when + ".obj";
        std::FILE* f = std::fopen(path.c_str(), "w");
        if (!f) return;
        for (const Vec3& p : c.x) std::fprintf(f, "v %.6g %.6g %.6g\n", p.x(), p.y(), p.z());
        for (Index y = 0; y < c.yarns(); ++y) {
            std::fprintf(f, "l");
            for (Index i = c.first[y]; i < c.first[y + 1]; ++i) std::fprintf(f, " %d", i + 1);
            std::fprintf(f, "\n");
        }
        std::fclose(f);
    }

    void draw(std::vector<Index> pins, const std::vector<std::pair<Index, Vec3>>& by, bool grip,
              int frames) {
        std::sort(pins.begin(), pins.end());
        fabric.setPins(pins, grip);
        Monitor monitor;
        for (int k = 1; k <= frames; ++k) {
            std::vector<Vec3> to;
            for (Index p : pins) {
                to.push_back(net.x[p]);
                for (const auto& [node, way] : by)
                    if (node == p) to.back() += way * k / frames;
            }
            fabric.setPinTargets(to);
            fabric.advanceFrame(4e-3, 2, monitor);
        }
        tell("drawn", 0);
    }

    void letGo(std::vector<Index> pins, bool grip) {
        Monitor monitor;
        fabric.setPins(std::move(pins), grip);
        tell("released", fabric.settle(0.01, 15, 1e-9, monitor).residual);
        fabric.setFrictionOn(false);
        tell("slippery", fabric.settle(0.01, 15, 1e-9, monitor).residual);
    }
};

} // namespace

int main(int, char** argv) {
    {
        Patch p(20, 2.4e-4, argv[1], "corners");
        const Vec3 way = Vec3(1, 1, 0).normalized() * 8 * kSpacing;
        p.draw({0, 399}, {{0, -way}, {399, way}}, true, 10);
        p.letGo({210}, true);
    }
    Patch p(60, kSpacing, argv[1], "snag");
    std::vector<Index> rim, pins;
    for (Index i = 3600; i < p.net.nodes(); ++i) rim.push_back(i);
    pins = rim;
    pins.push_back(30 * 60 + 30);
    p.draw(pins, {{30 * 60 + 30, Vec3(0, 2.5 * kSpacing, 0)}}, false, 6);
    p.letGo(rim, false);
}
