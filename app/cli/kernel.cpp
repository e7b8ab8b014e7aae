// convscope kernel: a user's own CUDA kernel, run on the simulated GPU with every check on, or on a real one.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "app/cli/kernel_against.h"
#include "app/cli/kernel_gpu.h"
#include "app/cli/kernel_json.h"
#include "app/cli/load_workload.h"
#include "app/cli/own_file.h"
#include "app/cli/run_user_file.h"
#include "app/cli/status_line.h"
#include "app/cli/subcommand.h"
#include "app/request/numbers.h"
#include "app/request/request.h"
#include "app/user_kernel/difference.h"
#include "app/user_kernel/exercise.h"
#include "app/user_kernel/prepared_kernel.h"
#include "app/user_kernel/register_limit.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/core/text.h"
#include "kernels/files/text_file.h"
#include "kernels/ptx/toolchain/compile.h"

namespace convscope::cli {
namespace {

constexpr Flag kernel_flags[] = {
    {"--entry", "NAME", "the kernel, where the file has several"},
    {"--grid", "X[,Y[,Z]]", "blocks; expressions of the layer's fields are accepted"},
    {"--block", "X[,Y[,Z]]", "threads of a block"},
    {"--shared", "BYTES", "dynamic shared memory (0)"},
    {"--cluster", "X[,Y[,Z]]", "blocks of a cluster (as the kernel says)"},
    {"--define", "NAME[=VALUE[,VALUE]...]", "for the compiler; may be repeated; several values on a GPU alone", true},
    {"--arg", "NAME=VALUE|FILE.npy|...", "a parameter's value, or its array: also random(SIZE,...); may be repeated",
     true},
    {"--out", "NAME=DIMxDIM...[:TYPE]", "an array that nobody has written yet; may be repeated", true},
    {"--save", "NAME=FILE.npy", "keeps an array as the kernel left it; may be repeated", true},
    {"--expect", "NAME=FILE.npy", "what an array has to be; may be repeated", true},
    {"--against", "OTHER.cu[:NAME]", "another kernel, which has to write the same"},
    {"--json", "FILE", "launch, findings and counts; on a GPU the measurements"},
    {"--sass", "FILE", "runs nothing: what ptxas and nvdisasm of a CUDA toolkit make of the kernel, by source lines"},
    {"--csv", "FILE", "counts, a row for each line of the source; on a GPU the measurements of a layer"},
};

/// The values of a flag that is repeated, "NAME=VALUE". Throws Error(usage) for one without a '=' or twice the same
/// name.
std::map<std::string, std::string> named_values(const FlagValues& flags, const std::string& flag) {
    std::map<std::string, std::string> values;
    for (const std::string& text : flags.all(flag)) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not accepted; give NAME=VALUE", flag, text));
        if (!values.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
            throw Error(ErrorKind::usage, fmt::format("{}: {} is given twice", flag, text.substr(0, equals)));
    }
    return values;
}

/// DIMxDIM...[:TYPE] as the comment has it: "out(DIM, DIM, TYPE)".
std::string out_array(const std::string& name, const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    if (parts.empty() || parts.size() > 2)
        throw Error(ErrorKind::usage,
                    fmt::format("--out {}: '{}' is not accepted; give DIMxDIM...[:TYPE]", name, text));
    if (parts.size() == 2) app::require_array_type("--out " + name, parts[1]);
    const std::string type = parts.size() == 2 ? ", " + parts[1] : "";
    return fmt::format("out({}{})", fmt::join(split(parts[0], 'x'), ", "), type);
}

/// Whether a layer is given at all: a kernel need not be a convolution.
bool wants_workload(const FlagValues& flags) {
    if (flags.has("--preset") || flags.has("--h") || flags.has("--input")) return true;
    for (const auto list : {workload_flags(), data_file_flags()})
        for (const Flag& flag : list)
            if (flags.has(flag.name) && std::string("--device") != flag.name)
                throw Error(ErrorKind::usage,
                            fmt::format("{} is of a layer, and no layer is given: give --preset, --h or --input, too",
                                        flag.name));
    return false;
}

app::KernelCall call_of(const std::string& file, const FlagValues& flags, const std::string& architecture) {
    app::KernelCall call;
    call.file = file;
    call.architecture = architecture;
    call.entry = flags.get_or("--entry", "");
    call.defines = flags.all("--define");
    for (const std::string_view what : app::launch_names)
        if (const std::string flag = fmt::format("--{}", what); flags.has(flag))
            call.given[std::string(what)] = flags.get(flag);
    call.given.merge(named_values(flags, "--arg"));
    for (const auto& [name, text] : named_values(flags, "--out"))
        if (!call.given.emplace(name, out_array(name, text)).second)
            throw Error(ErrorKind::usage, fmt::format("'{}' is given by --arg and by --out; give one of them", name));
    if (wants_workload(flags)) call.layer = read_workload(flags);
    return call;
}

/// "" or what is wrong with y.
std::string layer_difference(const app::PreparedKernel& prepared, const std::stop_token& stop) {
    const std::optional<app::LayerResult> result = app::check_layer(prepared, stop);
    if (!result) return {};
    fmt::print("{}: error {:.1e} (tolerance {:.1e})\n", to_string(prepared.layer->spec.shape), result->error,
               result->tolerance);
    return result->difference;
}

using Expected = std::map<std::string, NpyBytes>;  ///< by the array's name

/// Read before the kernel runs: a file that cannot be read should not cost a run, and hide what it found.
Expected read_expected(const FlagValues& flags) {
    Expected expected;
    for (const auto& [name, file] : named_values(flags, "--expect")) expected.emplace(name, read_npy_bytes(file));
    return expected;
}

std::string expected_difference(const Expected& expected, const app::KernelArguments& arguments) {
    std::string all;
    for (const auto& [name, array] : expected) {
        const std::string difference = app::difference_to(name, arguments.arrays.at(name).array, array);
        if (!difference.empty()) all += (all.empty() ? "" : "; ") + difference;
    }
    return all;
}

std::vector<GivenFile> given_outputs(const FlagValues& flags) {
    std::vector<GivenFile> outputs;
    for (const auto& [name, path] : named_values(flags, "--save")) outputs.push_back({"--save", path});
    for (const char* flag : {"--json", "--csv", "--sass"})
        if (flags.has(flag)) outputs.push_back({flag, flags.get(flag)});
    return outputs;
}

bool is_saved_where_it_came_from(const FlagValues& flags, const std::string& name, const std::filesystem::path& file) {
    const auto saved = named_values(flags, "--save");
    const auto same = saved.find(name);
    std::error_code none;
    return same != saved.end() && std::filesystem::equivalent(same->second, file, none);
}

/// Before the kernel runs: what is written can be, and replaces none of its arrays' files.
void require_outputs(const FlagValues& flags, const app::KernelArguments& arguments) {
    for (const char* flag : {"--save", "--expect"})
        for (const auto& [name, file] : named_values(flags, flag))
            if (!arguments.arrays.contains(name))
                throw Error(ErrorKind::usage, fmt::format("{}: the kernel has no array '{}'", flag, name));
    const std::vector<GivenFile> outputs = given_outputs(flags);
    std::vector<GivenFile> inputs;
    // Those that flags name were compared before anything was read; these stand in the kernel's comment.
    for (const auto& [name, array] : arguments.arrays)
        if (!array.file.empty() && !is_saved_where_it_came_from(flags, name, array.file))
            inputs.push_back({"the array " + name, array.file.string()});
    require_own_files(outputs, inputs);
    for (const GivenFile& output : outputs) require_writable(output.path);
}

bool is_simulated(const FlagValues& flags) {
    return flags.get_or("--device", "sim") == "sim";
}

/// Rejects outputs that would replace a file that is read, or measurements.
void require_own_outputs(const std::string& file, const FlagValues& flags) {
    const std::vector<GivenFile> outputs = given_outputs(flags);
    std::vector<GivenFile> inputs{{"the kernel", file}};
    const auto saved = named_values(flags, "--save");
    // An array may be saved where it came from.
    for (const auto& [name, path] : named_values(flags, "--arg")) {
        const auto same = saved.find(name);
        if (path.ends_with(".npy") && (same == saved.end() || same->second != path)) inputs.push_back({"--arg", path});
    }
    for (const auto& [name, path] : named_values(flags, "--expect")) inputs.push_back({"--expect", path});
    if (flags.has("--against")) inputs.push_back({"--against", flags.get("--against")});
    for (const char* flag : {"--input", "--weights"})
        if (flags.has(flag)) inputs.push_back({flag, flags.get(flag)});
    require_own_files(outputs, inputs);
    require_json_or_nothing({"--json", flags.get_or("--json", "")});
    const bool adds_records = !is_simulated(flags);
    for (const GivenFile& output : outputs)
        if (!adds_records || output.what == "--save" || output.what == "--sass") require_no_records(output);
}

void write_reports(const FlagValues& flags, const app::UserKernel& kernel, const ptx::LaunchRequest& request,
                   const ptx::LaunchResult& result, const std::string& difference) {
    if (flags.has("--json"))
        write_text_file(flags.get("--json"),
                        kernel_json(kernel.program, kernel.text.name, request, result, difference));
    if (flags.has("--csv")) write_text_file(flags.get("--csv"), kernel_csv(kernel.module, result.counts));
}

/// The time limit of a run on the simulated GPU, in seconds.
double max_seconds_of(const FlagValues& flags) {
    constexpr double most = 86400;
    return flags.has("--timeout") ? parse_real("--timeout", flags.get("--timeout"), 0.001, most)
                                  : ptx::LaunchRequest().max_seconds;
}

/// Prints what came of it; the exit status of a run that was right.
int report(const std::string& name, const ptx::LaunchResult& result, const std::string& difference) {
    const std::string wrong = app::verdict(result, difference);
    if (wrong.empty()) {
        fmt::print("{}: done, nothing found\n", name);
        return 0;
    }
    if (!result.failure.empty())
        throw Error(ErrorKind::failed, result.failure + (result.reached ? "; --timeout gives it longer" : ""));
    const bool endless =
        std::ranges::find(result.findings, ptx::FindingKind::endless, &ptx::Finding::kind) != result.findings.end();
    throw Error(endless ? ErrorKind::failed : ErrorKind::wrong, fmt::format("{} {}", name, wrong));
}

/// With the first hint; further ones give more away, and are in the app. Returns the exit status.
int report_exercise(const app::Exercise& exercise, const std::string& unsolved) {
    if (unsolved.empty()) {
        fmt::print("{}: solved\n", exercise.id);
        return 0;
    }
    say("convscope: {} is not solved yet: {}\n", exercise.id, unsolved);
    say("hint: {}\n", exercise.hints.front());
    return static_cast<int>(ErrorKind::wrong);
}

std::unique_ptr<app::PreparedKernel> prepare(const app::KernelCall& call, const std::string& source,
                                             const std::stop_token& stop) {
    auto prepared = app::prepare_kernel(app::open_kernel(call, source, stop), call, stop);
    if (const app::ArgumentState* rejected = prepared->arguments.rejected())
        throw Error(rejected->kind, rejected->reason);
    for (const std::string& note : prepared->arguments.notes) say("convscope: {}\n", note);
    return prepared;
}

/// Saves the results of a finished run as requested. Returns "", or how they differ from those expected.
std::string take_results(const FlagValues& flags, const Expected& expected, const app::PreparedKernel& prepared,
                         const app::KernelCall& call, const RunKernel& run_other, const std::stop_token& stop) {
    for (const auto& [name, path] : named_values(flags, "--save"))
        write_npy_bytes(path, prepared.arguments.arrays.at(name).array);
    std::string difference = expected_difference(expected, prepared.arguments);
    const auto add = [&](const std::string& wrong) {
        if (!wrong.empty()) difference += (difference.empty() ? "" : "; ") + wrong;
    };
    add(layer_difference(prepared, stop));
    if (flags.has("--against")) add(difference_to_other(prepared, call, flags.get("--against"), run_other, stop));
    return difference;
}

int check_file(const std::string& file, const FlagValues& flags, const std::stop_token& stop) {
    const std::string source = read_text_file(file);
    const std::optional<app::Exercise> exercise = app::exercise_of(source);
    const app::KernelCall call = call_of(file, flags, "");
    const double max_seconds = max_seconds_of(flags);
    for (const Flag& flag : timing_flags())
        if (flags.has(flag.name) && std::string_view(flag.name) != "--timeout")
            throw Error(ErrorKind::usage,
                        fmt::format("{} is of a measurement, and sim has no clock; give --device cuda:0", flag.name));
    if (app::variants_of(call).size() > 1)
        throw Error(ErrorKind::usage,
                    "--define gives several values, which are measured on a GPU: give --device cuda:0");
    const auto prepared = prepare(call, source, stop);
    if (prepared->layer) note_unusual_data(*prepared->layer);
    const auto& kernel = prepared->kernel;
    require_outputs(flags, prepared->arguments);
    const Expected expected = read_expected(flags);
    ptx::LaunchRequest request = prepared->request();
    app::require_registers(*prepared, stop);
    request.counts = flags.has("--json") || flags.has("--csv") || exercise;
    request.stop = stop;
    request.max_seconds = max_seconds;
    StatusLine line;
    line.show(fmt::format("running {}, for up to {:g} s", kernel->text.name, max_seconds));
    const ptx::LaunchResult result = ptx::run(kernel->program, request);
    line.clear();

    fmt::print("{}", result.printed);
    for (const ptx::Finding& finding : result.findings) say("{}\n", finding.line(kernel->module));
    for (const std::string& note : result.notes) say("convscope: {}\n", note);
    std::string difference;
    if (result.cut_short) {
        say("convscope: {} was ended after {} findings\n", kernel->text.name, ptx::FindingList::max_times);
    } else if (result.failure.empty()) {
        const auto run_other = [&](app::PreparedKernel& other, const app::KernelCall&) {
            ptx::LaunchRequest other_request = other.request();
            other_request.stop = stop;
            other_request.max_seconds = max_seconds;
            const ptx::LaunchResult of_other = ptx::run(other.kernel->program, other_request);
            for (const ptx::Finding& finding : of_other.findings) say("{}\n", finding.line(other.kernel->module));
            if (const std::string wrong = app::verdict(of_other, ""); !wrong.empty())
                throw Error(of_other.failure.empty() ? ErrorKind::wrong : ErrorKind::failed,
                            fmt::format("{} {}", other.kernel->text.name, wrong));
        };
        difference = take_results(flags, expected, *prepared, call, run_other, stop);
    }
    if (difference.empty() && !exercise)
        for (const ptx::UnwrittenElements& each : result.unwritten) say("convscope: {}\n", each.text());
    if (!stop.stop_requested()) write_reports(flags, *kernel, request, result, difference);
    if (exercise && result.failure.empty())
        return report_exercise(*exercise, app::check_exercise(*exercise, *prepared, result, stop));
    return report(kernel->text.name, result, difference);
}

/// Each is checked where it is measured.
int time_variants(const std::vector<app::KernelCall>& calls, const std::string& source, const FlagValues& flags,
                  const GpuTiming& gpu, const std::stop_token& stop) {
    for (const char* flag : {"--save", "--expect", "--against"})
        if (flags.has(flag))
            throw Error(ErrorKind::usage,
                        fmt::format("{} is of one kernel, and --define gives {} variants", flag, calls.size()));
    std::vector<UserLaunch> launches;
    StatusLine line;
    for (const app::KernelCall& call : calls) {
        line.show(fmt::format("compiling variant {} of {}", launches.size() + 1, calls.size()));
        const auto prepared = prepare(call, source, stop);
        if (!app::computes_layer(*prepared))
            throw Error(ErrorKind::usage,
                        "--define gives several values, which are measured where the kernel computes the layer from "
                        "the layer's own x and w");
        if (launches.empty()) {
            line.clear();
            note_unusual_data(*prepared->layer);
        }
        launches.push_back(app::user_launch(*prepared, call));
    }
    line.clear();
    return gpu.measure_layer(*calls.front().layer, std::move(launches), stop);
}

int time_file(const std::string& file, const FlagValues& flags, const std::stop_token& stop) {
    GpuTiming gpu(flags);
    const app::KernelCall call = call_of(file, flags, gpu.architecture());
    const std::string source = read_text_file(file);
    const std::vector<app::KernelCall> variants = app::variants_of(call);
    if (variants.size() > 1) return time_variants(variants, source, flags, gpu, stop);
    const auto prepared = prepare(call, source, stop);
    if (prepared->layer) note_unusual_data(*prepared->layer);
    require_outputs(flags, prepared->arguments);
    const Expected expected = read_expected(flags);
    gpu.run(*prepared, call, stop);
    const auto run_other = [&](app::PreparedKernel& other, const app::KernelCall& of) {
        gpu.run_once(other, of, stop);
    };
    const std::string difference = take_results(flags, expected, *prepared, call, run_other, stop);
    if (!difference.empty())
        throw Error(ErrorKind::wrong, fmt::format("{} is wrong: {}", prepared->kernel->text.name, difference));
    return gpu.measure(*prepared, stop);
}

/// "conv.cu:7     00a0  LDG.E R2, [R2.64] ;"
std::string sass_text(const std::vector<ptx::SassLine>& lines) {
    std::vector<std::string> places;
    std::size_t width = 0;
    for (const ptx::SassLine& line : lines) {
        places.push_back(line.places.empty()
                             ? ""
                             : fmt::format("{}:{}", std::filesystem::path(line.places.front().file).filename().string(),
                                           line.places.front().line));
        width = std::max(width, places.back().size());
    }
    std::string text;
    for (std::size_t i = 0; i < lines.size(); ++i) text += fmt::format("{:<{}}  {}\n", places[i], width, lines[i].text);
    return text;
}

int disassemble_file(const std::string& file, const FlagValues& flags, const std::stop_token& stop) {
    if (const std::string missing = ptx::why_no_sass(); !missing.empty())
        throw Error(ErrorKind::not_found, "--sass: " + missing);
    const app::KernelCall call = call_of(file, flags, is_simulated(flags) ? "" : GpuTiming(flags).architecture());
    if (app::variants_of(call).size() > 1)
        throw Error(ErrorKind::usage, "--sass is of one kernel, and --define gives several variants");
    for (const char* flag : {"--expect", "--against", "--save", "--json", "--csv"})
        if (flags.has(flag))
            throw Error(ErrorKind::usage, fmt::format("--sass runs nothing, so {} has no result to take", flag));
    const auto kernel = app::open_kernel(call, read_text_file(file), stop);
    const auto assembled = ptx::assemble({kernel->ptx, kernel->symbol, call.architecture, true}, stop);
    if (!assembled || assembled->sass.empty())
        throw Error(ErrorKind::failed, fmt::format("{}: {} of the CUDA toolkit does not take it", kernel->text.name,
                                                   assembled ? "nvdisasm" : "ptxas"));
    write_text_file(flags.get("--sass"), sass_text(assembled->sass));
    fmt::print("{}: {}, {} registers, {} bytes of spills stored and {} loaded by each thread\n", kernel->text.name,
               assembled->target, assembled->registers, assembled->spill_stores, assembled->spill_loads);
    return 0;
}

int run_kernel(const std::string& file, const FlagValues& flags) {
    if (file.empty()) throw Error(ErrorKind::usage, "kernel needs a file: convscope kernel FILE.cu");
    require_own_outputs(file, flags);
    return run_user_file(file, "stopping the kernel", [&](const std::stop_token& stop) {
        if (flags.has("--sass")) return disassemble_file(file, flags, stop);
        return (is_simulated(flags) ? check_file : time_file)(file, flags, stop);
    });
}

}  // namespace

Command add_kernel(CLI::App& program) {
    Subcommand command(program, "kernel",
                       "a CUDA kernel of your own: on the CPU with every access checked, or timed on a GPU");
    auto flags = std::make_shared<FlagValues>();
    auto file = std::make_shared<std::string>();
    command.option("FILE", *file, "FILE.cu", "the source");
    command.flags(*flags, kernel_flags, "Kernel");
    command.flags(*flags, workload_flags(), "Workload");
    command.describe("--device", "sim, where every access is checked, or a GPU: cuda:0 (sim)");
    command.flags(*flags, data_file_flags(), "Workload");
    command.flags(*flags, timing_flags(), "Timing, on a GPU");
    command.describe("--timeout", "stop sampling after this time (5); on sim, end the kernel after this time (60)");
    return command.runs([flags, file] { return run_kernel(*file, *flags); });
}

}  // namespace convscope::cli
