#pragma once
#include "GA/GA_Attribute.h"
#include <map>
#include <memory>
class GA_ElementGroup {
public:
    const UT_StringHolder& getName() const { return name; }
    bool contains(GA_Offset o) const {
        const GA_Index i = o - GA_Attribute::kShift[owner];
        return i >= 0 && i < static_cast<exint>(member.size()) && member[i];
    }
    void setElement(GA_Offset o, bool v) {
        const GA_Index i = o - GA_Attribute::kShift[owner];
        if (i >= static_cast<exint>(member.size())) member.resize(i + 1);
        member[i] = v;
    }
    // Not of the HDK.
    UT_StringHolder name;
    GA_AttributeOwner owner = GA_ATTRIB_POINT;
    std::vector<char> member;
};
class GA_PointGroup : public GA_ElementGroup {};
class GA_PrimitiveGroup : public GA_ElementGroup {};
template <class G>
class GroupTable { // GA_PointGroupTable, GA_PrimitiveGroupTable
public:
    using Map = std::map<std::string, std::unique_ptr<G>>;
    class iterator {
    public:
        iterator(typename Map::const_iterator at, typename Map::const_iterator end)
            : at_(at), end_(end) {}
        bool atEnd() const { return at_ == end_; }
        iterator& operator++() {
            ++at_;
            return *this;
        }
        G* group() const { return at_->second.get(); }

    private:
        typename Map::const_iterator at_, end_;
    };
    iterator beginTraverse() const { return {map.begin(), map.end()}; }
    Map map; // not of the HDK
};
using GA_PointGroupTable = GroupTable<GA_PointGroup>;
using GA_PrimitiveGroupTable = GroupTable<GA_PrimitiveGroup>;
