// Binary JSON made from text by the rules of houdini.md A.1 alone, without any of our own code: the
// twin of a hand-made .geo, in either byte order, in the compact spelling that Houdini uses
// (uniform arrays, shared strings) or the plain one of other writers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace purl {

class BinaryTwin {
public:
    BinaryTwin(bool bigEndian, bool compact) : big_(bigEndian), compact_(compact) {}

    std::vector<std::uint8_t> of(const std::string& text) {
        const auto json = nlohmann::ordered_json::parse(text);
        out_ = {0x7f};
        number(std::uint32_t{0x624a534e});
        value(json);
        return std::move(out_);
    }

private:
    using Json = nlohmann::ordered_json;

    template <class T>
    void number(T v) {
        std::uint8_t b[sizeof(T)];
        std::memcpy(b, &v, sizeof v);
        if (big_) std::reverse(b, b + sizeof v);
        out_.insert(out_.end(), b, b + sizeof v);
    }
    void byte(int b) { out_.push_back(static_cast<std::uint8_t>(b)); }
    void length(std::uint64_t n) {
        if (n < 0xf1) {
            byte(static_cast<int>(n));
        } else if (n < 0x10000) {
            byte(0xf2);
            number(static_cast<std::uint16_t>(n));
        } else {
            byte(0xf4);
            number(static_cast<std::uint32_t>(n));
        }
    }
    void text(const std::string& s) {
        length(s.size());
        out_.insert(out_.end(), s.begin(), s.end());
    }
    void string(const std::string& s) {
        if (!compact_) {
            byte(0x27);
            return text(s);
        }
        // numbers that need every form of a length, and one that is forgotten and given again
        const auto [it, fresh] = shared_.emplace(s, 200 + 40 * shared_.size() * shared_.size());
        if (fresh) {
            byte(0x2b);
            length(7);
            text("forgotten");
            byte(0x2d);
            length(7);
            byte(0x2b);
            length(it->second);
            text(s);
        }
        byte(0x26);
        length(it->second);
    }
    void integer(std::int64_t v) {
        if (v == static_cast<std::int8_t>(v)) {
            byte(0x11);
            number(static_cast<std::int8_t>(v));
        } else if (v == static_cast<std::int16_t>(v)) {
            byte(0x12);
            number(static_cast<std::int16_t>(v));
        } else if (v == static_cast<std::int32_t>(v)) {
            byte(0x13);
            number(static_cast<std::int32_t>(v));
        } else {
            byte(0x14);
            number(v);
        }
    }
    bool uniform(const Json& list) {
        if (!compact_ || list.size() < 2) return false;
        const auto all = [&](auto&& is) { return std::all_of(list.begin(), list.end(), is); };
        if (all([](const Json& v) { return v.is_boolean(); })) {
            byte(0x40);
            byte(0x10);
            length(list.size());
            for (std::size_t i = 0; i < list.size(); i += 32) {
                std::uint32_t word = 0;
                for (std::size_t k = i; k < std::min(i + 32, list.size()); ++k)
                    word |= static_cast<std::uint32_t>(list[k].get<bool>()) << (k - i);
                number(word);
            }
            return true;
        }
        if (all([](const Json& v) { return v.is_number_integer(); })) {
            std::int64_t lo = 0, hi = 0;
            for (const Json& v : list) {
                lo = std::min(lo, v.get<std::int64_t>());
                hi = std::max(hi, v.get<std::int64_t>());
            }
            const auto fits = [&](std::int64_t a, std::int64_t b) { return lo >= a && hi <= b; };
            const int type = fits(-128, 127)                     ? 0x11
                             : fits(0, 255)                      ? 0x21
                             : fits(-32768, 32767)               ? 0x12
                             : fits(0, 65535)                    ? 0x22
                             : fits(-(1ll << 31), ~(~0ll << 31)) ? 0x13
                                                                 : 0x14;
            byte(0x40);
            byte(type);
            length(list.size());
            for (const Json& v : list) {
                const auto n = v.get<std::int64_t>();
                if (type == 0x11 || type == 0x21) byte(static_cast<int>(n & 0xff));
                if (type == 0x12 || type == 0x22) number(static_cast<std::uint16_t>(n));
                if (type == 0x13) number(static_cast<std::uint32_t>(n));
                if (type == 0x14) number(n);
            }
            return true;
        }
        if (all([](const Json& v) { return v.is_number(); })) {
            byte(0x40);
            byte(0x1a);
            length(list.size());
            for (const Json& v : list) number(v.get<double>());
            return true;
        }
        return false;
    }
    void value(const Json& v) {
        if (v.is_null()) {
            byte(0);
        } else if (v.is_boolean()) {
            byte(v.get<bool>() ? 0x31 : 0x30);
        } else if (v.is_number_integer()) {
            integer(v.get<std::int64_t>());
        } else if (v.is_number()) {
            byte(0x1a);
            number(v.get<double>());
        } else if (v.is_string()) {
            string(v.get<std::string>());
        } else if (v.is_array()) {
            if (uniform(v)) return;
            byte('[');
            for (std::size_t i = 0; i < v.size(); ++i) {
                if (!compact_ && i > 0) byte(','); // allowed, and written by none
                value(v[i]);
            }
            byte(']');
        } else {
            byte('{');
            for (const auto& item : v.items()) {
                string(item.key());
                if (!compact_) byte(':');
                value(item.value());
            }
            byte('}');
        }
    }

    bool big_, compact_;
    std::map<std::string, std::uint64_t> shared_;
    std::vector<std::uint8_t> out_;
};

} // namespace purl
