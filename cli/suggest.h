// The command `purl suggest`, as commands.h has the others.
#pragma once

namespace CLI {
class App;
}

namespace purl::cli {

void addSuggest(CLI::App& app, int& exit);

} // namespace purl::cli
