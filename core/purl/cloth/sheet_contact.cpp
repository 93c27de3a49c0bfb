#include "purl/cloth/sheet_contact.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

// Sorts the contacts by colour, keeping their order inside one. Greedy, in order; returns where
// each colour starts. Those that no colour was left for are one by one at the end.
std::vector<Index> colour(std::vector<SheetContact>& contacts, std::size_t points) {
    constexpr int kColours = 64;
    std::vector<std::uint64_t> used(points, 0);
    std::vector<std::uint8_t> of(contacts.size());
    std::array<Index, kColours + 1> count{};
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        std::uint64_t taken = 0;
        for (Index n : contacts[c].node) taken |= used[n];
        const int k = ~taken == 0 ? kColours : __builtin_ctzll(~taken);
        of[c] = static_cast<std::uint8_t>(k);
        ++count[k];
        if (k < kColours)
            for (Index n : contacts[c].node) used[n] |= std::uint64_t{1} << k;
    }
    std::vector<Index> start{0};
    std::array<Index, kColours + 1> at{};
    Index sum = 0;
    for (int k = 0; k <= kColours; ++k) {
        at[k] = sum;
        sum += count[k];
        if (k < kColours && count[k] > 0) start.push_back(sum);
    }
    for (Index rest = 1; rest <= count[kColours]; ++rest)
        start.push_back(sum - count[kColours] + rest);
    std::vector<SheetContact> sorted(contacts.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) sorted[at[of[c]]++] = contacts[c];
    contacts.swap(sorted);
    return start;
}

bool apply(const SheetContact& c, const ContactWork& w) {
    Vec3 gap = Vec3::Zero(), slide = Vec3::Zero();
    double soft = 0; // 1/kg
    for (int i = 0; i < 4; ++i) {
        const Index n = c.node[i];
        gap += c.weight[i] * w.x1[n];
        slide += c.weight[i] * (w.x1[n] - w.x0[n]);
        soft += c.weight[i] * c.weight[i] * w.inverseMass[n];
    }
    const double have = c.normal.dot(gap);
    if (!(soft > 0) || have >= c.push) return false;
    const double stop = std::max(0.0, c.stop - have), free = c.push - have - stop;
    slide -= c.normal.dot(slide) * c.normal;
    const double length = slide.norm();
    const double hold = length > 0 ? std::min(w.friction * stop, length) / length : 0.0;
    const Vec3 change = (stop * c.normal - hold * slide) / soft, push = (free / soft) * c.normal;
    for (int i = 0; i < 4; ++i) {
        const Index n = c.node[i];
        const double s = c.weight[i] * w.inverseMass[n];
        if (s == 0) continue;
        w.x1[n] += s * (change + push);
        w.pushed[n] += s * push;
    }
    return true;
}

} // namespace

long solveContacts(std::vector<SheetContact>& contacts, int sweeps, const ContactWork& work) {
    if (contacts.empty()) return 0;
    const std::vector<Index> start = colour(contacts, work.x1.size());
    std::vector<std::uint8_t> applied(contacts.size());
    long sum = 0;
    for (int s = 0; s < sweeps; ++s) {
        for (std::size_t k = 0; k + 1 < start.size(); ++k)
            parallelFor(start[k + 1] - start[k], 512, [&](Index begin, Index end) {
                for (Index c = start[k] + begin; c < start[k] + end; ++c)
                    applied[c] = apply(contacts[c], work);
            });
        const long now = std::count(applied.begin(), applied.end(), 1);
        sum += now;
        if (now == 0) break;
    }
    return sum;
}

} // namespace purl
