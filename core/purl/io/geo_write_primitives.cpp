// Primitive records out (houdini.md A.4): runs where we can, kept records as they came.
#include "purl/io/geo_document.h"

#include <algorithm>

namespace purl {

namespace {

// Small numbers as the narrowest uniform array.
void writeCounts(JsonWriter& w, const std::vector<Index>& counts) {
    const Index most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    if (most < 128) {
        const std::vector<std::int8_t> narrow(counts.begin(), counts.end());
        w.uniform(NumberType::Int8, narrow.data(), narrow.size());
    } else if (most < 32768) {
        const std::vector<std::int16_t> narrow(counts.begin(), counts.end());
        w.uniform(NumberType::Int16, narrow.data(), narrow.size());
    } else {
        w.uniform(NumberType::Int32, counts.data(), counts.size());
    }
}

void writeRun(const Detail& d, JsonWriter& w, Index first, Index end, bool closed) {
    const bool b = w.binary();
    std::vector<Index> plain, pairs;
    for (Index p = first; p < end; ++p) {
        const Index n = d.firstVertex[p + 1] - d.firstVertex[p];
        plain.push_back(n);
        if (!pairs.empty() && pairs[pairs.size() - 2] == n)
            ++pairs.back();
        else
            pairs.insert(pairs.end(), {n, 1});
    }
    w.beginArray();
    w.beginArray();
    w.shared("type");
    w.shared(closed ? (b ? "p_r" : "Polygon_run") : (b ? "c_r" : "PolygonCurve_run"));
    w.endArray();
    w.beginArray();
    w.shared(b ? "s_v" : "startvertex");
    w.integer(d.firstVertex[first]);
    w.shared(b ? "n_p" : "nprimitives");
    w.integer(end - first);
    if (pairs.size() < plain.size()) {
        w.shared(b ? "r_v" : "nvertices_rle");
        writeCounts(w, pairs);
    } else {
        w.shared(b ? "n_v" : "nvertices");
        writeCounts(w, plain);
    }
    w.endArray();
    w.endArray();
}

void writeKept(const Detail& d, JsonWriter& w, const KeptRecord& k) {
    const auto raw = openMemory(k.body, "kept record");
    Budget budget(k.body.size());
    ByteStream bytes(plainSource(*raw), raw->name());
    const auto in = binaryJson(bytes, budget);
    w.beginArray();
    w.beginArray();
    w.shared("type");
    w.shared(k.type);
    w.endArray();
    w.beginArray();
    in->flatMap([&](const std::string& key) {
        w.shared(key);
        in->next();
        if (key != "vertex") return copyValue(*in, w);
        const Index v = d.firstVertex[k.primitive], end = d.firstVertex[k.primitive + 1];
        if (!k.vertexIsList && end == v + 1) return w.integer(v);
        std::vector<Index> list;
        for (Index i = v; i < end; ++i) list.push_back(i);
        w.uniform(NumberType::Int32, list.data(), list.size());
    });
    w.endArray();
    w.endArray();
}

// The general form of a run, which every version since 12 knows.
void writeTetrahedra(const Detail& d, JsonWriter& w, Index first, Index end) {
    w.beginArray();
    w.beginArray();
    for (const char* word : {"type", "run", "runtype", "Tetrahedron", "varyingfields"})
        w.shared(word);
    w.beginArray();
    w.shared("vertex");
    w.endArray();
    w.shared("uniformfields");
    w.beginMap();
    w.endMap();
    w.endArray();
    w.beginArray();
    for (Index p = first; p < end; ++p) {
        const Index v = d.firstVertex[p];
        const Index corners[] = {v, v + 1, v + 2, v + 3};
        w.beginArray();
        w.uniform(NumberType::Int32, corners, 4);
        w.endArray();
    }
    w.endArray();
    w.endArray();
}

} // namespace

void writePrimitives(const Detail& d, JsonWriter& w) {
    std::size_t nextKept = 0;
    const auto isKept = [&](Index p) {
        return nextKept < d.kept.size() && d.kept[nextKept].primitive == p;
    };
    const auto isTetra = [&](Index p) { return d.primitiveKind[p] == PrimitiveKind::Tetrahedron; };
    w.beginArray();
    for (Index p = 0; p < d.primitives();) {
        if (isKept(p)) {
            writeKept(d, w, d.kept[nextKept++]);
            ++p;
            continue;
        }
        // a curve without its basis is written as its control polygon
        const bool closed = d.primitiveClosed[p] != 0, tetra = isTetra(p);
        Index end = p + 1;
        while (end < d.primitives() && !isKept(end) && isTetra(end) == tetra &&
               (d.primitiveClosed[end] != 0) == closed)
            ++end;
        if (tetra)
            writeTetrahedra(d, w, p, end);
        else
            writeRun(d, w, p, end, closed);
        p = end;
    }
    w.endArray();
}

} // namespace purl
