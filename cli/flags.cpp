#include "cli/flags.h"

#include "purl/base/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace purl::cli {

std::vector<std::string> splitText(const std::string& text, char by) {
    std::vector<std::string> out(1);
    for (char c : text) {
        if (c == by)
            out.emplace_back();
        else
            out.back() += c;
    }
    return out;
}

Vec3 parseVector(const std::string& text, Dimension d, const std::string& where) {
    const auto parts = splitText(text, ',');
    if (parts.size() != 3)
        throw Error(where, "'" + text + "' was found, expected three numbers x,y,z");
    return {parseQuantity(parts[0], d, where), parseQuantity(parts[1], d, where),
            parseQuantity(parts[2], d, where)};
}

std::string readText(const std::string& path) {
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    if (in) out << in.rdbuf();
    if (!in || (out.str().empty() && errno != 0))
        throw Error(path, std::string("cannot be read: ") + std::strerror(errno ? errno : EIO));
    return out.str();
}

SceneFile loadScene(const std::string& path, const std::vector<std::string>& changes) {
    const std::string text = readText(path);
    if (changes.empty()) return parseScene(text, path);
    nlohmann::json root = nlohmann::json::parse(text, nullptr, false);
    if (root.is_discarded()) return parseScene(text, path); // which tells what is wrong, and where
    for (const std::string& change : changes) {
        const std::size_t at = change.find('=');
        std::string place = change.substr(0, at);
        if (at == std::string::npos || place.empty())
            throw Error("--set", "'" + change +
                                     "' was found, expected place=value, such as "
                                     "contact/friction=0.5");
        if (place[0] != '/') place = "/" + place;
        const std::string value = change.substr(at + 1);
        auto parsed = nlohmann::json::parse(value, nullptr, false);
        try {
            root[nlohmann::json::json_pointer(place)] =
                parsed.is_discarded() ? nlohmann::json(value) : parsed;
        } catch (const nlohmann::json::exception&) {
            throw Error("--set", "'" + place + "' is no place in " + path +
                                     ", expected one such as contact/friction");
        }
    }
    return parseScene(root.dump(), path);
}

bool endsIn(const std::string& text, const std::string& tail) {
    return text.size() >= tail.size() &&
           text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

} // namespace purl::cli
