#include "purl/crossing/wif_sections.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <locale>
#include <sstream>

namespace purl {

namespace {

constexpr Index kMostThreads = 100000;

std::string trimmed(const std::string& text) {
    const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
    auto a = std::find_if_not(text.begin(), text.end(), blank);
    auto b = std::find_if_not(text.rbegin(), text.rend(), blank).base();
    return a < b ? std::string(a, b) : std::string();
}

bool wholeNumber(const std::string& text, Index& value) {
    if (text.empty() || text.size() > 9) return false;
    value = 0;
    for (char c : text) {
        if (!std::isdigit(static_cast<unsigned char>(c))) return false;
        value = value * 10 + (c - '0');
    }
    return true;
}

} // namespace

std::string lowerCase(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

bool wifNumber(const std::string& text, double& value) {
    std::istringstream in(text);
    in.imbue(std::locale::classic()); // a decimal point, whatever the machine's language
    std::string rest;
    return in >> value && !(in >> rest) && std::isfinite(value);
}

void WifRepair::say(const std::string& name, const std::string& what,
                    std::vector<std::string>& warnings) const {
    if (count == 0) return;
    std::string text = name + ": line " + std::to_string(line) + ": " + what;
    if (count > 1) text += " (" + std::to_string(count - 1) + " more of this kind)";
    warnings.push_back(text);
}

WifText::WifText(const std::string& text, std::string name, std::vector<std::string>& warnings)
    : name_(std::move(name)) {
    WifRepair odd, twice, again;
    WifSection* section = nullptr;
    Index line = 0;
    std::size_t at = text.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;
    bool free = false; // in NOTES, TEXT and private sections: any line may stand
    while (at < text.size()) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        const std::string row = trimmed(text.substr(at, end - at));
        ++line;
        at = end + 1;
        if (end + 1 < text.size() && text[end] == '\r' && text[end + 1] == '\n') ++at;
        if (row.find('\0') != std::string::npos)
            throw Error(this->at(line), "a zero byte was found, expected the text of a WIF file");
        if (row.empty() || row[0] == ';') continue;
        if (row[0] == '[') {
            const std::size_t close = row.find(']');
            if (close == std::string::npos) {
                odd.add(line);
                section = nullptr;
                continue;
            }
            const std::string key = lowerCase(trimmed(row.substr(1, close - 1)));
            free = key == "text" || key == "notes" || key.compare(0, 7, "private") == 0;
            const auto [it, isNew] = sections_.try_emplace(key);
            section = &it->second;
            if (isNew)
                section->line = line;
            else if (!free)
                twice.add(line);
            continue;
        }
        const std::size_t equals = row.find('=');
        if (!section || equals == std::string::npos || equals == 0) {
            if (!free) odd.add(line);
            continue;
        }
        std::string value = row.substr(equals + 1);
        if (!free) value = value.substr(0, value.find(';'));
        const std::string key = lowerCase(trimmed(row.substr(0, equals)));
        const bool isNew =
            section->keys.insert_or_assign(key, WifValue{trimmed(value), line}).second;
        if (!isNew && !free) again.add(line);
    }
    if (sections_.empty())
        throw Error(name_, "no [section] was found, expected a WIF file that begins with [WIF]");
    odd.say(name_, "is neither key=value, [SECTION] nor ;comment: left out", warnings);
    twice.say(name_, "a section that was there before: joined to it", warnings);
    again.say(name_, "a key that was there before: the last counts", warnings);
}

const WifSection* WifText::find(const char* section) const {
    const auto it = sections_.find(section);
    return it == sections_.end() ? nullptr : &it->second;
}

std::vector<std::pair<Index, WifValue>>
WifText::numbered(const char* section, std::vector<std::string>& warnings) const {
    std::vector<std::pair<Index, WifValue>> out;
    const WifSection* s = find(section);
    if (!s) return out;
    WifRepair odd;
    for (const auto& [key, value] : s->keys) {
        Index n;
        if (!wholeNumber(key, n)) {
            odd.add(value.line);
            continue;
        }
        if (n > kMostThreads)
            throw Error(at(value.line), "number " + key + " was found, expected at most " +
                                            std::to_string(kMostThreads));
        out.emplace_back(n, value);
    }
    odd.say(name_, "the key is no number: left out", warnings);
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second.line < b.second.line;
    });
    return out;
}

std::vector<Index> WifText::list(const WifValue& value, const char* what) const {
    std::vector<Index> out;
    std::size_t from = 0;
    if (value.text.empty()) return out;
    while (from <= value.text.size()) {
        const std::size_t to = std::min(value.text.find(',', from), value.text.size());
        const std::string part = trimmed(value.text.substr(from, to - from));
        from = to + 1;
        if (part.empty()) continue;
        Index n;
        if (!wholeNumber(part, n) || n > kMostThreads)
            throw Error(at(value.line),
                        "'" + part + "' was found, expected the number of a " + std::string(what));
        out.push_back(n);
    }
    return out;
}

} // namespace purl
