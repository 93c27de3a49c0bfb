#pragma once
#include <string>
class UT_StringRef {
public:
    UT_StringRef(const char* text = "") : text_(text ? text : "") {}
    UT_StringRef(const std::string& text) : text_(text) {}
    const char* c_str() const { return text_.c_str(); }
    std::string toStdString() const { return text_; }
    bool isstring() const { return !text_.empty(); }
    bool operator==(const UT_StringRef& o) const { return text_ == o.text_; }

protected:
    std::string text_;
};
class UT_StringHolder : public UT_StringRef {
public:
    using UT_StringRef::UT_StringRef;
};
inline UT_StringHolder operator""_sh(const char* text, std::size_t n) {
    return UT_StringHolder(std::string(text, n));
}
