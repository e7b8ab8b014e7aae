#include "app/user_kernel/kernel_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "app/program/built_program.h"
#include "app/user_kernel/argument_name.h"
#include "app/user_kernel/compiled_kernel.h"
#include "app/user_kernel/recorded_kernel.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/ptx/toolchain/compile.h"
#include "kernels/simt/kernel_sources.h"

namespace convscope::app {
namespace {

constexpr std::int64_t max_warp_instructions = 50'000'000;  ///< a student waits; the command line waits longer

/// A number that ends with a ':' at 'at', which moves behind it; 0: there is none.
unsigned take_number(const std::string& text, std::size_t& at) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != ':') return 0;
    at = static_cast<std::size_t>(end - text.data()) + 1;
    return number;
}

std::unique_ptr<PreparedKernel> prepare(KernelCheckResult& check, const std::stop_token& stop) {
    std::vector<EntryName> names;
    std::shared_ptr<UserKernel> kernel;
    try {
        kernel = open_kernel(check.call, check.source, stop, &names);
    } catch (...) {
        for (const EntryName& name : names) check.entries.push_back(name.shown);
        throw;
    }
    for (const EntryName& name : names) check.entries.push_back(name.shown);
    if (!is_convolution(kernel->text)) check.call.layer.reset();
    // A value typed for a parameter that is gone says nothing about the kernel as it is.
    std::erase_if(check.call.given, [&](const auto& each) { return !takes_argument(kernel->text, each.first); });
    return prepare_kernel(kernel, check.call, stop);
}

void launch_it(KernelCheckResult& check, const KernelCheckRequest& request, const std::stop_token& stop) {
    ptx::LaunchRequest launch = check.prepared->request();
    launch.counts = true;
    launch.trace = request.traced;
    launch.stop = stop;
    launch.max_seconds = request.max_seconds;
    launch.max_warp_instructions = max_warp_instructions;
    check.result = ptx::run(check.kernel().program, launch);
}

void run_it(KernelCheckResult& check, const KernelCheckRequest& request, const std::stop_token& stop) {
    launch_it(check, request, stop);
    if (check.result->failure.empty() && !check.result->cut_short) check.layer = check_layer(*check.prepared, stop);
    check.verdict = verdict(*check.result, check.layer ? check.layer->difference : "");
    if (!check.exercise) return;
    check.unsolved = check_exercise(*check.exercise, *check.prepared, *check.result, stop);
    if (check.verdict.empty() && !check.unsolved.empty()) check.verdict = "is not solved yet: " + check.unsolved;
}

/// The part of a request that a run of the program depends on.
KernelCheckRequest program_part(const KernelCheckRequest& request) {
    KernelCheckRequest part;
    part.call.file = request.call.file;
    part.call.given = request.call.given;
    part.call.defines = request.call.defines;
    part.saved = request.saved;
    part.run = request.run;
    part.max_seconds = request.max_seconds;
    return part;
}

/// From 1 on; 0: none.
std::size_t launch_to_show(const ProgramRun& run, std::size_t wanted) {
    if (wanted > 0 && wanted <= run.launches.size()) return wanted;
    for (const ProgramFinding& finding : run.findings)
        if (!finding.launches.empty()) return finding.launches.front() + 1;
    return run.launches.empty() ? 0 : 1;
}

void show_launch(KernelCheckResult& check, const KernelCheckRequest& request, const std::stop_token& stop) {
    check.launch = launch_to_show(*check.program, request.launch);
    if (check.launch == 0) return;
    const ProgramLaunch& launch = check.program->launches[check.launch - 1];
    check.launch_problem = launch.left_out;
    if (launch.kept.is_null()) return;
    try {
        check.prepared =
            prepare_recorded(read_recorded(launch.kept, check.program->memory), check.source, check.call.file.string());
        launch_it(check, request, stop);
        note_changes(*check.prepared->memory);
    } catch (const Error& error) {
        check.prepared.reset();
        check.launch_problem = error.what();
    }
}

void check_program(KernelCheckResult& check, const KernelCheckRequest& request, const std::stop_token& stop,
                   const KernelCheckResult* latest) {
    check.is_program = true;
    check.entries = ptx::kernel_names(check.source);
    check.entries.insert(check.entries.begin(), whole_program);
    if (!request.may_run) return;
    check.program_requested = program_part(request);
    if (latest && latest->program && latest->program_requested == check.program_requested) {
        check.program = latest->program;
    } else {
        ProgramRequest run;
        run.file = request.call.file;
        run.defines = request.call.defines;
        if (const auto given = request.call.given.find(program_words); given != request.call.given.end())
            run.arguments = words_in(given->second);
        run.counts = run.keep = true;
        run.max_seconds = request.max_seconds;
        check.program = std::make_shared<ProgramRun>(run_program(run, stop));
    }
    if (!check.program->clean()) check.verdict = check.program->summary();
    show_launch(check, request, stop);
}

/// A kernel of ours: its source is what the program carries, its arguments are what the method gives it.
void check_method(KernelCheckResult& check, const KernelCheckRequest& request, const std::stop_token& stop) {
    CompiledRun run = run_compiled(check.call, request.max_seconds, stop);
    check.entries = run.kernels;
    check.call.entry = run.kernels[run.chosen];
    if (const simt::KernelSource* source = simt::place_of_kernel(run.launch.kernel).source) {
        check.call.file = source->path;
        check.source = source->text;
    }
    check.prepared = prepare_compiled(std::move(run.launch));
    launch_it(check, request, stop);
    check.layer = LayerResult{run.error, run.tolerance, run.difference};
    check.verdict = verdict(*check.result, run.difference);
}

}  // namespace

bool KernelCheckRequest::operator==(const KernelCheckRequest& other) const {
    return call == other.call && saved == other.saved && run == other.run && traced.block == other.traced.block &&
           traced.warp == other.traced.warp && max_seconds == other.max_seconds && may_run == other.may_run &&
           launch == other.launch;
}

std::vector<SourceProblem> problems_in(const std::string& text, const std::filesystem::path& file) {
    std::vector<SourceProblem> problems;
    const std::string start = file.string() + ":";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        SourceProblem problem;
        std::size_t at = 0;
        if (line.starts_with(start)) {
            at = start.size();
            if ((problem.line = take_number(line, at)) != 0) problem.column = take_number(line, at);
            while (at < line.size() && line[at] == ' ') ++at;
        }
        problem.sentence = line.substr(at);
        if (!problem.sentence.empty()) problems.push_back(std::move(problem));
    }
    return problems;
}

unsigned KernelCheckResult::line_of(ptx::SourceLine at) const {
    const std::vector<std::string>& files = kernel().module.files;
    if (at.file == 0 || at.file >= files.size()) return 0;
    const std::string named = ptx::name_in_source(call.file.filename());
    return std::filesystem::path(files[at.file]).filename() == named ? at.line : 0;
}

std::map<unsigned, ptx::LineCounts> KernelCheckResult::lines() const {
    std::map<unsigned, ptx::LineCounts> lines;
    if (!result) return lines;
    for (const auto& [at, counts] : result->counts.by_line)
        if (const unsigned line = line_of(at)) lines[line] = counts;
    return lines;
}

std::shared_ptr<KernelCheckResult> check_kernel(const KernelCheckRequest& request, const std::stop_token& stop,
                                                const KernelCheckResult* latest) {
    auto check = std::make_shared<KernelCheckResult>();
    check->call = request.call;
    try {
        if (!request.call.method.empty()) {
            check_method(*check, request, stop);
            return check;
        }
        check->source = read_text_file(request.call.file, max_source_bytes);
        check->exercise = exercise_of(check->source);
        const bool has_a_main = !check->exercise && has_main(check->source);
        if (has_a_main && request.call.entry.empty()) {
            check_program(*check, request, stop, latest);
            return check;
        }
        check->prepared = prepare(*check, stop);
        if (has_a_main) check->entries.insert(check->entries.begin(), whole_program);
        if (!check->prepared->arguments.rejected()) run_it(*check, request, stop);
    } catch (const Error& error) {
        check->problems = problems_in(error.what(), request.call.file);
        if (check->entries.size() > 1 && request.call.entry.empty() && !check->is_program)
            check->problems = {{0, 0, "the file has several kernels: choose one"}};
    } catch (const std::bad_alloc&) {
        check->problems = {{0, 0, "the host's memory ran out; make the arrays smaller"}};
    }
    return check;
}

}  // namespace convscope::app
