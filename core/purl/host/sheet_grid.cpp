#include "purl/host/cloth_from_detail.h"
#include "purl/io/geo.h"

namespace purl {

namespace {

Detail gridDetail(const GridEntry& g) {
    Detail d;
    d.addPoints((g.columns + 1) * (g.rows + 1));
    std::vector<Vec3> x;
    Attribute& uv = d.addFloat(Owner::Point, "uv", 3, "texturecoord");
    const auto id = [&](int i, int j) { return i + j * (g.columns + 1); };
    const auto mark = [&](const char* name, auto in) {
        Group& group = d.addGroup(Owner::Point, name);
        for (int j = 0; j <= g.rows; ++j)
            for (int i = 0; i <= g.columns; ++i) group.member[id(i, j)] = in(i, j);
    };
    for (int j = 0; j <= g.rows; ++j)
        for (int i = 0; i <= g.columns; ++i) {
            const double u = g.width * i / g.columns, v = g.height * j / g.rows;
            const double a = u - 0.5 * g.width, b = v - 0.5 * g.height;
            x.push_back(g.centre + (g.lie ? Vec3(a, 0, -b) : Vec3(a, b, 0)));
            uv.set(id(i, j), 0, u);
            uv.set(id(i, j), 1, v);
        }
    d.setPositions(x);
    mark("edge_left", [&](int i, int) { return i == 0; });
    mark("edge_right", [&](int i, int) { return i == g.columns; });
    mark("edge_bottom", [&](int, int j) { return j == 0; });
    mark("edge_top", [&](int, int j) { return j == g.rows; });
    mark("corners",
         [&](int i, int j) { return (i == 0 || i == g.columns) && (j == 0 || j == g.rows); });
    for (int j = 0; j < g.rows; ++j)
        for (int i = 0; i < g.columns; ++i) {
            const std::array<Index, 4> quad{id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)};
            d.addPrimitive(PrimitiveKind::Polygon, quad);
        }
    return d;
}

} // namespace

Detail loadSheet(const ClothEntry& wanted, std::string& name, std::vector<std::string>& warnings) {
    if (!wanted.file.empty()) {
        name = wanted.file;
        return readDetail(name, warnings);
    }
    name = "grid";
    return gridDetail(wanted.grid.value_or(GridEntry()));
}

} // namespace purl
