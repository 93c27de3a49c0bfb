#include "purl/io/geo.h"

#include "purl/base/error.h"
#include "purl/io/bcc.h"
#include "purl/io/geo_document.h"
#include "purl/io/number_list.h"
#include "purl/io/obj.h"
#include "purl/io/pyp.h"
#include "purl/io/vdb.h"
#include "purl/io/yarns.h"

#include <cmath>
#include <cstring>

namespace purl {

namespace {

bool endsWith(const std::string& s, const std::string& tail) {
    return s.size() >= tail.size() && s.compare(s.size() - tail.size(), tail.size(), tail) == 0;
}

// What we know of by its first bytes and cannot read.
void refuseOthers(const ByteStream& bytes) {
    const std::string head(reinterpret_cast<const char*>(bytes.data()),
                           std::min<std::size_t>(bytes.available(), 12));
    const auto starts = [&](const char* s) { return head.compare(0, std::strlen(s), s) == 0; };
    if (starts("BgeoV") || starts("PGEOMETRY"))
        bytes.failAt(0,
                     "classic geometry (V5, from before Houdini 12): open it in Houdini and save "
                     "it again as .bgeo.sc, or convert it with gconvert");
    if (starts("BZh")) bytes.failAt(0, "bzip2: save it as .bgeo.sc or .bgeo.gz instead");
    if (starts("\xfd"
               "7zXZ") ||
        starts("]"))
        bytes.failAt(0, "LZMA: save it as .bgeo.sc or .bgeo.gz instead");
    if (starts(" BDV")) bytes.failAt(0, "an OpenVDB file inside another, expected it on its own");
    if (starts("070707")) bytes.failAt(0, "a Houdini scene (.hip): save its geometry as .bgeo.sc");
}

Detail readInput(RawInput& raw, std::vector<std::string>& warnings) {
    Budget budget(raw.size());
    ByteStream bytes(sniffSource(raw, budget), raw.name(), budget.limit());
    if (!bytes.ensure(1)) bytes.fail("the file is empty");
    bytes.ensure(ByteSource::headroom);
    refuseOthers(bytes);
    const Span<const std::uint8_t> head(bytes.data(), bytes.available());
    const auto starts = [&](const char* s) {
        const std::size_t n = std::strlen(s);
        return head.size() >= n && std::memcmp(head.data(), s, n) == 0;
    };
    if (starts("BCC")) return readBcc(bytes, budget, warnings);
    if (starts("f3..")) return readYarns(bytes, budget, warnings);
    if (looksLikePyp(head)) return readPyp(bytes, budget, warnings);
    if (looksLikeObj(head)) return readObj(bytes, budget, warnings);
    const std::size_t blank = static_cast<std::size_t>(
        std::find_if(head.begin(), head.end(), [](char c) { return !std::strchr(" \t\r\n", c); }) -
        head.begin());
    if (head[0] != 0x7f && (blank == head.size() || head[blank] != '['))
        bytes.failAt(0, "not a geometry file that we know (.geo, .bgeo, .bgeo.sc, .obj, .bcc, "
                        ".yarns, .pyp)");
    const auto in = sniffJson(bytes, budget);
    GeoReader reader(*in, raw.name(), warnings);
    return reader.read();
}

template <class T>
void requireFinite(const std::string& name, const char* owner, const Attribute& a,
                   const std::vector<T>& v) {
    constexpr std::size_t block = 4096;
    for (std::size_t from = 0; from < v.size(); from += block) {
        const std::size_t end = std::min(from + block, v.size());
        // the largest bit pattern without its sign: of numbers that are not finite it is the
        // largest
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        Bits largest = 0;
        for (std::size_t i = from; i < end; ++i) {
            Bits bits;
            std::memcpy(&bits, &v[i], sizeof bits);
            bits &= ~Bits{0} >> 1;
            largest = std::max(largest, bits);
        }
        T worst;
        std::memcpy(&worst, &largest, sizeof worst);
        if (std::isfinite(worst)) continue;
        for (std::size_t i = from; i < end; ++i)
            if (!std::isfinite(v[i]))
                throw Error(name, std::string(owner) + " attribute " + a.name + " of element " +
                                      std::to_string(i / static_cast<std::size_t>(a.size)) +
                                      " is not finite; nothing was written");
    }
}

void requireFinite(const std::string& name, const Detail& d) {
    for (int o = 0; o < 4; ++o)
        for (const Attribute& a : d.attributes[o]) {
            const char* owner = ownerName(static_cast<Owner>(o));
            if (const auto* v = a.as<float>()) requireFinite(name, owner, a, *v);
            if (const auto* v = a.as<double>()) requireFinite(name, owner, a, *v);
            if (const auto* v = a.as<Half>()) {
                const std::vector<float> wide(v->begin(), v->end());
                requireFinite(name, owner, a, wide);
            }
            if (const auto* v = std::get_if<std::vector<double>>(&a.defaults)) {
                Attribute defaults;
                defaults.name = "default of " + a.name;
                requireFinite(name, owner, defaults, *v);
            }
        }
}

void writeTo(ByteSink& sink, const std::string& name, const Detail& d,
             std::vector<std::string>* w) {
    d.check(name);
    requireFinite(name, d);
    // What was not kept when it was read cannot be written.
    std::vector<std::uint8_t> keep(d.primitiveKind.size(), 1);
    std::size_t lost = 0;
    for (std::size_t p = 0, k = 0; p < keep.size(); ++p) {
        while (k < d.kept.size() && static_cast<std::size_t>(d.kept[k].primitive) < p) ++k;
        const bool kept = k < d.kept.size() && static_cast<std::size_t>(d.kept[k].primitive) == p;
        if (d.primitiveKind[p] == PrimitiveKind::Opaque && !kept) {
            keep[p] = 0;
            ++lost;
        }
    }
    if (lost > 0) {
        if (w)
            warnOnce(*w, name + ": " + std::to_string(lost) +
                             " primitives of types that are not known are left out");
        return writeTo(sink, name, d.withPrimitives(keep), w);
    }
    if (endsWith(name, ".obj")) return writeObj(d, sink, name, w);
    if (endsWith(name, ".bcc")) return writeBcc(d, sink, name, w);
    const bool scf = endsWith(name, ".sc");
    const std::string inner = scf ? name.substr(0, name.size() - 3) : name;
    const auto document = [&](ByteSink& to) {
        if (endsWith(inner, ".bgeo"))
            writeDocument(d, *binaryJsonWriter(to));
        else if (endsWith(inner, ".geo"))
            writeDocument(d, *asciiJsonWriter(to, true));
        else
            throw Error(
                name,
                "unknown kind of geometry file, expected .bgeo.sc, .bgeo, .geo, .obj or .bcc");
    };
    if (!scf) return document(sink);
    ScfSink packed(sink);
    document(packed);
    packed.finish();
}

} // namespace

Detail readDetail(const std::string& path, std::vector<std::string>& warnings) {
    const auto file = openFile(path);
    if (isVdbFile(path)) return readVdbDetail(path);
    return readInput(*file, warnings);
}

Detail readDetailBytes(Span<const std::uint8_t> bytes, const std::string& name,
                       std::vector<std::string>& warnings) {
    return readInput(*openMemory(bytes, name), warnings);
}

void writeDetail(const std::string& path, const Detail& d, std::vector<std::string>* warnings) {
    AtomicFile file(path);
    FileSink sink(file);
    writeTo(sink, path, d, warnings);
    file.commit();
}

std::vector<std::uint8_t> writeDetailBytes(const std::string& name, const Detail& d,
                                           std::vector<std::string>* warnings) {
    std::vector<std::uint8_t> out;
    MemorySink sink(out);
    writeTo(sink, name, d, warnings);
    return out;
}

// 'vdb' is [{'tilesize':T}, bytes, bytes, ...]: one stream cut into tiles (houdini.md A.4).
std::vector<EmbeddedVdb> embeddedVdbs(const Detail& d) {
    std::vector<EmbeddedVdb> out;
    for (const KeptRecord& k : d.kept) {
        if (k.type != "VDB") continue;
        EmbeddedVdb v;
        v.primitive = k.primitive;
        const auto raw = openMemory(k.body, "VDB primitive " + std::to_string(k.primitive));
        Budget budget(k.body.size());
        ByteStream bytes(plainSource(*raw), raw->name());
        const auto in = binaryJson(bytes, budget);
        in->flatMap([&](const std::string& key) {
            if (key != "vdb") return in->skip();
            in->list([&] {
                if (in->token() != Token::BeginArray && in->token() != Token::Uniform)
                    return in->skipPresent();
                NumberList tile(*in);
                while (tile.more()) {
                    std::uint8_t block[4096];
                    std::size_t n = 1;
                    if (in->token() == Token::Uniform)
                        n = static_cast<std::size_t>(
                            std::min<std::uint64_t>(sizeof block, in->uniformLeft()));
                    tile.read(block, n);
                    v.bytes.insert(v.bytes.end(), block, block + n);
                }
            });
        });
        if (!v.bytes.empty()) out.push_back(std::move(v));
    }
    return out;
}

} // namespace purl
