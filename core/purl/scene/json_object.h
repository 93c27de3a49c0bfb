// A JSON object that is read key by key and knows which keys were asked for: what nobody asked for
// is an error, and every error names the file and the path of the value in it.
#pragma once

#include "purl/base/types.h"
#include "purl/scene/quantity.h"

#include <nlohmann/json.hpp>

namespace purl {

class JsonObject {
public:
    // `path` is the object's own path ("/yarns"); throws unless the value is an object.
    JsonObject(const nlohmann::json& value, std::string file, std::string path);

    bool has(const char* key); // the key is then known
    // Each leaves `out` as it is when the key is missing, and says whether it was there.
    bool number(const char* key, Dimension, double& out);
    bool vector(const char* key, Dimension, Vec3& out);
    bool integer(const char* key, int& out, int least, int most);
    bool flag(const char* key, bool& out);
    bool text(const char* key, std::string& out);
    const nlohmann::json* value(const char* key); // null when missing
    JsonObject object(const char* key);           // the key must be there
    void finish() const;                          // throws if a key is left that nobody asked for

    std::string pathOf(const std::string& key) const { return path_ + "/" + key; }
    std::string where(const std::string& key) const { return file_ + ": " + pathOf(key); }
    std::string place() const { return file_ + ": " + (path_.empty() ? "/" : path_); }
    const std::string& file() const { return file_; }

private:
    const nlohmann::json& value_;
    std::string file_, path_;
    std::vector<std::string> known_;
};

double quantityOf(const nlohmann::json& value, Dimension, const std::string& where);
Vec3 vectorOf(const nlohmann::json& value, Dimension, const std::string& where);
std::string found(const nlohmann::json& value); // the value as a message shows it, cut short

// The text as JSON; comments are allowed. Throws Error with line and column.
nlohmann::json parseJson(const std::string& text, const std::string& file);

} // namespace purl
