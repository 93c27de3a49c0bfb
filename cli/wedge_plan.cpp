#include "cli/wedge.h"

#include "cli/flags.h"
#include "purl/base/error.h"

#include <cctype>
#include <filesystem>
#include <set>
#include <unistd.h>

namespace fs = std::filesystem;

namespace purl::cli {

namespace {

Variation parseVariation(const std::string& text) {
    const std::size_t at = text.find('=');
    Variation v;
    v.key = text.substr(0, at);
    while (!v.key.empty() && v.key[0] == '-') v.key.erase(0, 1);
    if (at == std::string::npos || v.key.empty() || at + 1 == text.size())
        throw Error("--vary", "'" + text +
                                  "' was found, expected name=value,value,... such as "
                                  "friction=0.1,0.3,0.5");
    // Values that have commas themselves, as vectors do, are parted by semicolons.
    const std::string values = text.substr(at + 1);
    v.values = splitText(values, values.find(';') != std::string::npos ? ';' : ',');
    std::set<std::string> seen;
    for (const std::string& value : v.values)
        if (value.empty() || !seen.insert(value).second)
            throw Error("--vary", "'" + text + "' has " +
                                      (value.empty() ? "an empty value" : "'" + value + "' twice") +
                                      ", expected different values");
    return v;
}

std::string plainName(const std::string& text) {
    std::string out;
    for (char c : text)
        out += std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' ? c : '_';
    return out;
}

} // namespace

std::string shellWord(const std::string& word) {
    const bool plain = !word.empty() &&
                       word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_-+=./:,@%^") == std::string::npos;
    if (plain) return word;
    std::string out = "'";
    for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string ownPath() {
    std::error_code none;
    return fs::read_symlink("/proc/self/exe", none).string();
}

WedgePlan planWedge(const WedgeFlags& f) {
    WedgePlan plan;
    std::size_t count = 1;
    for (const std::string& text : f.vary) {
        plan.axes.push_back(parseVariation(text));
        count *= plan.axes.back().values.size();
        if (count > 10000)
            throw Error("--vary", "there are more than 10000 combinations, expected fewer");
    }
    if (plan.axes.empty())
        throw Error("--vary", "is missing, expected one or more, such as friction=0.1,0.3,0.5");
    plan.columns = static_cast<int>(plan.axes.back().values.size());
    if (plan.axes.size() == 1 && plan.columns > 4) plan.columns = 4;
    const std::string out = fs::absolute(f.out).lexically_normal().string();
    for (std::size_t i = 0; i < count; ++i) {
        Variant v;
        v.index = static_cast<int>(i) + 1;
        std::size_t left = i, block = count;
        std::vector<std::string> flags;
        for (const Variation& a : plan.axes) {
            block /= a.values.size();
            const std::string& value = a.values[left / block];
            left %= block;
            v.value.push_back(value);
            v.label += (v.label.empty() ? "" : ", ") + a.key + " " + value;
            v.folder += (v.folder.empty() ? "" : "_") + plainName(a.key) + "-" + plainName(value);
            if (a.key.find('/') != std::string::npos)
                flags.push_back("--set=" + a.key + "=" + value);
            else
                flags.push_back("--" + a.key + "=" + value);
        }
        v.folder = out + "/" + v.folder;
        v.sim = {"sim",
                 fs::absolute(f.scene).string(),
                 "--out=" + v.folder + "/f.$F4.bgeo.sc",
                 "--stats=" + v.folder + "/stats.jsonl",
                 "--resume=auto",
                 "--checkpoint-every=" + f.every};
        if (!f.frames.empty()) v.sim.push_back("--frames=" + f.frames);
        if (f.threads > 0) v.sim.push_back("--threads=" + std::to_string(f.threads));
        v.sim.insert(v.sim.end(), flags.begin(), flags.end());
        v.sim.insert(v.sim.end(), f.extra.begin(), f.extra.end());
        plan.variants.push_back(std::move(v));
    }
    return plan;
}

std::vector<std::string> wedgeArguments(const WedgeFlags& f, const std::string& what,
                                        const std::string& value) {
    std::vector<std::string> a = {"wedge", fs::absolute(f.scene).string(),
                                  "--out=" + fs::absolute(f.out).lexically_normal().string()};
    for (const std::string& v : f.vary) a.push_back("--vary=" + v);
    if (!f.frames.empty()) a.push_back("--frames=" + f.frames);
    if (f.threads > 0) a.push_back("--threads=" + std::to_string(f.threads));
    a.push_back("--checkpoint-every=" + f.every);
    a.push_back("--width=" + std::to_string(f.width));
    a.push_back(value.empty() ? what : what + "=" + value);
    if (!f.extra.empty()) a.push_back("--");
    a.insert(a.end(), f.extra.begin(), f.extra.end());
    return a;
}

} // namespace purl::cli
