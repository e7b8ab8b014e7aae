// convscope program: a whole CUDA program with its main(), run on the simulated GPU with every check on.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/own_file.h"
#include "app/cli/run_user_file.h"
#include "app/cli/subcommand.h"
#include "app/program/program_run.h"
#include "app/request/numbers.h"
#include "kernels/core/device_model.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/files/text_file.h"

namespace convscope::cli {
namespace {

constexpr double most_seconds = 86400;

constexpr Flag program_flags[] = {
    {"--define", "NAME[=VALUE]", "for the compiler; may be repeated", true},
    {"--gpu", "MODEL", "what the program is told that the GPU is: A100, RTX 4090, ... (H100)"},
    {"--timeout", "SECONDS", "the program is ended after this time (60)"},
    {"--json", "FILE", "all launches with their counts, all findings"},
};

std::string model_of(const FlagValues& flags) {
    if (!flags.has("--gpu")) return default_device_model().name;
    std::string names;
    for (const DeviceModel& model : device_models()) {
        if (model.name == flags.get("--gpu")) return model.name;
        names += (names.empty() ? "" : ", ") + model.name;
    }
    throw Error(ErrorKind::usage,
                fmt::format("--gpu: '{}' is not accepted; give one of {}", flags.get("--gpu"), names));
}

/// Prints what came of it; the exit status.
int report(const std::string& name, const app::ProgramRun& run) {
    for (const std::string& note : run.notes) say("convscope: {}\n", note);
    for (const app::ProgramFinding& finding : run.findings) say("{}\n", finding.line());
    for (const std::string& failure : run.failures) say("convscope: {}\n", failure);
    say("convscope: {} {}\n", name, run.summary());
    const auto endless = [](const app::ProgramFinding& finding) { return finding.kind == "endless"; };
    if (!run.end.failure.empty() || !run.failures.empty() || std::ranges::any_of(run.findings, endless))
        return static_cast<int>(ErrorKind::failed);
    if (!run.findings.empty()) return static_cast<int>(ErrorKind::wrong);
    const bool well = run.end.signal == 0 && run.end.status == 0;
    return well ? 0 : static_cast<int>(ErrorKind::failed);
}

int run_program_file(const std::string& file, const FlagValues& flags, const std::vector<std::string>& arguments) {
    if (file.empty())
        throw Error(ErrorKind::usage, "program needs a file: convscope program FILE.cu|PROGRAM [-- ARGUMENTS]");
    app::ProgramRequest request;
    request.file = file;
    request.arguments = arguments;
    request.defines = flags.all("--define");
    request.model = model_of(flags);
    request.counts = flags.has("--json");
    if (flags.has("--timeout"))
        request.max_seconds = parse_real("--timeout", flags.get("--timeout"), 0.001, most_seconds);
    const GivenFile output{"--json", flags.get_or("--json", "")};
    require_own_files({output}, {{"the program", file}});
    require_json_or_nothing(output);
    require_no_records(output);
    if (!output.path.empty()) require_writable(output.path);
    return run_user_file(file, "stopping the program", [&](const std::stop_token& stop) {
        const app::ProgramRun run = app::run_program(request, stop);
        const int status = report(file, run);
        if (!output.path.empty()) write_text_file(output.path, app::json_of(request, run).dump(2) + "\n");
        return status;
    });
}

}  // namespace

Command add_program(CLI::App& program, std::vector<std::string> arguments) {
    Subcommand command(program, "program",
                       "a whole CUDA program with its main(): on the CPU, every access and every call checked");
    auto flags = std::make_shared<FlagValues>();
    auto file = std::make_shared<std::string>();
    command.option("FILE", *file, "FILE",
                   "FILE.cu, or a program linked with the shared CUDA runtime; its own arguments follow '--'");
    command.flags(*flags, program_flags);
    return command.runs(
        [flags, file, arguments = std::move(arguments)] { return run_program_file(*file, *flags, arguments); });
}

}  // namespace convscope::cli
