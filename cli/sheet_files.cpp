#include "cli/sheet_files.h"

#include "cli/commands.h"
#include "cli/signals.h"
#include "purl/base/error.h"
#include "purl/check/triangles.h"
#include "purl/cloth/triangulate.h"
#include "purl/io/geo.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace purl::cli {

namespace {

using nlohmann::ordered_json;

struct SheetReport {
    int frames = 0, first = 0, last = 0;
    Index points = 0, triangles = 0;
    long meeting = 0, nonFinite = 0, changed = 0; // over all frames
    int badFrames = 0;
    double stretch = 0; // largest by size, of an edge against the first frame
    int stretchFrame = 0;
    std::vector<std::string> findings; // the first of each frame
    bool clean() const { return meeting == 0 && nonFinite == 0 && changed == 0; }
};

class SheetJudge {
public:
    void add(int frame, const Detail& d) {
        std::vector<Index> primitive;
        const TriMesh m = sheetMesh(d, &primitive);
        if (report.frames++ == 0) {
            start_ = m;
            report.first = frame;
            report.points = static_cast<Index>(m.x.size());
            report.triangles = static_cast<Index>(m.triangles.size());
        }
        report.last = frame;
        const std::string at = "frame " + std::to_string(frame) + ": ";
        if (m.x.size() != start_.x.size() || d.primitives() != primitives(d)) {
            ++report.changed;
            say(at + "has " + std::to_string(m.x.size()) + " points and " +
                std::to_string(d.primitives()) + " primitives, expected " +
                std::to_string(start_.x.size()) + " and " + std::to_string(primitives_) +
                " as in the first frame");
            return;
        }
        bool bad = false;
        for (std::size_t p = 0; p < m.x.size(); ++p) {
            if (m.x[p].allFinite()) continue;
            ++report.nonFinite;
            if (!bad) say(at + "point " + std::to_string(p) + " is no number, expected m");
            bad = true;
        }
        std::vector<TrianglePair> pairs;
        const Index n = countIntersections(m.x, m.triangles, &pairs, 1);
        if (n > 0) {
            report.meeting += n;
            say(at + std::to_string(n) +
                " pairs of triangles meet, expected none (the first is of "
                "primitives " +
                std::to_string(primitive[pairs[0].a]) + " and " +
                std::to_string(primitive[pairs[0].b]) + ")");
            bad = true;
        }
        report.badFrames += bad;
        stretch(frame, m);
    }

    SheetReport report;

private:
    Index primitives(const Detail& d) {
        if (primitives_ < 0) primitives_ = d.primitives();
        return primitives_;
    }
    void say(const std::string& text) {
        if (report.findings.size() < 1000) report.findings.push_back(text);
    }
    void stretch(int frame, const TriMesh& m) {
        for (const auto& t : start_.triangles)
            for (int k = 0; k < 3; ++k) {
                const Index a = t[k], b = t[(k + 1) % 3];
                const double rest = (start_.x[a] - start_.x[b]).norm();
                const double s = (m.x[a] - m.x[b]).norm() / rest - 1;
                if (rest > 0 && std::isfinite(s) && std::abs(s) > std::abs(report.stretch)) {
                    report.stretch = s;
                    report.stretchFrame = frame;
                }
            }
    }

    TriMesh start_;
    Index primitives_ = -1;
};

void print(const SheetReport& r, bool json) {
    if (json) {
        const ordered_json j = {{"clean", r.clean()},         {"frames", r.frames},
                                {"first_frame", r.first},     {"last_frame", r.last},
                                {"points", r.points},         {"triangles", r.triangles},
                                {"intersections", r.meeting}, {"bad_frames", r.badFrames},
                                {"non_finite", r.nonFinite},  {"changed", r.changed},
                                {"max_stretch", r.stretch},   {"max_stretch_frame", r.stretchFrame},
                                {"findings", r.findings}};
        std::printf("%s\n", j.dump(2).c_str());
        return;
    }
    std::printf("%d frame%s (%d-%d), a sheet of %d triangles, %d points\n", r.frames,
                r.frames == 1 ? "" : "s", r.first, r.last, r.triangles, r.points);
    std::printf("stretch:     largest of an edge %+.3g %% against the first frame (frame %d)\n",
                100 * r.stretch, r.stretchFrame);
    std::printf("sheet through itself: %ld pairs of triangles in %d frames\n", r.meeting,
                r.badFrames);
    for (std::size_t i = 0; i < r.findings.size() && i < 20; ++i)
        std::printf("  %s\n", r.findings[i].c_str());
    std::printf(r.clean() ? "clean\n" : "NOT CLEAN\n");
}

} // namespace

bool isSheet(const Detail& d) {
    for (const char* name : {"pscale", "width"})
        for (Owner o : {Owner::Point, Owner::Primitive, Owner::Vertex, Owner::Global})
            if (d.find(o, name)) return false;
    return std::any_of(d.primitiveKind.begin(), d.primitiveKind.end(),
                       [](PrimitiveKind k) { return k == PrimitiveKind::Polygon; });
}

TriMesh sheetMesh(const Detail& d, std::vector<Index>* primitive) {
    TriMesh mesh;
    mesh.x = d.positions();
    for (Index f = 0; f < d.primitives(); ++f) {
        if (d.primitiveKind[f] != PrimitiveKind::Polygon) continue;
        const Span<const Index> ids = d.pointsOf(f);
        std::vector<Vec3> corner;
        for (Index p : ids) corner.push_back(mesh.x[p]);
        bool simple = true;
        if (corner.size() < 3) continue;
        for (const auto& t : triangulate(corner, simple)) {
            mesh.triangles.push_back({ids[t[0]], ids[t[1]], ids[t[2]]});
            if (primitive) primitive->push_back(f);
        }
    }
    return mesh;
}

int checkSheets(const std::vector<SequenceFile>& files, bool json) {
    SheetJudge judge;
    for (const SequenceFile& file : files) {
        if (interruptAsked()) return Interrupted;
        std::vector<std::string> warnings;
        judge.add(file.frame, readDetail(file.path, warnings));
    }
    print(judge.report, json);
    return judge.report.clean() ? Ok : Broken;
}

} // namespace purl::cli
