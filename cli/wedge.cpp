#include "cli/wedge.h"

#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/sequence.h"
#include "cli/signals.h"
#include "purl/base/error.h"
#include "purl/io/atomic_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace purl::cli {

namespace {

std::vector<std::string> commandOf(const Variant& v, const std::string& progress) {
    std::vector<std::string> a = {ownPath()};
    a.insert(a.end(), v.sim.begin(), v.sim.end());
    a.push_back("--progress=" + progress);
    return a;
}

std::vector<char*> argvOf(std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    return argv;
}

// What each variant prints is in a log of its own: bars of several would write over each other.
pid_t start(const Variant& v) {
    std::vector<std::string> words = commandOf(v, "auto");
    std::vector<char*> argv = argvOf(words);
    const std::string log = v.folder + "/log.txt";
    makeFolderOf(log);
    const pid_t pid = fork();
    if (pid < 0) throw Error("purl sim", "cannot be started: too many processes");
    if (pid > 0) return pid;
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file >= 0) {
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
    }
    execv(argv[0], argv.data());
    _exit(127);
}

// The worst of several codes: a failure before a stop, a stop before success.
int worse(int a, int b) {
    const auto rank = [](int c) { return c == Ok ? 0 : c == Stopped || c == Interrupted ? 1 : 2; };
    return rank(b) > rank(a) ? b : a;
}

int runHere(const WedgeFlags& f, const WedgePlan& plan) {
    catchStop();
    std::map<pid_t, const Variant*> running;
    std::size_t next = 0;
    int code = Ok, done = 0;
    const int total = static_cast<int>(plan.variants.size());
    bool told = false;
    while (next < plan.variants.size() || !running.empty()) {
        while (!interruptAsked() && next < plan.variants.size() &&
               static_cast<int>(running.size()) < std::max(1, f.jobs)) {
            const Variant& v = plan.variants[next++];
            running[start(v)] = &v;
        }
        if (interruptAsked() && !told) {
            for (const auto& [pid, v] : running) kill(pid, SIGTERM);
            next = plan.variants.size();
            told = true;
        }
        int status = 0;
        const pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0) {
            usleep(50000);
            continue;
        }
        const auto it = running.find(pid);
        if (it == running.end()) continue;
        const int own = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        ++done;
        if (f.progress == "alf")
            std::printf("ALF_PROGRESS %d%%\n", 100 * done / total);
        else if (f.progress == "openjd")
            std::printf("openjd_progress: %d\n", 100 * done / total);
        else if (f.progress != "none")
            std::printf("%d of %d: %s: %s\n", done, total, it->second->label.c_str(),
                        own == Ok ? "done"
                                  : ("exit " + std::to_string(own) + ", see " + it->second->folder +
                                     "/log.txt")
                                        .c_str());
        std::fflush(stdout);
        code = worse(code, own);
        running.erase(it);
    }
    if (interruptAsked()) return stopAsked() ? Stopped : Interrupted;
    return code;
}

void writePlan(const WedgeFlags& f, const WedgePlan& plan) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Variant& v : plan.variants)
        list.push_back(
            {{"variant", v.index}, {"label", v.label}, {"folder", v.folder}, {"arguments", v.sim}});
    const std::string text =
        nlohmann::ordered_json{
            {"purl", PURL_VERSION}, {"scene", f.scene}, {"vary", f.vary}, {"variants", list}}
            .dump(2) +
        "\n";
    makeFolderOf(f.out + "/wedge.json");
    writeFileAtomically(f.out + "/wedge.json", text.data(), text.size());
}

int wedge(const WedgeFlags& f) {
    if (f.scene.empty()) throw CLI::RequiredError("SCENE.json");
    const WedgePlan plan = planWedge(f);
    const int count = static_cast<int>(plan.variants.size());
    if (f.index != 0) {
        if (f.index < 1 || f.index > count)
            throw Error("--index", "is " + std::to_string(f.index) + ", expected 1 to " +
                                       std::to_string(count));
        // This process becomes the simulation: a manager's signals and exit codes go straight.
        std::vector<std::string> words = commandOf(plan.variants[f.index - 1], f.progress);
        std::vector<char*> argv = argvOf(words);
        execv(argv[0], argv.data());
        throw Error(argv[0], "cannot be started");
    }
    if (f.finish) {
        finishWedge(f, plan);
        std::printf("%s/sheet.png, table.md, table.csv\n", f.out.c_str());
        return Ok;
    }
    writePlan(f, plan);
    if (f.engine == "slurm") return wedgeBySlurm(f, plan);
    if (f.engine == "openjd") {
        writeOpenJd(f, plan);
        return Ok;
    }
    const int code = runHere(f, plan);
    if (code != Stopped && code != Interrupted) {
        finishWedge(f, plan);
        if (f.progress != "none") std::printf("%s/sheet.png, table.md, table.csv\n", f.out.c_str());
    }
    return code;
}

} // namespace

void addWedge(CLI::App& app, int& exit) {
    auto f = std::make_shared<WedgeFlags>();
    CLI::App* c = app.add_subcommand(
        "wedge", "Simulate a scene with all combinations of some parameters, side by side");
    c->add_option("scene", f->scene, "Scene file (JSON)")->required()->type_name("SCENE.json");
    c->add_option("--vary", f->vary,
                  "A flag of purl sim and its values (friction=0.1,0.3), or a place in the scene\n"
                  "(contact/friction=0.1,0.3); vectors with semicolons between. May be repeated")
        ->required()
        ->type_name("NAME=A,B,...")
        ->allow_extra_args(false);
    c->add_option("-o,--out", f->out, "Folder for everything (wedge)")->type_name("DIR");
    c->add_option("--frames", f->frames, "As in purl sim; else the scene's")->type_name("A-B");
    c->add_option("--engine", f->engine,
                  "local, slurm (submits an array job) or openjd (writes a "
                  "template) (local)")
        ->check(CLI::IsMember({"local", "slurm", "openjd"}));
    c->add_option("--jobs", f->jobs, "Variants at a time, here (1)")->check(CLI::Range(1, 1024));
    c->add_option("--threads", f->threads, "Of each variant; 0 takes all (0)");
    c->add_option("--checkpoint-every", f->every, "As in purl sim (5m)")->type_name("N|T");
    c->add_option("--progress", f->progress, "auto, alf, openjd or none")
        ->check(CLI::IsMember({"auto", "bar", "alf", "openjd", "none"}));
    c->add_option("--width", f->width, "Pixels of a picture on the sheet (400)")
        ->check(CLI::Range(16, 4096));
    c->add_option("--sbatch", f->sbatch, "More flags for sbatch: '-p farm -c 4 --mem 4G'")
        ->type_name("FLAGS");
    c->add_flag("--wait", f->wait, "With slurm: until the sheet is there");
    c->add_option("--index", f->index, "Run this variant only: a task of an array job");
    c->add_flag("--finish", f->finish, "Only the sheet and the table of what is there");
    c->add_option("more", f->extra, "After --: flags of purl sim for all variants")
        ->type_name("-- FLAGS");
    c->footer("Examples:\n"
              "  purl wedge scene.json --vary friction=0.1,0.3,0.5 --vary tau=0.01,0.04 --jobs 2\n"
              "  purl wedge scene.json --vary contact/friction=0.1,0.5 --engine slurm "
              "--sbatch '-c 4'\n\n"
              "The same command again goes on where it was stopped. Sheet.png has a row for each\n"
              "value of the first parameter; table.md and table.csv have the figures.");
    c->callback([f, &exit] { exit = wedge(*f); });
}

} // namespace purl::cli
