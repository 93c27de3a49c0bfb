// The state of a run as bytes: what a checkpoint is made of. Values follow each other in named,
// versioned sections; the whole ends in its length and its hash, so that a torn, cut or foreign
// file is never taken for a whole one.
//
// A class with state over steps has
//     void save(SnapshotWriter&) const;
//     void load(SnapshotReader&);
// and best one list of fields for both:
//     template <class Self, class Archive>
//     static void fields(Self& s, Archive& a) { a(s.x_, s.v_, s.time_); }
//     void save(SnapshotWriter& w) const { w.begin("thing", 1); fields(*this, w); w.end(); }
//     void load(SnapshotReader& r) { r.begin("thing", 1); fields(*this, r); r.end(); }
//
// Plain values are written as they lie in memory: a snapshot goes back to the build and the kind
// of machine that wrote it (its element sizes are checked), not across them.
#pragma once

#include "purl/base/hash.h"
#include "purl/base/types.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace purl {

// What may be copied byte by byte. Eigen's fixed matrices are not trivially copyable by the letter
// (their copy constructors are written out), but trivially destructible, as nothing that owns is.
template <class T>
constexpr bool isPlainData =
    std::is_trivially_destructible_v<T> && !std::is_pointer_v<T> && !std::is_reference_v<T>;

class SnapshotWriter {
public:
    using Sink = std::function<void(const void*, std::size_t)>;
    SnapshotWriter();                   // to memory: bytes() after finish()
    explicit SnapshotWriter(Sink sink); // to anything, in pieces, in order (an AtomicFile)
    SnapshotWriter(const SnapshotWriter&) = delete;
    SnapshotWriter& operator=(const SnapshotWriter&) = delete;

    void begin(const std::string& section, std::uint32_t version); // sections may nest
    void end();

    template <class T, class = std::enable_if_t<isPlainData<T>>>
    void put(const T& value) {
        head(1, sizeof(T));
        raw(&value, sizeof(T));
    }
    template <class T, class A, class = std::enable_if_t<isPlainData<T>>>
    void put(const std::vector<T, A>& v) {
        head(v.size(), sizeof(T));
        raw(v.data(), v.size() * sizeof(T));
    }
    template <class T, class A, class = std::enable_if_t<isPlainData<T>>>
    void put(const std::vector<std::vector<T, A>>& v) {
        put(static_cast<std::uint64_t>(v.size()));
        for (const auto& inner : v) put(inner);
    }
    void put(const std::vector<bool>&) = delete;
    void put(const std::string& text) {
        head(text.size(), 1);
        raw(text.data(), text.size());
    }
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }

    void finish(); // writes length and hash; nothing may follow
    const std::vector<char>& bytes() const { return memory_; }
    std::uint64_t size() const { return size_; } // bytes so far

private:
    void head(std::uint64_t count, std::uint32_t elementSize);
    void raw(const void* data, std::size_t size);
    void flush();

    Sink sink_;
    std::vector<char> memory_, block_;
    std::vector<std::string> open_;
    Hash hash_;
    std::uint64_t size_ = 0;
    bool finished_ = false;
};

class SnapshotReader {
public:
    // Checks the whole before anything is read. `name` is what messages call it: the file. Throws
    // Error naming it for what is cut, damaged, or no snapshot.
    SnapshotReader(std::vector<char> bytes, std::string name);
    static SnapshotReader fromFile(const std::string& path);

    // Enters the section that must come now; returns its version, at most `newest`. Throws Error.
    std::uint32_t begin(const std::string& section, std::uint32_t newest);
    void end(); // throws Error if something of the section was not read

    template <class T, class = std::enable_if_t<isPlainData<T>>>
    void get(T& value) {
        head(sizeof(T), 1);
        raw(&value, sizeof(T));
    }
    template <class T, class A, class = std::enable_if_t<isPlainData<T>>>
    void get(std::vector<T, A>& v) {
        v.resize(head(sizeof(T), -1));
        raw(v.data(), v.size() * sizeof(T));
    }
    template <class T, class A, class = std::enable_if_t<isPlainData<T>>>
    void get(std::vector<std::vector<T, A>>& v) {
        std::uint64_t n = 0;
        get(n);
        checkCount(n);
        v.resize(n);
        for (auto& inner : v) get(inner);
    }
    void get(std::string& text) {
        text.resize(head(1, -1));
        raw(text.data(), text.size());
    }
    // A vector whose length is not free: throws Error naming `what` if it is another one.
    template <class V>
    void getSized(V& v, std::size_t expected, const char* what) {
        get(v);
        if (v.size() != expected) wrongCount(what, v.size(), expected);
    }
    template <class T>
    T take() {
        T value{};
        get(value);
        return value;
    }
    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }

    bool atEnd() const { return at_ == end_; }
    const std::string& name() const { return name_; }
    // For what a section finds wrong with its own values.
    [[noreturn]] void fail(const std::string& what) const;

private:
    std::size_t head(std::uint32_t elementSize, long count); // count -1: any
    void raw(void* data, std::size_t size);
    void checkCount(std::uint64_t n) const;
    [[noreturn]] void wrongCount(const char* what, std::size_t found, std::size_t expected) const;

    std::vector<char> bytes_;
    std::string name_;
    std::vector<std::string> open_;
    std::size_t at_ = 0, end_ = 0;
};

} // namespace purl
