// Attributes (houdini.md A.3): numbers as tuples, as one array a component, or as pages.
#include "purl/io/geo_document.h"
#include "purl/io/number_list.h"

#include <algorithm>

namespace purl {

namespace {

constexpr std::int64_t mostComponents = 1 << 16;

bool storageOf(const std::string& word, Storage& s) {
    for (int i = 0; i < 8; ++i)
        if (word == storageName(static_cast<Storage>(i))) {
            s = static_cast<Storage>(i);
            return true;
        }
    if (word != "bool") return false;
    s = Storage::UInt8;
    return true;
}

// Lengthens v block by block while `list` fills it: memory is touched once, in the cache.
template <class T>
void append(NumberList& list, std::vector<T>& v, std::size_t n) {
    constexpr std::size_t step = (64u << 10) / sizeof(T);
    const std::size_t end = v.size() + n;
    while (v.size() < end) {
        const std::size_t from = v.size(), part = std::min(step, end - from);
        v.resize(from + part);
        list.read(v.data() + from, part);
    }
}

struct Pages {
    std::int64_t size = 1024;
    std::vector<int> packing;                        // empty: all components together
    std::vector<std::vector<std::uint8_t>> constant; // per pack; empty: no page is constant
};

template <class T>
void readPages(JsonReader& in, const Pages& pages, std::size_t count, int size, std::vector<T>& v) {
    NumberList list(in);
    const std::size_t width = static_cast<std::size_t>(size);
    const bool anyConstant = std::any_of(pages.constant.begin(), pages.constant.end(),
                                         [](const auto& f) { return !f.empty(); });
    std::vector<int> packs = pages.packing;
    if (packs.empty()) packs = {size};
    if (packs.size() == 1 && !anyConstant) {
        append(list, v, count * width);
        return list.finish();
    }
    const std::size_t pageSize = static_cast<std::size_t>(pages.size);
    std::vector<T> part;
    for (std::size_t first = 0, page = 0; first < count; first += pageSize, ++page) {
        const std::size_t m = std::min(pageSize, count - first);
        v.resize((first + m) * width);
        std::size_t component = 0;
        for (std::size_t k = 0; k < packs.size(); ++k) {
            const std::size_t w = static_cast<std::size_t>(packs[k]);
            const bool constant = k < pages.constant.size() && page < pages.constant[k].size() &&
                                  pages.constant[k][page];
            T* to = v.data() + first * width + component;
            if (constant || w != width) {
                part.resize(constant ? w : m * w);
                list.read(part.data(), part.size());
                for (std::size_t i = 0; i < m; ++i)
                    for (std::size_t c = 0; c < w; ++c)
                        to[i * width + c] = part[(constant ? 0 : i * w) + c];
            } else {
                list.read(to, m * w);
            }
            component += w;
        }
    }
    list.finish();
}

// [[x,y,z],[x,y,z],...]
template <class T>
void readTuples(JsonReader& in, std::size_t count, int size, std::vector<T>& v) {
    const std::size_t width = static_cast<std::size_t>(size);
    in.beginArray();
    for (std::size_t i = 0; i < count; ++i) {
        in.next();
        NumberList tuple(in);
        v.resize(v.size() + width);
        tuple.read(v.data() + i * width, width);
        tuple.finish();
    }
    if (in.next() != Token::EndArray) in.fail("more tuples than elements");
}

// [[x,x,...],[y,y,...],...]; also one flat list, or a list of one list, of all numbers.
template <class T>
void readArrays(JsonReader& in, std::size_t count, int size, std::vector<T>& v) {
    const std::size_t width = static_cast<std::size_t>(size);
    v.assign(count * width, T(0));
    if (in.next() == Token::Uniform) {
        NumberList list(in);
        list.read(v.data(), v.size());
        return list.finish();
    }
    if (in.token() != Token::BeginArray) in.fail("expected arrays");
    std::size_t component = 0;
    for (; in.next() != Token::EndArray; ++component) {
        if (component >= width) in.fail("more arrays than components");
        NumberList list(in);
        for (std::size_t i = 0; i < count; ++i) v[i * width + component] = list.one<T>();
        if (component == 0 && width > 1 && list.more()) { // interleaved after all
            for (std::size_t i = 0; i < count; ++i) v[i] = v[i * width];
            list.read(v.data() + count, v.size() - count);
            component = width - 1;
        }
        list.finish();
    }
    if (component != width && count > 0) in.fail("fewer arrays than components");
}

} // namespace

void GeoReader::attributes() {
    needCounts("attributes");
    in_.flatMap([&](const std::string& key) {
        Owner owner;
        if (key == "vertexattributes")
            owner = Owner::Vertex;
        else if (key == "pointattributes")
            owner = Owner::Point;
        else if (key == "primitiveattributes")
            owner = Owner::Primitive;
        else if (key == "globalattributes")
            owner = Owner::Global;
        else
            return in_.skip();
        in_.list([&] { attribute(owner); });
    });
}

// [definition, data], the present token being the outer bracket.
void GeoReader::attribute(Owner owner) {
    if (in_.token() != Token::BeginArray) in_.fail("expected an attribute");
    Attribute a;
    std::string type;
    in_.charge(sizeof a + 256);
    in_.flatMap([&](const std::string& key) {
        if (key == "name")
            a.name = in_.readString();
        else if (key == "type")
            type = in_.readString();
        else if (key == "scope")
            a.scope = in_.readString();
        else if (key == "options")
            options(a);
        else
            in_.skip();
    });
    if (type == "numeric")
        a.type = Attribute::Type::Numeric;
    else if (type == "string")
        a.type = Attribute::Type::String;
    else if (type == "dict")
        a.type = Attribute::Type::Dict;
    else
        a.type = Attribute::Type::Kept;
    const std::string what = std::string(ownerName(owner)) + " attribute \"" + a.name + "\"";
    if (a.type == Attribute::Type::Kept) {
        a.size = 0;
        a.keptType = type;
        ChargedSink<std::vector<std::uint8_t>> sink(in_, a.kept);
        const auto out = binaryJsonWriter(sink);
        in_.next();
        copyValue(in_, *out);
        out->flush();
        warn(what + " of type \"" + type + "\" is kept but cannot be used");
    } else {
        data(a, countOf(owner));
    }
    // Scopes are name spaces of their own; of two with one name the first is the public one.
    if (d_.find(owner, a.name))
        warn("a second " + what + " (" + a.scope + ") is left out");
    else
        d_.attributes[static_cast<int>(owner)].push_back(std::move(a));
    if (in_.next() != Token::EndArray) in_.fail("an attribute has two parts");
}

// {"type":{"type":"string","value":TYPEINFO}, ...}
void GeoReader::options(Attribute& a) {
    in_.flatMap([&](const std::string& key) {
        if (key != "type") {
            a.options.emplace_back(key, readJsonText(in_));
            return;
        }
        in_.next();
        if (in_.token() != Token::BeginMap && in_.token() != Token::BeginArray)
            return in_.skipPresent();
        in_.flatMapInside([&](const std::string& inner) {
            in_.next();
            if (inner == "value" && in_.token() == Token::String) a.typeInfo = in_.text();
            in_.skipPresent();
        });
    });
}

void GeoReader::data(Attribute& a, std::size_t count) {
    bool found = false;
    in_.flatMap([&](const std::string& key) {
        const bool numeric = a.type == Attribute::Type::Numeric;
        if (key == "size") {
            a.size = static_cast<int>(in_.readIndex("size", 0, mostComponents));
        } else if (key == "defaults" && numeric) {
            defaults(a);
        } else if ((key == "values" && numeric) || (key == "indices" && !numeric)) {
            values(a, count);
            found = true;
        } else if ((key == "strings" || key == "dicts") && !numeric) {
            table(a);
        } else {
            in_.skip();
        }
    });
    if (!found) in_.fail("attribute " + a.name + " has no values");
    if (a.type == Attribute::Type::Numeric) {
        if (sizeOf(a.defaults) > 0) return;
        if (a.storage() < Storage::Float16) // a file may leave it out; a written one always has it
            a.defaults = std::vector<std::int64_t>{0};
        else
            a.defaults = std::vector<double>{0.0};
        return;
    }
    if (a.storage() >= Storage::Float16)
        in_.fail("attribute " + a.name + ": string indices that are not integers");
    const auto* indices = a.as<std::int32_t>();
    if (!indices) { // any width will do
        std::vector<std::int32_t> wide(sizeOf(a.values));
        in_.charge(wide.size() * sizeof(std::int32_t));
        std::visit(
            [&](const auto& v) {
                for (std::size_t i = 0; i < wide.size(); ++i)
                    wide[i] = static_cast<std::int32_t>(
                        std::clamp<std::int64_t>(static_cast<std::int64_t>(v[i]), -2, 0x7fffffff));
            },
            a.values);
        a.values = std::move(wide);
        indices = a.as<std::int32_t>();
    }
    for (std::int32_t i : *indices)
        if (i < -1 || i >= static_cast<std::int64_t>(a.strings.size()))
            in_.fail("attribute " + a.name + ": string " + std::to_string(i) + " of " +
                     std::to_string(a.strings.size()));
}

void GeoReader::defaults(Attribute& a) {
    std::string storage;
    in_.flatMap([&](const std::string& key) {
        if (key == "storage") {
            storage = in_.readString();
        } else if (key == "values") {
            if (storage.compare(0, 3, "int") == 0)
                a.defaults = readNumbers<std::int64_t>(in_);
            else
                a.defaults = readNumbers<double>(in_);
        } else {
            in_.skip();
        }
    });
}

void GeoReader::values(Attribute& a, std::size_t count) {
    Storage storage = Storage::Float32;
    Pages pages;
    bool found = false;
    // Makes the array, after asking the budget; `room` elements are certain to be read.
    const auto fill = [&](auto&& readInto) {
        if (found) in_.fail("attribute " + a.name + " has its values twice");
        found = true;
        a.values = makeValues(storage, 0);
        std::visit(
            [&](auto& v) {
                using T = typename std::decay_t<decltype(v)>::value_type;
                const std::uint64_t n = static_cast<std::uint64_t>(count) * a.size;
                in_.charge(n * sizeof(T));
                v.reserve(n);
                readInto(v);
                if (v.size() != n) in_.fail("attribute " + a.name + " is incomplete");
            },
            a.values);
    };
    in_.flatMap([&](const std::string& key) {
        if (key == "size") {
            a.size = static_cast<int>(in_.readIndex("size", 0, mostComponents));
        } else if (key == "storage") {
            const std::string word = in_.readString();
            if (!storageOf(word, storage)) in_.fail("unknown storage \"" + word + "\"");
        } else if (key == "pagesize") {
            pages.size = in_.readIndex("pagesize", 1, std::numeric_limits<Index>::max());
        } else if (key == "packing") {
            pages.packing = readNumbers<int>(in_);
        } else if (key == "constantpageflags") {
            in_.list([&] {
                NumberList list(in_);
                pages.constant.emplace_back();
                while (list.more()) {
                    in_.charge(2);
                    pages.constant.back().push_back(list.one<std::int64_t>() != 0);
                }
            });
        } else if (key == "rawpagedata") {
            std::int64_t sum = 0;
            for (int w : pages.packing) {
                if (w < 1) in_.fail("packing with a width of " + std::to_string(w));
                sum += w;
            }
            if (!pages.packing.empty() && sum != a.size)
                in_.fail("packing of " + std::to_string(sum) + " numbers, size is " +
                         std::to_string(a.size));
            const std::size_t pageCount = (count + static_cast<std::size_t>(pages.size) - 1) /
                                          static_cast<std::size_t>(pages.size);
            for (const auto& f : pages.constant)
                if (!f.empty() && f.size() != pageCount)
                    in_.fail(std::to_string(f.size()) + " page flags for " +
                             std::to_string(pageCount) + " pages");
            in_.next();
            fill([&](auto& v) { readPages(in_, pages, count, a.size, v); });
        } else if (key == "tuples") {
            fill([&](auto& v) { readTuples(in_, count, a.size, v); });
        } else if (key == "arrays") {
            fill([&](auto& v) { readArrays(in_, count, a.size, v); });
        } else {
            in_.skip();
        }
    });
    if (!found) in_.fail("attribute " + a.name + " has no values in a layout we know");
}

void GeoReader::table(Attribute& a) {
    if (a.type == Attribute::Type::Dict) {
        in_.beginArray();
        while (in_.next() != Token::EndArray) {
            in_.charge(2 * sizeof(std::string));
            a.strings.push_back(presentJsonText(in_));
        }
        return;
    }
    in_.list([&] {
        const bool unset = in_.token() == Token::Null;
        if (in_.token() != Token::String && !unset) in_.fail("expected a string");
        in_.charge(2 * sizeof(std::string) + in_.text().size());
        a.strings.push_back(unset ? "" : in_.text());
    });
}

} // namespace purl
