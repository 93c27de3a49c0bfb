#include "cli/sequence.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cstdio>
#include <filesystem>
#include <glob.h>
#include <set>

namespace fs = std::filesystem;

namespace purl::cli {

namespace {

// A whole number at `at`, which is moved behind it.
bool readInt(const std::string& s, std::size_t& at, int& out) {
    std::size_t end = at;
    if (end < s.size() && s[end] == '-') ++end;
    const std::size_t digits = end;
    while (end < s.size() && std::isdigit(static_cast<unsigned char>(s[end]))) ++end;
    if (end == digits || end - digits > 8) return false;
    out = std::stoi(s.substr(at, end - at));
    at = end;
    return true;
}

struct Place { // of the frame number in a name
    std::size_t at = std::string::npos, length = 0;
    int digits = 0;
    bool found() const { return at != std::string::npos; }
};

bool digit(const std::string& s, std::size_t i) {
    return i < s.size() && std::isdigit(static_cast<unsigned char>(s[i]));
}

Place findPlace(const std::string& s) {
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s.compare(i, 2, "$F") == 0) {
            if (digit(s, i + 2)) return {i, 3, s[i + 2] - '0'};
            return {i, 2, 1};
        }
        if (s[i] == '%') {
            std::size_t end = i + 1;
            int digits = 0;
            while (digit(s, end)) digits = std::min(99, digits * 10 + (s[end++] - '0'));
            if (end < s.size() && s[end] == 'd') return {i, end + 1 - i, std::max(1, digits)};
        }
        if (s[i] == '#') {
            std::size_t end = i;
            while (end < s.size() && s[end] == '#') ++end;
            return {i, end - i, static_cast<int>(end - i)};
        }
    }
    return {};
}

// The last run of digits of a file name, before its extensions where there is one.
int frameOf(const std::string& path) {
    const std::string name = fs::path(path).filename().string();
    int best = 0;
    for (std::size_t i = 0; i < name.size();) {
        if (!digit(name, i)) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (digit(name, end)) ++end;
        if (end - i <= 8) best = std::stoi(name.substr(i, end - i));
        i = end;
    }
    return best;
}

std::vector<SequenceFile> globbed(const std::string& name) {
    glob_t g{};
    std::vector<SequenceFile> out;
    if (glob(name.c_str(), 0, nullptr, &g) == 0)
        for (std::size_t i = 0; i < g.gl_pathc; ++i)
            out.push_back({frameOf(g.gl_pathv[i]), g.gl_pathv[i]});
    globfree(&g);
    return out;
}

std::vector<SequenceFile> numbered(const std::string& name, const Place& place) {
    const std::size_t slash = name.rfind('/');
    if (slash != std::string::npos && place.at < slash)
        throw Error(name,
                    "has its frame number in a folder's name, expected it in the file's name");
    const std::string folder = slash == std::string::npos ? "." : name.substr(0, slash + 1);
    const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
    const std::string before = name.substr(start, place.at - start);
    const std::string after = name.substr(place.at + place.length);
    std::vector<SequenceFile> out;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const std::string file = entry.path().filename().string();
        if (file.size() <= before.size() + after.size() || file.rfind(before, 0) != 0 ||
            file.compare(file.size() - after.size(), after.size(), after) != 0)
            continue;
        const std::string middle =
            file.substr(before.size(), file.size() - before.size() - after.size());
        std::size_t at = 0;
        int frame = 0;
        if (!readInt(middle, at, frame) || at != middle.size()) continue;
        if (framePath(name, frame) == name.substr(0, start) + file)
            out.push_back({frame, name.substr(0, start) + file});
    }
    return out;
}

} // namespace

FrameRange parseRange(const std::string& text, const std::string& where) {
    FrameRange r;
    std::size_t at = 0;
    bool ok = readInt(text, at, r.first);
    r.last = r.first;
    if (ok && at < text.size()) {
        ok = text[at] == '-';
        ++at;
        ok = ok && readInt(text, at, r.last) && at == text.size();
    }
    if (!ok || r.last < r.first)
        throw Error(where, "'" + text + "' was found, expected a range of frames like 1-48");
    return r;
}

std::vector<int> parseFrames(const std::string& text, const std::string& where) {
    std::set<int> frames;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string part = text.substr(begin, comma - begin);
        int step = 1;
        if (const std::size_t x = part.find('x'); x != std::string::npos) {
            std::size_t at = x + 1;
            if (!readInt(part, at, step) || at != part.size() || step < 1)
                throw Error(where, "'" + text +
                                       "' was found, expected frames like 1-48, 1-48x6 or 1,8,20");
            part = part.substr(0, x);
        }
        const FrameRange r = parseRange(part, where);
        if (r.count() / step > 100000)
            throw Error(where, "'" + text + "' was found, expected at most 100000 frames");
        for (int f = r.first; f <= r.last; f += step) frames.insert(f);
        begin = comma + 1;
    }
    return {frames.begin(), frames.end()};
}

bool hasFrame(const std::string& pattern) { return findPlace(pattern).found(); }

std::string framePath(const std::string& pattern, int frame) {
    const Place p = findPlace(pattern);
    if (!p.found()) return pattern;
    char number[128];
    std::snprintf(number, sizeof number, "%0*d", p.digits, frame);
    return pattern.substr(0, p.at) + number + pattern.substr(p.at + p.length);
}

std::vector<SequenceFile> findSequence(const std::string& name) {
    const Place place = findPlace(name);
    std::vector<SequenceFile> files;
    if (fs::exists(name))
        files.push_back({frameOf(name), name});
    else if (place.found())
        files = numbered(name, place);
    else if (name.find_first_of("*?[") != std::string::npos)
        files = globbed(name);
    if (files.empty())
        throw Error(name, place.found()
                              ? "no file of this sequence was found, expected at least one"
                              : "no such file");
    std::sort(files.begin(), files.end(), [](const SequenceFile& a, const SequenceFile& b) {
        return a.frame != b.frame ? a.frame < b.frame : a.path < b.path;
    });
    return files;
}

std::vector<SequenceFile> findSequences(const std::vector<std::string>& names) {
    std::vector<SequenceFile> files;
    for (const std::string& name : names)
        for (SequenceFile& f : findSequence(name)) files.push_back(std::move(f));
    std::stable_sort(files.begin(), files.end(), [](const SequenceFile& a, const SequenceFile& b) {
        return a.frame < b.frame;
    });
    return files;
}

void makeFolderOf(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) return;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error || !fs::is_directory(folder))
        throw Error(folder.string(),
                    "cannot be made as a folder: " +
                        (error ? error.message() : std::string("a file is there")),
                    Error::Kind::Disk);
}

} // namespace purl::cli
