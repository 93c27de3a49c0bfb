#include "purl/io/line_reader.h"

#include <charconv>
#include <cstring>

namespace purl {

bool LineReader::next() {
    at_ = bytes_.offset();
    line_.clear();
    place_ = 0;
    if (!bytes_.ensure(1)) return false;
    ended_ = false;
    while (!ended_ && bytes_.ensure(1)) {
        const char* p = reinterpret_cast<const char*>(bytes_.data());
        const std::size_t have = bytes_.available();
        const void* end = std::memchr(p, '\n', have);
        const std::size_t n =
            end ? static_cast<std::size_t>(static_cast<const char*>(end) - p) : have;
        if (line_.size() + n > charged_) {
            bytes_.charge(budget_, 2 * (line_.size() + n - charged_));
            charged_ = line_.size() + n;
        }
        line_.append(p, n);
        bytes_.advance(n + (end ? 1 : 0));
        ended_ = end != nullptr;
        if (!ended_) continue;
        if (!line_.empty() && line_.back() == '\r') line_.pop_back();
        if (!line_.empty() && line_.back() == '\\') { // goes on in the next line
            line_.back() = ' ';
            ended_ = false;
        }
    }
    return true;
}

std::string_view LineReader::word() {
    const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (place_ < line_.size() && space(line_[place_])) ++place_;
    const std::size_t from = place_;
    while (place_ < line_.size() && !space(line_[place_])) ++place_;
    return std::string_view(line_).substr(from, place_ - from);
}

double LineReader::parse(std::string_view w) const {
    double v = 0;
    const char* begin = w.data() + (w[0] == '+' ? 1 : 0);
    const auto r = std::from_chars(begin, w.data() + w.size(), v);
    if (r.ec != std::errc() || r.ptr != w.data() + w.size())
        fail("not a number: " + std::string(w.substr(0, 40)));
    return v;
}

bool LineReader::real(double& v) {
    const std::string_view w = word();
    if (w.empty() || w[0] == '#') return false;
    v = parse(w);
    return true;
}

double LineReader::needReal() {
    double v = 0;
    if (!real(v)) fail("fewer numbers in this line than expected");
    return v;
}

std::int64_t LineReader::needInteger() {
    const std::string_view w = word();
    std::int64_t v = 0;
    const auto r = std::from_chars(w.data(), w.data() + w.size(), v);
    if (w.empty() || r.ec != std::errc() || r.ptr != w.data() + w.size())
        fail("expected an integer, found \"" + std::string(w.substr(0, 40)) + "\"");
    return v;
}

} // namespace purl
