// Many small lists in one flat array. A list lives in a block of 2^k items; blocks that it grew out
// of are kept for others, so that a steady state allocates nothing. Only pushing may move a list.
// Blocks hold at least eight items: SIMD may read over the end of a list up to the next eighth.
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

template <class T>
class ListPool {
public:
    void reset(Index lists) {
        item_.clear();
        list_.assign(lists, {});
        for (auto& f : free_) f.clear();
    }
    Index lists() const { return static_cast<Index>(list_.size()); }
    Index addList() {
        list_.push_back({});
        return lists() - 1;
    }
    Index count(Index list) const { return list_[list].count; }
    T* begin(Index list) { return item_.data() + list_[list].start; }
    const T* begin(Index list) const { return item_.data() + list_[list].start; }
    T* end(Index list) { return begin(list) + count(list); }
    const T* end(Index list) const { return begin(list) + count(list); }

    void push(Index list, const T& value) {
        if (list_[list].count == capacity(list_[list])) grow(list_[list]);
        begin(list)[list_[list].count++] = value;
    }
    // The last item takes its place. Lists of different threads may be cut at the same time.
    void removeAt(Index list, Index k) {
        T* p = begin(list);
        p[k] = p[--list_[list].count];
    }
    void remove(Index list, const T& value) {
        for (Index k = 0; k < count(list); ++k)
            if (begin(list)[k] == value) return removeAt(list, k);
    }
    std::size_t bytes() const { return item_.size() * sizeof(T) + list_.size() * sizeof(List); }

private:
    static constexpr int kSmallest = 3; // log2 of the items of a first block
    struct List {
        std::uint32_t start = 0;
        std::int32_t count = 0;
        std::int32_t log = -1; // of its block; -1: none yet
    };
    static Index capacity(const List& l) { return l.log < 0 ? 0 : Index(1) << l.log; }
    void grow(List& l) {
        const int log = l.log < 0 ? kSmallest : l.log + 1;
        std::uint32_t start;
        if (!free_[log].empty()) {
            start = free_[log].back();
            free_[log].pop_back();
        } else {
            start = static_cast<std::uint32_t>(item_.size());
            item_.resize(item_.size() + (std::size_t(1) << log));
        }
        for (Index k = 0; k < l.count; ++k) item_[start + k] = item_[l.start + k];
        if (l.log >= 0) free_[l.log].push_back(l.start);
        l.start = start;
        l.log = log;
    }

    std::vector<T> item_;
    std::vector<List> list_;
    std::array<std::vector<std::uint32_t>, 32> free_; // starts of unused blocks by log2 of size
};

} // namespace purl
