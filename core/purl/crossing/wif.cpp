#include "purl/crossing/wif.h"

#include "purl/base/error.h"
#include "purl/crossing/wif_sections.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

constexpr Index kMostThreads = 100000;
constexpr double kMostCells = 1e8;

using Numbered = std::vector<std::pair<Index, WifValue>>;

class WifReader {
public:
    WifReader(const std::string& text, const std::string& name, std::vector<std::string>& warnings)
        : w_(text, name, warnings), warnings_(warnings) {}

    Draft read() {
        checkHeader();
        checkContents();
        readWeaving();
        readThreading();
        readLifts();
        Draft d;
        d.name = title();
        fill(d);
        readThreads("warp", ends_, d.warpColor, d.warpSpacing, d.warpDiameter);
        readThreads("weft", picks_, d.weftColor, d.weftSpacing, d.weftDiameter);
        return d;
    }

private:
    void warn(const std::string& text) { warnings_.push_back(w_.name() + ": " + text); }

    std::string title() const {
        const WifSection* text = w_.find("text");
        const WifValue* t = text ? text->find("title") : nullptr;
        return t && !t->text.empty() ? t->text : w_.name();
    }

    void checkHeader() {
        const WifSection* wif = w_.find("wif");
        const WifValue* version = wif ? wif->find("version") : nullptr;
        if (!wif)
            warn("has no [WIF] header; read as WIF 1.1");
        else if (!version)
            warn("[WIF] has no Version; read as WIF 1.1");
        else if (version->text != "1.1" && version->text != "1.0")
            warnings_.push_back(w_.at(version->line) + ": Version is '" + version->text +
                                "', expected 1.1; read as WIF 1.1");
    }

    void checkContents() {
        const WifSection* contents = w_.find("contents");
        if (!contents) return;
        WifRepair missing;
        for (const char* s : {"threading", "tieup", "treadling", "liftplan", "color table",
                              "warp colors", "weft colors", "warp spacing", "weft spacing"}) {
            const WifValue* v = contents->find(s);
            const std::string said = v ? lowerCase(v->text) : "";
            if ((said == "true" || said == "on" || said == "yes" || said == "1") && !w_.find(s))
                missing.add(v->line);
        }
        missing.say(w_.name(), "CONTENTS names a section that is not there", warnings_);
    }

    // A whole number of a section, or `otherwise`.
    Index count(const char* section, const char* key, Index otherwise) {
        const WifSection* s = w_.find(section);
        const WifValue* v = s ? s->find(key) : nullptr;
        if (!v) return otherwise;
        double n;
        if (!wifNumber(v->text, n) || n < 0 || n != std::floor(n))
            throw Error(w_.at(v->line), "'" + v->text + "' was found, expected a whole number");
        if (n > kMostThreads)
            throw Error(w_.at(v->line), "'" + v->text + "' was found, expected at most " +
                                            std::to_string(kMostThreads));
        return static_cast<Index>(n);
    }

    void readWeaving() {
        shafts_ = count("weaving", "shafts", 0);
        treadles_ = count("weaving", "treadles", 0);
        const WifSection* s = w_.find("weaving");
        if (const WifValue* v = s ? s->find("rising shed") : nullptr) {
            const std::string said = lowerCase(v->text);
            if (said == "false" || said == "off" || said == "no" || said == "0")
                rising_ = false;
            else if (said != "true" && said != "on" && said != "yes" && said != "1")
                warnings_.push_back(w_.at(v->line) + ": Rising Shed is '" + v->text +
                                    "', expected true or false; taken as true");
        }
    }

    // The entries of a section by their number, from 0; `size` grows to hold them all.
    std::vector<std::vector<Index>> lists(const char* section, const char* what, Index& size,
                                          const char* sizeName, bool shrink) {
        Numbered entries = w_.numbered(section, warnings_);
        if (!entries.empty() && entries.front().first == 0) {
            warnings_.push_back(w_.at(entries.front().second.line) + ": [" + section +
                                "] counts from 0; all are moved up by one");
            for (auto& e : entries) ++e.first;
        }
        const Index last = entries.empty() ? 0 : entries.back().first;
        if (size > 0 && last > size)
            warnings_.push_back(w_.at(entries.back().second.line) + ": number " +
                                std::to_string(last) + " was found, expected at most " +
                                std::to_string(size) + " as " + sizeName +
                                " says; there are that many");
        // Some programs write a loom's width instead of the draft's, and some files are cut short:
        // what nobody threaded is no part of the draft.
        if (last > 0 && last < size && shrink)
            warn(std::string(sizeName) + " says " + std::to_string(size) + ", but [" + section +
                 "] ends at " + std::to_string(last) + "; the draft has that many");
        size = shrink && last > 0 ? last : std::max(size, last);
        std::vector<std::vector<Index>> out(size);
        for (const auto& [n, value] : entries) out[n - 1] = w_.list(value, what);
        return out;
    }

    // Shafts (treadles) above what [WEAVING] says: there are more, then.
    void widen(const std::vector<std::vector<Index>>& users, Index& size, const char* what) {
        Index most = 0;
        for (const auto& u : users)
            for (Index n : u) most = std::max(most, n);
        if (size > 0 && most > size)
            warn(std::string(what) + " " + std::to_string(most) + " is used, but [WEAVING] says " +
                 std::to_string(size) + "; there are that many");
        size = std::max(size, most);
    }

    void empties(const std::vector<std::vector<Index>>& users, const char* which,
                 const char* what) {
        Index n = 0, first = -1;
        for (std::size_t i = 0; i < users.size(); ++i)
            if (users[i].empty() && n++ == 0) first = static_cast<Index>(i);
        if (n > 0)
            warn(std::to_string(n) + " of " + std::to_string(users.size()) + " " + which +
                 " have no " + what + " (the first is number " + std::to_string(first + 1) + ")");
    }

    void readThreading() {
        if (!w_.find("threading"))
            throw Error(w_.name(), "has no [THREADING], expected the shaft of every warp");
        ends_ = count("warp", "threads", 0);
        threading_ = lists("threading", "shaft", ends_, "Threads of [WARP]", true);
        if (ends_ == 0)
            throw Error(w_.at(w_.find("threading")->line),
                        "[THREADING] is empty, expected the shaft of every warp");
        widen(threading_, shafts_, "shaft");
        empties(threading_, "warps", "shaft; they stay under every weft");
    }

    void readLifts() {
        picks_ = count("weft", "threads", 0);
        if (w_.find("liftplan") && !w_.numbered("liftplan", warnings_).empty()) {
            lifts_ = lists("liftplan", "shaft", picks_, "Threads of [WEFT]", true);
            widen(lifts_, shafts_, "shaft");
        } else {
            if (!w_.find("treadling"))
                throw Error(w_.name(), "has neither [LIFTPLAN] nor [TREADLING], expected what "
                                       "lifts the shafts at every weft");
            const auto treadling = lists("treadling", "treadle", picks_, "Threads of [WEFT]", true);
            widen(treadling, treadles_, "treadle");
            lifts_ = throughTieup(treadling);
        }
        if (picks_ == 0)
            throw Error(w_.name(), "has no wefts, expected a [LIFTPLAN] or [TREADLING] with lines");
        empties(lifts_, "wefts", "lifted shaft; every warp is on one side of them");
        if (1.0 * picks_ * ends_ > kMostCells)
            throw Error(w_.name(), std::to_string(ends_) + " warps by " + std::to_string(picks_) +
                                       " wefts were found, expected at most 100 million cells");
    }

    std::vector<std::vector<Index>> throughTieup(const std::vector<std::vector<Index>>& treadling) {
        std::vector<std::vector<Index>> tieup;
        if (w_.find("tieup")) {
            Index size = treadles_;
            tieup = lists("tieup", "shaft", size, "Treadles of [WEAVING]", false);
            widen(tieup, shafts_, "shaft");
        } else {
            warn("has no [TIEUP]; treadle n lifts shaft n");
            for (Index t = 1; t <= treadles_; ++t) tieup.push_back({t});
        }
        std::vector<std::vector<Index>> out;
        for (const auto& pressed : treadling) {
            out.emplace_back();
            for (Index t : pressed)
                if (t > 0 && t <= static_cast<Index>(tieup.size()))
                    out.back().insert(out.back().end(), tieup[t - 1].begin(), tieup[t - 1].end());
        }
        return out;
    }

    // Rising shed: the shafts named go up, and their warps are over the weft; sinking: they go
    // down, all others are over.
    void fill(Draft& d) const {
        d.field.rows = picks_;
        d.field.columns = ends_;
        d.field.cells.assign(static_cast<std::size_t>(picks_) * ends_, 0);
        std::vector<std::uint8_t> up(shafts_ + 1);
        for (Index i = 0; i < picks_; ++i) {
            std::fill(up.begin(), up.end(), 0);
            for (Index s : lifts_[i]) up[s] = 1;
            up[0] = 0; // shaft 0: none
            for (Index j = 0; j < ends_; ++j) {
                bool moved = false;
                for (Index s : threading_[j]) moved = moved || up[s];
                const bool over = threading_[j].empty() ? false : moved == rising_;
                d.field.cells[static_cast<std::size_t>(i) * ends_ + j] = over ? 1 : 0;
            }
        }
    }

    void readThreads(const std::string& which, Index threads, std::vector<Vec3>& color,
                     std::vector<double>& spacing, std::vector<double>& diameter);
    void readTable();
    std::vector<double> lengths(const std::string& which, const char* kind, Index threads);
    Vec3 linear(const Vec3& given) const;

    WifText w_;
    std::vector<std::string>& warnings_;
    Index shafts_ = 0, treadles_ = 0, ends_ = 0, picks_ = 0;
    bool rising_ = true;
    std::vector<std::vector<Index>> threading_, lifts_;
    std::vector<std::pair<Index, Vec3>> table_; // as in the file, by index
    bool tableRead_ = false;
    double low_ = 0, high_ = 255;
};

// Palette entries, their range, and what is wrong with them.
void WifReader::readTable() {
    if (tableRead_) return;
    tableRead_ = true;
    bool ranged = false;
    const WifSection* palette = w_.find("color palette");
    if (const WifValue* range = palette ? palette->find("range") : nullptr) {
        const std::size_t comma = range->text.find(',');
        ranged = comma != std::string::npos && wifNumber(range->text.substr(0, comma), low_) &&
                 wifNumber(range->text.substr(comma + 1), high_) && high_ > low_;
        if (!ranged) {
            warnings_.push_back(w_.at(range->line) + ": Range is '" + range->text +
                                "', expected two numbers such as 0,255; taken from the colours");
            low_ = 0, high_ = 255;
        }
    }
    WifRepair odd, beyond;
    for (const auto& [n, value] : w_.numbered("color table", warnings_)) {
        Vec3 c;
        std::size_t from = 0;
        bool good = true;
        for (int k = 0; k < 3; ++k) {
            const std::size_t to = std::min(value.text.find(',', from), value.text.size());
            good = good && from <= value.text.size() &&
                   wifNumber(value.text.substr(std::min(from, to), to - std::min(from, to)), c[k]);
            from = to + 1;
        }
        if (!good) {
            odd.add(value.line);
            continue;
        }
        if (!ranged && c.maxCoeff() > 255) high_ = 999; // Fiberworks' range, when nobody says
        if (ranged && (c.minCoeff() < low_ || c.maxCoeff() > high_)) beyond.add(value.line);
        table_.emplace_back(n, c);
    }
    odd.say(w_.name(), "three numbers were expected for a colour: left out", warnings_);
    beyond.say(w_.name(), "a colour is outside its Range: cut off", warnings_);
}

// Screens show sRGB; renderers want it linear (IEC 61966-2-1).
Vec3 WifReader::linear(const Vec3& given) const {
    Vec3 out;
    for (int k = 0; k < 3; ++k) {
        const double s = std::clamp((given[k] - low_) / (high_ - low_), 0.0, 1.0);
        out[k] = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    }
    return out;
}

// Spacing or Thickness of every thread in metres; empty if the file has none.
std::vector<double> WifReader::lengths(const std::string& which, const char* kind, Index threads) {
    const WifSection* s = w_.find(which.c_str());
    double unit = 0.01, all = 0; // centimetres, the format's default
    if (const WifValue* u = s ? s->find("units") : nullptr) {
        const std::string said = lowerCase(u->text);
        if (said.compare(0, 4, "inch") == 0)
            unit = 0.0254;
        else if (said.compare(0, 9, "decipoint") == 0)
            unit = 0.0254 / 720;
        else if (said.compare(0, 10, "centimeter") != 0 && said.compare(0, 10, "centimetre") != 0 &&
                 std::string(kind) == "spacing") // once
            warnings_.push_back(w_.at(u->line) + ": Units is '" + u->text +
                                "', expected centimeters, inches or decipoints; taken as the "
                                "first");
    }
    WifRepair odd;
    const auto read = [&](const WifValue& v, double& out) {
        double n;
        if (wifNumber(v.text, n) && n > 0)
            out = n * unit;
        else
            odd.add(v.line);
    };
    if (const WifValue* v = s ? s->find(kind) : nullptr) read(*v, all);
    std::vector<double> out(threads, all);
    for (const auto& [n, v] : w_.numbered((which + " " + kind).c_str(), warnings_))
        if (n >= 1 && n <= threads) read(v, out[n - 1]);
    odd.say(w_.name(), std::string("a ") + kind + " > 0 was expected: the common one is taken",
            warnings_);
    // A thread without a length of its own when there is no common one: as the mean of the others.
    double sum = 0;
    Index known = 0;
    for (double l : out)
        if (l > 0) sum += l, ++known;
    if (known == 0) return {};
    for (double& l : out)
        if (!(l > 0)) l = sum / known;
    return out;
}

void WifReader::readThreads(const std::string& which, Index threads, std::vector<Vec3>& color,
                            std::vector<double>& spacing, std::vector<double>& diameter) {
    spacing = lengths(which, "spacing", threads);
    diameter = lengths(which, "thickness", threads);
    readTable();
    if (table_.empty()) return;
    WifRepair unknown;
    const auto find = [&](const WifValue& v, Vec3& out) {
        const std::string first = v.text.substr(0, v.text.find(','));
        double n;
        if (wifNumber(first, n))
            for (const auto& [index, c] : table_)
                if (index == n) {
                    out = linear(c);
                    return;
                }
        unknown.add(v.line);
    };
    const WifSection* s = w_.find(which.c_str());
    Vec3 all = linear(table_.front().second);
    const WifValue* own = s ? s->find("color") : nullptr;
    if (own) find(*own, all);
    const Numbered each = w_.numbered((which + " colors").c_str(), warnings_);
    if (!own && each.empty()) return;
    color.assign(threads, all);
    for (const auto& [n, v] : each)
        if (n >= 1 && n <= threads) find(v, color[n - 1]);
    unknown.say(w_.name(), "the colour is not in [COLOR TABLE]: the " + which + "'s own is taken",
                warnings_);
}

} // namespace

Draft parseWif(const std::string& text, const std::string& name,
               std::vector<std::string>& warnings) {
    return WifReader(text, name, warnings).read();
}

} // namespace purl
