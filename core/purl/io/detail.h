// A geometry that holds everything a Houdini file holds: points, vertices, primitives in order, the
// four attribute owners, groups. Flat typed arrays; what we do not understand is kept as bytes.
#pragma once

#include "purl/base/types.h"

#include <array>
#include <deque>
#include <string>
#include <utility>
#include <variant>

namespace purl {

enum class Owner : std::uint8_t { Vertex, Point, Primitive, Global };
// The order of Storage is the order of the alternatives of Values.
enum class Storage : std::uint8_t { Int8, Int16, Int32, Int64, UInt8, Float16, Float32, Float64 };
using Half = Eigen::half;
using Values =
    std::variant<std::vector<std::int8_t>, std::vector<std::int16_t>, std::vector<std::int32_t>,
                 std::vector<std::int64_t>, std::vector<std::uint8_t>, std::vector<Half>,
                 std::vector<float>, std::vector<double>>;

struct Attribute {
    // Kept: a type we do not understand (arrays, capture weights): its data is `kept`.
    enum class Type : std::uint8_t { Numeric, String, Dict, Kept };

    std::string name;
    Type type = Type::Numeric;
    int size = 1;         // numbers (or strings) per element
    std::string typeInfo; // "point", "vector", "quaternion", ...; empty: none
    std::string scope = "public";
    Values defaults; // vector<double> or vector<int64_t>: 0, 1 or `size` numbers
    Values values;   // count * size numbers, element-major; String and Dict: int32 indices
    std::vector<std::string> strings; // String: the table. Dict: JSON texts. Index -1: unset
    std::vector<std::pair<std::string, std::string>> options; // other options: key, JSON text
    std::string keptType;                                     // Kept: the type's name in the file
    std::vector<std::uint8_t> kept; // Kept: the data in binary JSON; lost when elements change

    Storage storage() const { return static_cast<Storage>(values.index()); }
    std::size_t elements() const; // numbers held / size
    double real(std::size_t element, int component = 0) const;
    std::int64_t integer(std::size_t element, int component = 0) const;
    const std::string& text(std::size_t element, int component = 0) const; // "" when unset
    void set(std::size_t element, int component, double value);
    void setText(std::size_t element, int component, const std::string& value);
    // The array itself when it has just this storage, else null.
    template <class T>
    std::vector<T>* as() {
        return std::get_if<std::vector<T>>(&values);
    }
    template <class T>
    const std::vector<T>* as() const {
        return std::get_if<std::vector<T>>(&values);
    }
};

struct Group {
    std::string name;
    std::vector<std::uint8_t> member; // one 0/1 per element
    std::vector<Index> order;         // of an ordered group: its elements in their order
    std::size_t count() const;
};

struct EdgeGroup {
    std::string name;
    std::vector<std::array<Index, 2>> edges; // point numbers
};

enum class PrimitiveKind : std::uint8_t {
    Polygon,     // closed
    Polyline,    // open
    NurbsCurve,  // control polygon; `closed` says whether it wraps
    BezierCurve, // control polygon
    Tetrahedron, // four vertices
    Opaque       // volumes, packed, spheres, ...: kept as bytes when there is a KeptRecord
};

// A primitive record that we pass on without understanding it, in our own little-endian binary
// JSON. The value of its vertex key is null: it is written from the vertex range of the primitive.
struct KeptRecord {
    Index primitive = 0;
    std::string type; // "Volume", "VDB", "PackedGeometry", "NURBCurve", ...
    bool vertexIsList = false;
    std::vector<std::uint8_t> body;
};

struct EmbeddedVdb {
    Index primitive = 0;
    std::vector<std::uint8_t> bytes; // one openvdb::io::Stream holding one grid
};

struct Detail {
    Index pointCount = 0;
    std::vector<Index> vertexPoint;            // per vertex: its point
    std::vector<PrimitiveKind> primitiveKind;  // per primitive
    std::vector<std::uint8_t> primitiveClosed; // per primitive
    std::vector<Index> firstVertex{0};         // primitive p has vertices firstVertex[p] .. [p+1]-1
    // Deques, so that a reference to one stays good while others are added.
    std::array<std::deque<Attribute>, 4> attributes; // by Owner
    std::array<std::deque<Group>, 3> groups;         // by Owner (no Global)
    std::vector<EdgeGroup> edgeGroups;
    std::vector<KeptRecord> kept;         // ascending primitive numbers
    std::vector<std::uint8_t> sharedData; // `sharedprimitivedata`, binary JSON; empty: none
    std::string fileVersion, software, date, infoJson;

    Index points() const { return pointCount; }
    Index vertices() const { return static_cast<Index>(vertexPoint.size()); }
    Index primitives() const { return static_cast<Index>(primitiveKind.size()); }
    std::size_t count(Owner) const;
    bool isCurve(Index primitive) const; // polyline, closed polygon, NURBS or Bezier curve
    Span<const Index> pointsOf(Index primitive) const;

    Attribute* find(Owner, const std::string& name);
    const Attribute* find(Owner, const std::string& name) const;
    Attribute* findPoint(const std::string& name) { return find(Owner::Point, name); }
    const Attribute* findPoint(const std::string& name) const { return find(Owner::Point, name); }
    const Attribute* findPrimitive(const std::string& name) const {
        return find(Owner::Primitive, name);
    }
    // Add an attribute (or replace the one of that name), sized for the present counts, all zero.
    Attribute& add(Owner, const std::string& name, Storage, int size = 1,
                   const std::string& typeInfo = "");
    Attribute& addFloat(Owner owner, const std::string& name, int size = 1,
                        const std::string& typeInfo = "") {
        return add(owner, name, Storage::Float32, size, typeInfo);
    }
    Attribute& addInt(Owner owner, const std::string& name, int size = 1,
                      const std::string& typeInfo = "") {
        return add(owner, name, Storage::Int32, size, typeInfo);
    }
    Attribute& addString(Owner, const std::string& name, int size = 1); // all unset
    void remove(Owner, const std::string& name);

    Group* findGroup(Owner, const std::string& name);
    const Group* findGroup(Owner, const std::string& name) const;
    Group& addGroup(Owner, const std::string& name); // or empties the one of that name

    // Topology; attributes and groups that are already there grow with their defaults.
    Index addPoints(Index n); // the first new one
    Index addPrimitive(PrimitiveKind, Span<const Index> points);

    std::vector<Vec3> positions() const;               // P; throws when there is none
    void setPositions(Span<const Vec3> x);             // makes P (float32) when there is none
    std::vector<Vec3> vectors(const Attribute&) const; // the first three numbers of each element

    // Throws Error(name, ...) unless all sizes agree and all indices are in range.
    void check(const std::string& name) const;
    // The same geometry without the primitives whose mark is 0; points stay.
    Detail withPrimitives(Span<const std::uint8_t> keep) const;
};

const char* ownerName(Owner);     // "vertex", "point", "primitive", "detail"
const char* storageName(Storage); // as in the files: "fpreal32", "int32", ...
Values makeValues(Storage, std::size_t n);
std::size_t sizeOf(const Values&);
// The type info Houdini itself gives to well-known names (v vector, orient quaternion, ...).
std::string usualTypeInfo(const std::string& attribute);

} // namespace purl
