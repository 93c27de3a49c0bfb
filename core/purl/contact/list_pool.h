// Many small lists in one flat array. A list lives in a block of 8, 16, 24, 32, then four sizes to
// each doubling (40, 48, 56, 64, 80, ...) of items; blocks that it grew out of are kept for others,
// so that a steady state allocates nothing. Only pushing may move a list. Blocks hold at least
// eight items: SIMD may read over the end of a list up to the next eighth.
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
    struct List {
        std::uint32_t start = 0;
        std::int32_t count = 0;
        std::int32_t step = -1; // of its block's size; -1: none yet
    };
    static Index capacity(const List& l) {
        if (l.step < 4) return 8 * (l.step + 1);
        return Index(8) * (5 + l.step % 4) << (l.step / 4 - 1);
    }
    void grow(List& l) {
        const int step = l.step + 1;
        std::uint32_t start;
        if (!free_[step].empty()) {
            start = free_[step].back();
            free_[step].pop_back();
        } else {
            start = static_cast<std::uint32_t>(item_.size());
            item_.resize(item_.size() + capacity({0, 0, step}));
        }
        for (Index k = 0; k < l.count; ++k) item_[start + k] = item_[l.start + k];
        if (l.step >= 0) free_[l.step].push_back(l.start);
        l.start = start;
        l.step = step;
    }

    std::vector<T> item_;
    std::vector<List> list_;
    std::array<std::vector<std::uint32_t>, 96> free_; // starts of unused blocks by size
};

} // namespace purl
