#include "purl/scene/json_object.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cmath>

namespace purl {

using nlohmann::json;

std::string found(const json& v) {
    std::string s = v.dump(-1, ' ', false, json::error_handler_t::replace);
    if (s.size() > 60) s = s.substr(0, 57) + "...";
    return s;
}

json parseJson(const std::string& text, const std::string& file) {
    try {
        return json::parse(text, nullptr, true, true);
    } catch (const json::parse_error& e) {
        const std::size_t at = std::min<std::size_t>(e.byte > 0 ? e.byte - 1 : 0, text.size());
        const auto line = std::count(text.begin(), text.begin() + at, '\n') + 1;
        const std::size_t start = text.rfind('\n', at > 0 ? at - 1 : 0);
        const std::size_t column = at - (start == std::string::npos ? 0 : start);
        std::string what = e.what();
        const std::size_t colon = what.rfind("column ");
        if (const auto cut = what.find(": ", colon == std::string::npos ? 0 : colon);
            cut != std::string::npos)
            what = what.substr(cut + 2);
        throw Error(file + ": line " + std::to_string(line) + ", column " + std::to_string(column),
                    "this is not JSON: " + what);
    }
}

double quantityOf(const json& v, Dimension d, const std::string& where) {
    if (v.is_string()) return parseQuantity(v.get<std::string>(), d, where);
    if (!v.is_number())
        throw Error(where, "is " + found(v) + ", expected a number" +
                               (d == Dimension::None ? "" : " or a text with a unit"));
    const double x = v.get<double>();
    if (!std::isfinite(x)) throw Error(where, "is " + found(v) + ", expected a finite number");
    return x;
}

Vec3 vectorOf(const json& v, Dimension d, const std::string& where) {
    if (!v.is_array() || v.size() != 3)
        throw Error(where, "is " + found(v) + ", expected three numbers [x, y, z]");
    Vec3 out;
    for (int k = 0; k < 3; ++k) out[k] = quantityOf(v[k], d, where + "/" + std::to_string(k));
    return out;
}

JsonObject::JsonObject(const json& value, std::string file, std::string path)
    : value_(value), file_(std::move(file)), path_(std::move(path)) {
    if (!value.is_object())
        throw Error(place(), "is " + found(value) + ", expected an object {...}");
}

bool JsonObject::has(const char* key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
    return value_.contains(key);
}

const json* JsonObject::value(const char* key) { return has(key) ? &value_.at(key) : nullptr; }

JsonObject JsonObject::object(const char* key) {
    const json* v = value(key);
    if (!v) throw Error(place(), std::string("has no '") + key + "', expected an object {...}");
    return {*v, file_, pathOf(key)};
}

bool JsonObject::number(const char* key, Dimension d, double& out) {
    const json* v = value(key);
    if (v) out = quantityOf(*v, d, where(key));
    return v;
}

bool JsonObject::vector(const char* key, Dimension d, Vec3& out) {
    const json* v = value(key);
    if (v) out = vectorOf(*v, d, where(key));
    return v;
}

bool JsonObject::integer(const char* key, int& out, int least, int most) {
    const json* v = value(key);
    if (!v) return false;
    if (!v->is_number_integer() || v->get<double>() < least || v->get<double>() > most)
        throw Error(where(key), "is " + found(*v) + ", expected a whole number from " +
                                    std::to_string(least) + " to " + std::to_string(most));
    out = v->get<int>();
    return true;
}

bool JsonObject::flag(const char* key, bool& out) {
    const json* v = value(key);
    if (!v) return false;
    if (!v->is_boolean()) throw Error(where(key), "is " + found(*v) + ", expected true or false");
    out = v->get<bool>();
    return true;
}

bool JsonObject::text(const char* key, std::string& out) {
    const json* v = value(key);
    if (!v) return false;
    if (!v->is_string()) throw Error(where(key), "is " + found(*v) + ", expected a text \"...\"");
    out = v->get<std::string>();
    return true;
}

void JsonObject::finish() const {
    for (const auto& item : value_.items()) {
        if (std::find(known_.begin(), known_.end(), item.key()) != known_.end()) continue;
        std::vector<std::string> names = known_;
        std::sort(names.begin(), names.end());
        std::string list;
        for (const std::string& n : names) list += (list.empty() ? "" : ", ") + n;
        throw Error(where(item.key()), "unknown key, expected one of " + list);
    }
}

} // namespace purl
