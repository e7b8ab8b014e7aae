// convscope kernel: a user's own CUDA kernel, run on the simulated GPU with every check on.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/kernel_arguments.h"
#include "app/cli/kernel_expect.h"
#include "app/cli/kernel_json.h"
#include "app/cli/load_workload.h"
#include "app/cli/own_file.h"
#include "app/request/numbers.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/say.h"
#include "kernels/core/text_file.h"
#include "kernels/measure/verify.h"
#include "kernels/ptx/compile.h"
#include "kernels/reference/reference_result.h"

namespace convscope::cli {
namespace {

constexpr Flag kernel_flags[] = {
    {"--entry", "NAME", "the kernel, where the file has several"},
    {"--grid", "X[,Y[,Z]]", "blocks; expressions of the layer's fields are accepted"},
    {"--block", "X[,Y[,Z]]", "threads of a block"},
    {"--shared", "BYTES", "dynamic shared memory (0)"},
    {"--define", "NAME[=VALUE]", "for the compiler; may be repeated", true},
    {"--arg", "NAME=VALUE|FILE.npy", "a parameter's value, or what its array holds; may be repeated", true},
    {"--out", "NAME=DIMxDIM...[:TYPE]", "an array that nobody has written yet (float32); may be repeated", true},
    {"--save", "NAME=FILE.npy", "keeps an array as the kernel left it; may be repeated", true},
    {"--expect", "NAME=FILE.npy", "what an array has to be; may be repeated", true},
    {"--json", "FILE", "launch, findings and counts"},
};

/// A .cu file, compiled, with one kernel of it chosen.
struct OwnKernel {
    ptx::Module module;
    ptx::KernelText text;
    ptx::Program program;
};

/// "conv" of "_Z4convPKf" and of "void conv<3>(float const*)".
std::string base_name(const std::string& symbol) {
    std::string name = ptx::plain_name(symbol);
    name = name.substr(0, name.find('('));
    name = name.substr(0, name.find('<'));
    if (const std::size_t blank = name.rfind(' '); blank != std::string::npos) name = name.substr(blank + 1);
    if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) name = name.substr(colon + 1);
    return name;
}

const ptx::Function& choose_entry(const ptx::Module& module, const std::string& file, const std::string& wanted) {
    std::vector<const ptx::Function*> entries;
    std::vector<std::string> names;
    for (const ptx::Function& function : module.functions) {
        if (!function.entry) continue;
        names.push_back(base_name(function.name));
        if (wanted.empty() || names.back() == wanted || function.name == wanted ||
            ptx::plain_name(function.name) == wanted)
            entries.push_back(&function);
    }
    if (names.empty())
        throw Error(ErrorKind::usage, fmt::format("{} has no kernel: no __global__ function that is compiled", file));
    if (entries.empty())
        throw Error(ErrorKind::usage,
                    fmt::format("--entry: {} has no kernel '{}'; it has {}", file, wanted, fmt::join(names, ", ")));
    if (entries.size() > 1)
        throw Error(ErrorKind::usage,
                    fmt::format("{} has several kernels: give --entry with one of {}", file, fmt::join(names, ", ")));
    return *entries.front();
}

/// In place: the program points into the module.
void compile(OwnKernel& kernel, const std::string& file, const FlagValues& flags) {
    const std::string source = read_text_file(file);
    kernel.module = ptx::read_module(ptx::compile_to_ptx(file, flags.all("--define")), file + ".ptx");
    const ptx::Function& entry = choose_entry(kernel.module, file, flags.get_or("--entry", ""));
    const std::string name = base_name(entry.name);
    const std::optional<ptx::KernelText> text = ptx::read_kernel_text(source, file, name);
    if (!text)
        throw Error(ErrorKind::usage,
                    fmt::format("{}: the parameters of the kernel '{}' are not found in the file", file, name));
    kernel.text = *text;
    for (const auto& [key, value] : kernel.text.call)
        if (key != "grid" && key != "block" && key != "shared" &&
            std::ranges::find(kernel.text.parameters, key, &ptx::ParameterText::name) == kernel.text.parameters.end())
            throw Error(
                ErrorKind::usage,
                fmt::format("{}: the comment before {} gives '{}'; accepted are grid, block, shared and parameters",
                            file, name, key));
    kernel.program = ptx::make_program(kernel.module, entry);
}

/// From the flag, else from the comment; nothing where neither says it.
std::vector<std::int64_t> sizes(const FlagValues& flags, const ptx::KernelText& text, const std::string& what,
                                const ptx::Names& names) {
    std::vector<std::string> expressions;
    if (const std::string flag = "--" + what; flags.has(flag)) {
        std::string list = flags.get(flag);
        int depth = 0;
        expressions.emplace_back();
        for (const char c : list) {
            depth += (c == '(') - (c == ')');
            if (c == ',' && depth == 0)
                expressions.emplace_back();
            else
                expressions.back() += c;
        }
    } else if (const auto call = text.call.find(what); call != text.call.end()) {
        expressions = call->second;
    }
    std::vector<std::int64_t> values;
    for (const std::string& expression : expressions) values.push_back(ptx::evaluate(expression, names, what));
    return values;
}

Dim3 read_extent(const FlagValues& flags, const ptx::KernelText& text, const std::string& what,
                 const ptx::Names& names) {
    const std::vector<std::int64_t> values = sizes(flags, text, what, names);
    if (values.empty())
        throw Error(ErrorKind::usage, fmt::format("the {} is not known: give --{} X,Y,Z, or a comment before {}, '// "
                                                  "convscope: grid = (...), block = (...)'",
                                                  what, what, text.name));
    if (values.size() > 3)
        throw Error(ErrorKind::usage, fmt::format("the {} has {} sizes; accepted are 1 to 3", what, values.size()));
    return {values[0], values.size() > 1 ? values[1] : 1, values.size() > 2 ? values[2] : 1};
}

/// Whether a layer is given at all: a kernel need not be a convolution.
bool wants_workload(const FlagValues& flags) {
    return flags.has("--preset") || flags.has("--h") || flags.has("--input");
}

/// "" or what is wrong with y.
std::string check_layer(const Workload& workload, const KernelArguments& arguments) {
    if (arguments.output.empty()) return {};
    const ConvShape& shape = workload.spec.shape;
    Tensor y(shape.n, shape.k, shape.out_h(), shape.out_w());
    const NpyBytes& array = arguments.arrays.at(arguments.output).array;
    std::copy_n(reinterpret_cast<const float*>(array.data.data()), y.data.size(), y.data.begin());
    const ReferenceResult reference = reference_result(workload);
    const Verification result =
        verify(y, reference.y, reference.scale, shape, DType::f32, Summation::direct, reference.largest_scale);
    fmt::print("{}: error {:.1e} (tolerance {:.1e})\n", to_string(shape), result.max_rel_err, result.tolerance);
    return result.ok ? "" : result.reason;
}

std::string check_expected(const FlagValues& flags, const KernelArguments& arguments) {
    std::string all;
    for (const auto& [name, file] : named_values(flags, "--expect")) {
        const std::string difference = difference_to(name, arguments.arrays.at(name).array, read_npy_bytes(file));
        if (!difference.empty()) all += (all.empty() ? "" : "; ") + difference;
    }
    return all;
}

/// What --arg gave for x or w is what y is checked with.
void take(const KernelArguments& arguments, const std::string& name, Tensor& tensor) {
    if (name.empty()) return;
    const std::vector<std::byte>& data = arguments.arrays.at(name).array.data;
    std::memcpy(tensor.data.data(), data.data(), data.size());
}

void require_arrays(const FlagValues& flags, const KernelArguments& arguments) {
    for (const char* flag : {"--save", "--expect"})
        for (const auto& [name, file] : named_values(flags, flag))
            if (!arguments.arrays.contains(name))
                throw Error(ErrorKind::usage, fmt::format("{}: the kernel has no array '{}'", flag, name));
    for (const auto& [name, file] : named_values(flags, "--save")) require_writable(file);
    if (flags.has("--json")) require_writable(flags.get("--json"));
}

/// What is written replaces nothing that is read, and no measurements.
void require_own_outputs(const std::string& file, const FlagValues& flags) {
    std::vector<GivenFile> outputs, inputs{{"the kernel", file}};
    for (const auto& [name, path] : named_values(flags, "--save")) outputs.push_back({"--save", path});
    if (flags.has("--json")) outputs.push_back({"--json", flags.get("--json")});
    for (const auto& [name, path] : named_values(flags, "--expect")) inputs.push_back({"--expect", path});
    for (const char* flag : {"--input", "--weights"})
        if (flags.has(flag)) inputs.push_back({flag, flags.get(flag)});
    require_own_files(outputs, inputs);
    for (const GivenFile& output : outputs) require_no_records(output);
}

int run_kernel(const std::string& file, const FlagValues& flags) {
    if (file.empty()) throw Error(ErrorKind::usage, "kernel needs a file: convscope kernel FILE.cu");
    if (const std::string device = flags.get_or("--device", "sim"); device != "sim")
        throw Error(ErrorKind::not_found,
                    fmt::format("--device: a kernel of one's own runs on sim, not on '{}'", device));
    require_own_outputs(file, flags);
    std::optional<Workload> workload;
    ptx::Names names;
    if (wants_workload(flags)) {
        const WorkloadSpec spec = read_workload(flags);
        validate(spec.shape);
        workload = load_workload(spec, true);
        names = ptx::names_of(spec.shape);
    }
    OwnKernel kernel;
    compile(kernel, file, flags);
    const KernelArguments arguments =
        make_arguments(kernel.program, kernel.text, flags, workload ? &*workload : nullptr, names);
    require_arrays(flags, arguments);
    if (workload) {
        take(arguments, arguments.input, workload->x);
        take(arguments, arguments.weights, workload->w);
    }

    ptx::LaunchRequest request;
    request.grid = read_extent(flags, kernel.text, "grid", names);
    request.block = read_extent(flags, kernel.text, "block", names);
    for (const std::int64_t bytes : sizes(flags, kernel.text, "shared", names)) {
        if (bytes < 0)
            throw Error(ErrorKind::usage, fmt::format("shared: {} bytes is not accepted; give 0 or more", bytes));
        request.shared_bytes = static_cast<std::uint64_t>(bytes);
    }
    request.arguments = arguments.list;
    request.figures = flags.has("--json");
    const ptx::LaunchResult result = ptx::run(kernel.program, request);

    fmt::print("{}", result.printed);
    for (const ptx::Finding& finding : result.findings) say("{}\n", finding.line(kernel.module));
    std::string difference;
    if (result.cut_short) {
        say("convscope: {} was ended after {} findings\n", kernel.text.name, ptx::FindingList::max_times);
    } else if (result.failure.empty()) {
        for (const auto& [name, path] : named_values(flags, "--save"))
            write_npy_bytes(path, arguments.arrays.at(name).array);
        difference = check_expected(flags, arguments);
        if (const std::string wrong = workload ? check_layer(*workload, arguments) : ""; !wrong.empty())
            difference += (difference.empty() ? "" : "; ") + wrong;
    }
    if (flags.has("--json"))
        write_text_file(flags.get("--json"),
                        kernel_json(kernel.program, kernel.text.name, request, result, difference));
    if (!result.failure.empty()) throw Error(ErrorKind::failed, result.failure);
    if (std::ranges::find(result.findings, ptx::FindingKind::endless, &ptx::Finding::kind) != result.findings.end())
        throw Error(ErrorKind::failed, fmt::format("{} does not end", kernel.text.name));
    if (!difference.empty())
        throw Error(ErrorKind::wrong, fmt::format("{} is wrong: {}", kernel.text.name, difference));
    if (!result.findings.empty())
        throw Error(ErrorKind::wrong, fmt::format("{}: {} finding{}", kernel.text.name, result.findings.size(),
                                                  result.findings.size() == 1 ? "" : "s"));
    fmt::print("{}: done, nothing found\n", kernel.text.name);
    return 0;
}

}  // namespace

Command add_kernel(CLI::App& program) {
    CLI::App* app =
        program.add_subcommand("kernel", "a CUDA kernel of your own, run on the CPU with every access checked");
    auto flags = std::make_shared<FlagValues>();
    auto file = std::make_shared<std::string>();
    app->add_option("FILE", *file, "the source")->type_name("FILE.cu");
    flags->add_to(*app, kernel_flags, "Kernel");
    flags->add_to(*app, workload_flags(), "Workload");
    flags->add_to(*app, data_file_flags(), "Workload");
    return {app, [flags, file] { return run_kernel(*file, *flags); }};
}

}  // namespace convscope::cli
