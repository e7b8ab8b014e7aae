// convscope run: one method on arrays from files, its result into a file.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/load_workload.h"
#include "app/cli/subcommand.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/files/npy.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"

namespace convscope::cli {
namespace {

constexpr Flag run_flags[] = {
    {"--method", "ID", "an id from convscope list methods, or a family: its newest"},
    {"--output", "FILE.npy", "y as (n,k,p,q), float32; pooled where --pool is given"},
};
constexpr Flag device_flags[] = {
    {"--device", "ID", "cpu, cuda:0 or sim (cpu)"},
};

void require_flags(const FlagValues& flags) {
    for (const char* flag : {"--method", "--input", "--weights", "--output"})
        if (!flags.has(flag)) throw Error(ErrorKind::usage, fmt::format("run needs {}", flag));
}

/// Rejects what cannot run before anything is allocated.
void require_runnable(const Method& method, const ConvShape& shape, const LaunchConfig& launch, const Device& device) {
    const std::string& id = method.info().id;
    if (Support support = method.supports(shape); !support)
        throw Error(ErrorKind::usage, fmt::format("{} cannot run this layer: {}", id, support.reason));
    const ResolvedLaunch resolved = method.resolve(shape, launch, device.info().model);
    if (!resolved.support)
        throw Error(ErrorKind::usage, fmt::format("{} cannot be launched so: {}", id, resolved.support.reason));
    const std::int64_t needed = shape.min_bytes() + std::max<std::int64_t>(method.workspace_bytes(shape), 0);
    if (needed > device.free_memory_bytes())
        throw OutOfMemory(fmt::format("{} needs {:.1f} MB; {} has {:.1f} MB free", id,
                                      1e-6 * static_cast<double>(needed), device.info().id,
                                      1e-6 * static_cast<double>(device.free_memory_bytes())));
}

struct Outcome {
    Tensor y;
    Summation summation = Summation::direct;
};

Outcome run_once(const Method& method, const Workload& workload, const LaunchConfig& launch, Device& device) {
    const auto execution = make_ready(method, workload, launch, device);
    execution->run();
    execution->synchronize();
    execution->download();
    return {execution->output(), summation_of(method.info(), *execution)};
}

int check(const Workload& workload, const Method& method, const Outcome& outcome) {
    const ReferenceResult reference = reference_result(workload);
    const Verification result = verify(outcome.y, reference.y, reference.scale, workload.spec.shape,
                                       method.info().dtype, outcome.summation, reference.largest_scale);
    fmt::print("{}: {}, error {:.1e} (tolerance {:.1e})\n", method.info().id, to_string(workload.spec.shape),
               result.max_rel_err, result.tolerance);
    if (result.ok) return 0;
    throw Error(ErrorKind::wrong, fmt::format("{} is wrong: {}", method.info().id, result.reason));
}

int run_method(const FlagValues& flags, bool unchecked) {
    require_flags(flags);
    const WorkloadSpec spec = read_workload(flags);
    validate(spec);
    const LaunchConfig launch = read_launch(flags);
    const auto registry = make_registry();
    Device& device = registry->device(flags.get_or("--device", "cpu"));
    const Method& method = read_method(*registry, device, flags.get("--method"));
    require_runnable(method, spec.shape, launch, device);
    const ConvShape& shape = spec.shape;
    // Opened first: a path that cannot be written should not cost a run.
    NpyWriter writer(flags.get("--output"), NpyType::f32, {shape.k, shape.out_h(), shape.out_w()});

    const Workload workload = load_workload(spec, !unchecked);
    const Outcome outcome = run_once(method, workload, launch, device);
    writer.append(std::span<const float>(outcome.y.data));
    writer.finish();
    return unchecked ? 0 : check(workload, method, outcome);
}

}  // namespace

Command add_run(CLI::App& program) {
    Subcommand command(program, "run", "one method on .npy files; the result is checked, then kept");
    auto flags = std::make_shared<FlagValues>();
    auto unchecked = std::make_shared<bool>(false);
    command.flags(*flags, run_flags, "Run");
    command.flags(*flags, data_file_flags(), "Run");
    command.flags(*flags, weight_flags(), "Run");
    command.flags(*flags, layer_flags(), "Layer");
    command.flags(*flags, device_flags, "Device");
    command.flags(*flags, launch_flags(), "Launch");
    command.toggle("--unchecked", *unchecked, "do not compare with the reference: faster on large layers");
    return command.runs([flags, unchecked] { return run_method(*flags, *unchecked); });
}

}  // namespace convscope::cli
