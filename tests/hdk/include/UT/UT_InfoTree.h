#pragma once
#include "UT/UT_StringHolder.h"
#include <map>
#include <memory>
#include <sstream>
class UT_InfoTree {
public:
    UT_InfoTree* addChildMap(const UT_StringHolder& name) {
        auto& child = children[name.toStdString()];
        if (!child) child = std::make_unique<UT_InfoTree>();
        return child.get();
    }
    template <class T>
    void addProperties(const UT_StringHolder& key, const T& value) {
        std::ostringstream text;
        text << value;
        properties[key.toStdString()] = text.str();
    }
    void addProperties(const UT_StringHolder& key, const UT_StringHolder& value) {
        properties[key.toStdString()] = value.toStdString();
    }
    // Not of the HDK: what tests read.
    std::map<std::string, std::unique_ptr<UT_InfoTree>> children;
    std::map<std::string, std::string> properties;
};
