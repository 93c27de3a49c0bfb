#include "purl/io/vdb.h"

#include "purl/base/error.h"
#include "purl/io/geo.h"
#include "purl/io/json_writer.h"

#include <cstring>
#include <fstream>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <sstream>

namespace purl {

namespace {

using openvdb::GridBase;

// A file or memory that knows how far it was read.
class CountingBuffer : public std::streambuf {
public:
    explicit CountingBuffer(std::streambuf& from) : from_(from) {}
    std::streamoff furthest() const { return furthest_; }

protected:
    int_type underflow() override { return from_.sgetc(); }
    int_type uflow() override { return mark(from_.sbumpc()); }
    std::streamsize xsgetn(char* to, std::streamsize n) override {
        const std::streamsize got = from_.sgetn(to, n);
        at_ += got;
        furthest_ = std::max(furthest_, at_);
        return got;
    }
    pos_type seekoff(off_type off, std::ios::seekdir way, std::ios::openmode mode) override {
        const pos_type p = from_.pubseekoff(off, way, mode);
        if (p != pos_type(off_type(-1))) at_ = p;
        return p;
    }
    pos_type seekpos(pos_type pos, std::ios::openmode mode) override {
        return seekoff(off_type(pos), std::ios::beg, mode);
    }

private:
    int_type mark(int_type c) {
        if (c != traits_type::eof()) furthest_ = std::max(furthest_, ++at_);
        return c;
    }

    std::streambuf& from_;
    std::streamoff at_ = 0, furthest_ = 0;
};

openvdb::GridPtrVec readGrids(std::streambuf& from, const std::string& where) {
    openvdb::initialize();
    CountingBuffer buffer(from);
    std::istream in(&buffer);
    try {
        // OpenVDB does not look at the stream's state after each read: let a short file throw.
        in.exceptions(std::ios::failbit | std::ios::badbit);
        const auto grids = openvdb::io::Stream(in, /*delayLoad=*/false).getGrids();
        return grids ? *grids : openvdb::GridPtrVec();
    } catch (const std::exception& e) {
        throw Error(where + ": byte " + std::to_string(buffer.furthest()),
                    std::string("cannot be read as OpenVDB (") + e.what() +
                        "), expected a whole .vdb file");
    }
}

openvdb::GridPtrVec readFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(path, "cannot be opened, expected a .vdb file that can be read");
    return readGrids(*in.rdbuf(), path);
}

openvdb::GridPtrVec readBytes(Span<const std::uint8_t> bytes, const std::string& where) {
    std::istringstream in(std::string(bytes.begin(), bytes.end()));
    return readGrids(*in.rdbuf(), where);
}

std::vector<std::uint8_t> streamOf(const openvdb::GridPtrVec& grids) {
    std::ostringstream out;
    openvdb::io::Stream(out).write(grids);
    const std::string bytes = out.str();
    return {bytes.begin(), bytes.end()};
}

double backgroundOf(const GridBase& grid) {
    if (grid.isType<openvdb::FloatGrid>())
        return static_cast<double>(static_cast<const openvdb::FloatGrid&>(grid).background());
    if (grid.isType<openvdb::DoubleGrid>())
        return static_cast<const openvdb::DoubleGrid&>(grid).background();
    return 0;
}

VdbGrid describe(const GridBase& grid) {
    VdbGrid g;
    g.name = grid.getName();
    g.valueType = grid.valueType();
    g.gridClass = GridBase::gridClassToString(grid.getGridClass());
    const openvdb::Vec3d voxel = grid.voxelSize();
    g.voxel = Vec3(voxel.x(), voxel.y(), voxel.z());
    g.activeVoxels = grid.activeVoxelCount();
    g.background = backgroundOf(grid);
    g.lo = Vec3::Constant(HUGE_VAL);
    g.hi = -g.lo;
    const openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
    for (int corner = 0; corner < 8 && g.activeVoxels > 0; ++corner) {
        const auto at = [&](int a) { // voxels reach half a voxel beyond their middles
            return corner >> a & 1 ? box.max()[a] + 0.5 : box.min()[a] - 0.5;
        };
        const openvdb::Vec3d w = grid.indexToWorld(openvdb::Vec3d(at(0), at(1), at(2)));
        g.lo = g.lo.cwiseMin(Vec3(w.x(), w.y(), w.z()));
        g.hi = g.hi.cwiseMax(Vec3(w.x(), w.y(), w.z()));
    }
    for (auto it = grid.beginMeta(); it != grid.endMeta(); ++it)
        if (it->second)
            g.metadata.push_back({it->first, it->second->typeName(), it->second->str()});
    return g;
}

// The name that Houdini shows, which is an attribute and need not be in the grid.
std::string primitiveName(const Detail& d, Index primitive) {
    const Attribute* a = d.findPrimitive("name");
    return a && a->type == Attribute::Type::String ? a->text(static_cast<std::size_t>(primitive))
                                                   : "";
}

std::string whereOf(const std::string& file, const EmbeddedVdb& v) {
    return file + ": VDB primitive " + std::to_string(v.primitive);
}

// ['vertex', (its number), 'vdb', [{'tilesize': T}, bytes, bytes, ...]] (houdini.md A.4).
std::vector<std::uint8_t> recordOf(const std::vector<std::uint8_t>& stream) {
    constexpr std::size_t tile = 1u << 20;
    std::vector<std::uint8_t> body;
    MemorySink sink(body);
    const auto out = binaryJsonWriter(sink);
    out->beginArray();
    out->shared("vertex");
    out->null();
    out->shared("vdb");
    out->beginArray();
    out->beginMap();
    out->shared("tilesize");
    out->integer(static_cast<std::int64_t>(tile));
    out->endMap();
    for (std::size_t at = 0; at < stream.size(); at += tile)
        out->uniform(NumberType::UInt8, stream.data() + at, std::min(tile, stream.size() - at));
    out->endArray();
    out->endArray();
    out->flush();
    return body;
}

} // namespace

bool isVdbFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    char head[4] = {};
    return in.read(head, 4) && std::memcmp(head, " BDV", 4) == 0;
}

std::vector<VdbGrid> readVdbGrids(const std::string& path) {
    std::vector<VdbGrid> out;
    for (const GridBase::Ptr& grid : readFile(path)) out.push_back(describe(*grid));
    return out;
}

std::vector<VdbGrid> readVdbGridsBytes(Span<const std::uint8_t> bytes, const std::string& name) {
    std::vector<VdbGrid> out;
    for (const GridBase::Ptr& grid : readBytes(bytes, name)) out.push_back(describe(*grid));
    return out;
}

void tryVdbFile(const std::string& path) { readFile(path); }

std::vector<VdbGrid> embeddedVdbGrids(const Detail& d, const std::string& file,
                                      std::vector<std::string>& warnings) {
    std::vector<VdbGrid> out;
    for (const EmbeddedVdb& v : embeddedVdbs(d)) {
        try {
            for (const GridBase::Ptr& grid : readBytes(v.bytes, whereOf(file, v))) {
                out.push_back(describe(*grid));
                out.back().primitive = v.primitive;
                const std::string name = primitiveName(d, v.primitive);
                if (!name.empty()) out.back().name = name;
            }
        } catch (const Error& e) {
            warnings.push_back(e.what());
        }
    }
    return out;
}

Detail readVdbDetail(const std::string& path) {
    Detail d;
    d.fileVersion = "OpenVDB";
    std::vector<Vec3> middles;
    std::vector<std::string> names;
    for (const GridBase::Ptr& grid : readFile(path)) {
        const VdbGrid g = describe(*grid);
        const Index point = d.addPoints(1);
        middles.push_back(g.activeVoxels > 0 ? Vec3(0.5 * (g.lo + g.hi)) : Vec3(0, 0, 0));
        names.push_back(g.name);
        KeptRecord k;
        k.primitive = d.addPrimitive(PrimitiveKind::Opaque, {&point, 1});
        k.type = "VDB";
        k.body = recordOf(streamOf({grid}));
        d.kept.push_back(std::move(k));
    }
    d.setPositions(middles);
    Attribute& name = d.addString(Owner::Primitive, "name");
    for (std::size_t i = 0; i < names.size(); ++i) name.setText(i, 0, names[i]);
    return d;
}

std::vector<std::uint8_t> joinEmbeddedVdbs(const Detail& d, const std::string& file) {
    openvdb::GridPtrVec all;
    for (const EmbeddedVdb& v : embeddedVdbs(d))
        for (const GridBase::Ptr& grid : readBytes(v.bytes, whereOf(file, v))) {
            const std::string name = primitiveName(d, v.primitive);
            if (!name.empty()) grid->setName(name);
            all.push_back(grid);
        }
    return all.empty() ? std::vector<std::uint8_t>{} : streamOf(all);
}

} // namespace purl
