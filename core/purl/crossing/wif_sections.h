// The INI layer of a WIF: sections and keys, whatever their case, with the line of each.
#pragma once

#include "purl/base/types.h"

#include <map>
#include <string>

namespace purl {

struct WifValue {
    std::string text; // without comment and blanks around
    Index line = 0;
};

struct WifSection {
    std::map<std::string, WifValue> keys; // in lower case
    Index line = 0;
    const WifValue* find(const char* key) const {
        const auto it = keys.find(key);
        return it == keys.end() ? nullptr : &it->second;
    }
};

// A kind of repair: how often, and where first.
struct WifRepair {
    Index count = 0, line = 0;
    void add(Index where) {
        if (count++ == 0) line = where;
    }
    // "a.wif: line 12: <one>" or "a.wif: <many> (7 of them, the first in line 12)".
    void say(const std::string& name, const std::string& what,
             std::vector<std::string>& warnings) const;
};

class WifText {
public:
    WifText(const std::string& text, std::string name, std::vector<std::string>& warnings);

    const WifSection* find(const char* section) const; // null: not there
    std::string at(Index line) const { return name_ + ": line " + std::to_string(line); }
    const std::string& name() const { return name_; }

    // The numbered keys of a section, in order: number and value. Keys that are no number are left
    // out; if there is a key 0, all move up by one and it is said.
    std::vector<std::pair<Index, WifValue>> numbered(const char* section,
                                                     std::vector<std::string>& warnings) const;
    // "1,3,4" as whole numbers >= 0. Throws Error naming the line.
    std::vector<Index> list(const WifValue& value, const char* what) const;

private:
    std::string name_;
    std::map<std::string, WifSection> sections_; // in lower case
};

// The text as a number; false if it is none.
bool wifNumber(const std::string& text, double& value);
std::string lowerCase(std::string text);

} // namespace purl
