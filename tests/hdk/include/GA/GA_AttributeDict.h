#pragma once
#include "GA/GA_Attribute.h"
#include <map>
#include <memory>
class GA_AttributeDict {
public:
    using Map = std::map<std::string, std::unique_ptr<GA_Attribute>>;
    class iterator {
    public:
        iterator(Map::const_iterator at, Map::const_iterator end) : at_(at), end_(end) {}
        bool atEnd() const { return at_ == end_; }
        iterator& operator++() {
            ++at_;
            return *this;
        }
        GA_Attribute* attrib() const { return at_->second.get(); }

    private:
        Map::const_iterator at_, end_;
    };
    iterator begin(GA_AttributeScope = GA_SCOPE_PUBLIC) const { return {map.begin(), map.end()}; }
    Map map; // not of the HDK
};
