#include "app/own_kernel/kernel_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "kernels/core/error.h"
#include "kernels/core/text_file.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_source_bytes = 1 << 20;
constexpr std::int64_t max_warp_instructions = 50'000'000;  ///< a student waits; the command line waits longer

/// A number that ends with a ':' at 'at', which moves behind it; 0: there is none.
unsigned take_number(const std::string& text, std::size_t& at) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error != std::errc() || end == text.data() + text.size() || *end != ':') return 0;
    at = static_cast<std::size_t>(end - text.data()) + 1;
    return number;
}

std::unique_ptr<PreparedKernel> prepare(KernelLook& look, const std::stop_token& stop) {
    std::vector<EntryName> names;
    std::shared_ptr<OwnKernel> kernel;
    try {
        kernel = open_kernel(look.call, look.source, stop, &names);
    } catch (...) {
        for (const EntryName& name : names) look.entries.push_back(name.shown);
        throw;
    }
    for (const EntryName& name : names) look.entries.push_back(name.shown);
    if (!is_convolution(kernel->text)) look.call.layer.reset();
    // What was typed for a parameter that is no more says nothing of the kernel as it is.
    std::erase_if(look.call.given, [&](const auto& each) { return !takes_argument(kernel->text, each.first); });
    return prepare_kernel(kernel, look.call);
}

void run_it(KernelLook& look, const LookRequest& request, const std::stop_token& stop) {
    ptx::LaunchRequest launch = look.prepared->request();
    launch.figures = true;
    launch.trace = request.traced;
    launch.stop = stop;
    launch.max_seconds = request.max_seconds;
    launch.max_warp_instructions = max_warp_instructions;
    look.result = ptx::run(look.kernel().program, launch);
    if (look.result->failure.empty() && !look.result->cut_short) look.layer = check_layer(*look.prepared, stop);
    look.verdict = verdict(*look.result, look.layer ? look.layer->difference : "");
    if (!look.exercise) return;
    look.unsolved = check_exercise(*look.exercise, *look.prepared, *look.result, stop);
    if (look.verdict.empty() && !look.unsolved.empty()) look.verdict = "is not solved yet: " + look.unsolved;
}

}  // namespace

bool LookRequest::operator==(const LookRequest& other) const {
    return call == other.call && saved == other.saved && run == other.run && traced.block == other.traced.block &&
           traced.warp == other.traced.warp && max_seconds == other.max_seconds;
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

unsigned KernelLook::line_of(ptx::SourceLine at) const {
    const std::vector<std::string>& files = kernel().module.files;
    if (at.file == 0 || at.file >= files.size()) return 0;
    return std::filesystem::path(files[at.file]).filename() == call.file.filename() ? at.line : 0;
}

std::map<unsigned, ptx::LineFigures> KernelLook::lines() const {
    std::map<unsigned, ptx::LineFigures> lines;
    if (!result) return lines;
    for (const auto& [at, figures] : result->figures.by_line)
        if (const unsigned line = line_of(at)) lines[line] = figures;
    return lines;
}

std::shared_ptr<KernelLook> look_at_kernel(const LookRequest& request, const std::stop_token& stop) {
    auto look = std::make_shared<KernelLook>();
    look->call = request.call;
    try {
        look->source = read_text_file(request.call.file, max_source_bytes);
        look->exercise = exercise_of(look->source);
        look->prepared = prepare(*look, stop);
        if (!look->prepared->arguments.rejected()) run_it(*look, request, stop);
    } catch (const Error& error) {
        look->problems = problems_in(error.what(), request.call.file);
        if (look->entries.size() > 1 && request.call.entry.empty())
            look->problems = {{0, 0, "the file has several kernels: choose one"}};
    } catch (const std::bad_alloc&) {
        look->problems = {{0, 0, "the host's memory ran out; make the arrays smaller"}};
    }
    return look;
}

}  // namespace convscope::app
