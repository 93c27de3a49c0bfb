// `purl wedge`: one scene, some parameters, all their combinations; run here, by Slurm or by any
// manager that takes an Open Job Description, and ended in one labelled sheet and one table.
#pragma once

#include <string>
#include <vector>

namespace purl::cli {

struct WedgeFlags {
    std::string scene, out = "wedge", frames, engine = "local", progress = "auto", every = "5m";
    std::string sbatch;             // more flags for sbatch: "-p farm -c 4"
    std::vector<std::string> vary;  // "friction=0.1,0.3"
    std::vector<std::string> extra; // after --: flags of purl sim, for all
    int jobs = 1, threads = 0, index = 0, width = 400;
    bool finish = false; // only the sheet and the table of what is there
    bool wait = false;   // of slurm: until all is done
};

struct Variation {
    std::string key; // a flag of purl sim (friction), or a place in the scene (contact/friction)
    std::vector<std::string> values;
};

struct Variant {
    int index = 1;
    std::string label;              // "friction 0.1, tau 0.04"
    std::string folder;             // of its frames, inside the wedge's
    std::vector<std::string> value; // one a variation
    std::vector<std::string> sim;   // arguments of purl
};

struct WedgePlan {
    std::vector<Variation> axes;
    std::vector<Variant> variants;
    int columns = 1; // of the sheet: the values of the last axis
};

// Throws Error for what cannot be varied.
WedgePlan planWedge(const WedgeFlags& flags);

// table.csv, table.md and sheet.png of what the variants have written so far.
void finishWedge(const WedgeFlags& flags, const WedgePlan& plan);

// The `purl wedge` arguments of a job that does `what` ("--index N" or "--finish") of this wedge,
// with paths that hold anywhere.
std::vector<std::string> wedgeArguments(const WedgeFlags& flags, const std::string& what,
                                        const std::string& value);

// Writes OUT/wedge.sbatch and OUT/finish.sbatch and submits both, the second to follow the first.
// Returns the exit code: of sbatch, or with --wait of the wedge.
int wedgeBySlurm(const WedgeFlags& flags, const WedgePlan& plan);
// Writes OUT/wedge.template.json.
void writeOpenJd(const WedgeFlags& flags, const WedgePlan& plan);

std::string shellWord(const std::string& word); // quoted where a shell needs it
std::string ownPath();                          // of this very program

} // namespace purl::cli
