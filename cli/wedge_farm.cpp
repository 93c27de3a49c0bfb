// A wedge as an array job of Slurm, and as an Open Job Description template.
#include "cli/commands.h"
#include "cli/sequence.h"
#include "cli/wedge.h"
#include "purl/base/error.h"
#include "purl/io/atomic_file.h"

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

namespace fs = std::filesystem;

namespace purl::cli {

using nlohmann::ordered_json;

namespace {

void writeText(const std::string& path, const std::string& text) {
    makeFolderOf(path);
    writeFileAtomically(path, text.data(), text.size());
}

std::string words(const std::vector<std::string>& list) {
    std::string out = shellWord(ownPath());
    for (const std::string& w : list) out += " " + shellWord(w);
    return out;
}

// Runs a command; returns its exit code and what it printed.
int ask(const std::string& command, std::string& printed) {
    std::FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) throw Error(command, "cannot be run");
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe))
        printed.append(buffer, n);
    const int status = pclose(pipe);
    while (!printed.empty() && (printed.back() == '\n' || printed.back() == ' '))
        printed.pop_back();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

} // namespace

int wedgeBySlurm(const WedgeFlags& f, const WedgePlan& plan) {
    const std::string out = fs::absolute(f.out).lexically_normal().string();
    const std::string count = std::to_string(plan.variants.size());
    // The step, not the batch shell, gets Slurm's signals: SIGTERM before a preemption, SIGUSR1
    // before the time limit. Either ends purl with 75 and a checkpoint; the job then asks for its
    // place in the queue again and --resume auto goes on.
    const std::string run =
        "#!/bin/bash\n"
        "#SBATCH --job-name=purl-wedge --requeue --open-mode=append --signal=USR1@120\n"
        "#SBATCH --output=" +
        shellWord(out + "/slurm.%a.log") +
        "\n"
        "echo \"variant $SLURM_ARRAY_TASK_ID on $(hostname), restart ${SLURM_RESTART_COUNT:-0}\"\n"
        "srun --ntasks=1 " +
        words(wedgeArguments(f, "--progress", "alf")) +
        " --index=\"$SLURM_ARRAY_TASK_ID\"\n"
        "code=$?\n"
        "if [ $code = 75 ]; then scontrol requeue \"$SLURM_JOB_ID\"; sleep 60; fi\n"
        "exit $code\n";
    std::string text = run;
    if (!f.extra.empty()) { // what follows -- is the simulation's: the index goes before it
        const std::string index = " --index=\"$SLURM_ARRAY_TASK_ID\"";
        text.erase(text.find(index), index.size());
        text.insert(text.find(" -- "), index);
    }
    writeText(out + "/wedge.sbatch", text);
    writeText(out + "/finish.sbatch", "#!/bin/bash\n#SBATCH --job-name=purl-wedge-sheet --output=" +
                                          shellWord(out + "/slurm.finish.log") + "\nexec " +
                                          words(wedgeArguments(f, "--finish", "")) + "\n");
    const std::string flags = f.sbatch.empty() ? "" : " " + f.sbatch;
    std::string job, last;
    int code =
        ask("sbatch --parsable --array=1-" + count + flags + " " + shellWord(out + "/wedge.sbatch"),
            job);
    if (code != 0)
        throw Error("sbatch", "ended with " + std::to_string(code) +
                                  ", expected a job number; is Slurm there, and --sbatch right?");
    job = job.substr(0, job.find(';'));
    code = ask("sbatch --parsable --dependency=afterany:" + job + flags +
                   (f.wait ? " --wait" : "") + " " + shellWord(out + "/finish.sbatch"),
               last);
    std::printf("array job %s of %s variants, then %s; scontrol requeue, preemption and time\n"
                "limits are survived. Sheet and table will be in %s\n",
                job.c_str(), count.c_str(), last.c_str(), out.c_str());
    return code == 0 ? Ok : BadInput;
}

void writeOpenJd(const WedgeFlags& f, const WedgePlan& plan) {
    const std::string out = fs::absolute(f.out).lexically_normal().string();
    const auto arguments = [&](const std::string& what, const std::string& value) {
        ordered_json list = ordered_json::array();
        for (const std::string& a : wedgeArguments(f, what, value)) list.push_back(a);
        return list;
    };
    ordered_json run = arguments("--index", "{{Task.Param.Variant}}");
    run.insert(run.begin() + 1, "--progress=openjd");
    const ordered_json j = {
        {"specificationVersion", "jobtemplate-2023-09"},
        {"name", "purl wedge " + fs::path(f.scene).stem().string()},
        {"parameterDefinitions",
         {{{"name", "Purl"},
           {"type", "PATH"},
           {"objectType", "FILE"},
           {"dataFlow", "NONE"},
           {"default", ownPath()},
           {"description", "The purl command on the workers"}}}},
        {"steps",
         {{{"name", "Simulate"},
           {"parameterSpace",
            {{"taskParameterDefinitions",
              {{{"name", "Variant"},
                {"type", "INT"},
                {"range", "1-" + std::to_string(plan.variants.size())}}}}}},
           {"script",
            {{"actions",
              {{"onRun",
                {{"command", "{{Param.Purl}}"},
                 {"args", run},
                 // SIGTERM first, then time for the step and the checkpoint.
                 {"cancelation",
                  {{"mode", "NOTIFY_THEN_TERMINATE"}, {"notifyPeriodInSeconds", 120}}}}}}}}}},
          {{"name", "Sheet"},
           {"dependencies", {{{"dependsOn", "Simulate"}}}},
           {"script",
            {{"actions",
              {{"onRun",
                {{"command", "{{Param.Purl}}"}, {"args", arguments("--finish", "")}}}}}}}}}}};
    writeText(out + "/wedge.template.json", j.dump(2) + "\n");
    std::printf("%s\n", (out + "/wedge.template.json").c_str());
}

} // namespace purl::cli
