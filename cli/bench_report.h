// What a bench run found: a table for people, JSON for programs, a line of CSV for the record.
#pragma once

#include "cli/bench_run.h"

namespace purl::cli {

std::string benchTable(const BenchResult&);
std::string benchJson(const BenchResult&);
// Appends to the file, with a line of column names if it is new. Throws Error if it cannot.
void appendBenchCsv(const std::string& path, const BenchResult&);

} // namespace purl::cli
