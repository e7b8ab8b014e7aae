#include "app/cli/kernel_gpu.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/measured_point.h"
#include "app/cli/outputs.h"
#include "app/cli/own_file.h"
#include "app/cli/table.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/measure/run_stamp.h"
#include "kernels/measure/timing_summary.h"

namespace convscope::cli {
namespace {

Device& gpu_of(const Registry& registry, const FlagValues& flags) {
    Device& device = registry.device(flags.get("--device"));
    if (device.info().kind != DeviceKind::cuda)
        throw Error(ErrorKind::not_found, fmt::format("--device: a kernel of one's own runs on sim or on a CUDA GPU, "
                                                      "not on '{}'",
                                                      device.info().id));
    return device;
}

std::string launch_text(const UserLaunch& launch, const UserRunResult& result) {
    std::string text =
        fmt::format("grid {}, block {}, {} registers, {} bytes of shared memory", to_string(launch.grid),
                    to_string(launch.block), result.registers, result.static_shared_bytes + launch.shared_bytes);
    if (result.local_bytes > 0) text += fmt::format(", {} bytes of local memory a thread", result.local_bytes);
    return text;
}

/// The timing of a kernel that is not a convscope layer, and so has no row in its records.
std::string time_json(const UserLaunch& launch, const DeviceInfo& device, const MeasureOptions& options,
                      const UserRunResult& result, const TimingSummary& times) {
    nlohmann::ordered_json json{{"kernel", launch.id.substr(4)},
                                {"device", device.id},
                                {"device_name", device.name},
                                {"grid", {launch.grid.x, launch.grid.y, launch.grid.z}},
                                {"block", {launch.block.x, launch.block.y, launch.block.z}},
                                {"shared_bytes", result.static_shared_bytes + launch.shared_bytes},
                                {"registers", result.registers},
                                {"local_bytes", result.local_bytes},
                                {"timing_scope", to_string(options.scope)},
                                {"cache_mode", to_string(options.cache)},
                                {"median_us", times.median_us},
                                {"samples_us", result.samples_us},
                                {"printed", result.printed}};
    if (times.interval_us) json["interval_us"] = {times.interval_us->first, times.interval_us->second};
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

GpuTiming::GpuTiming(const FlagValues& flags)
    : flags_(flags),
      registry_(make_registry()),
      device_(&gpu_of(*registry_, flags)),
      options_(read_timing(flags, *device_)) {
    options_.run_id = make_run_id();
}

void GpuTiming::run(app::PreparedKernel& prepared, const app::KernelCall& call, const std::stop_token& stop) {
    const bool alone = !app::computes_layer(prepared);
    if (alone && flags_.has("--csv"))
        throw Error(ErrorKind::usage,
                    "--csv: rows of measurements are of a layer, and this kernel computes none from the layer's own x "
                    "and w; give --json");
    if (alone) require_no_records({"--json", flags_.get_or("--json", "")});
    launch_ = app::user_launch(prepared, call);
    try {
        result_ = app::run_on_gpu(prepared, launch_, device_->info().id, options_, alone, stop);
    } catch (const Error& error) {
        const bool memory = dynamic_cast<const OutOfMemory*>(&error) != nullptr;
        if (error.kind() != ErrorKind::failed || memory || stop.stop_requested()) throw;
        throw Error(ErrorKind::failed,
                    fmt::format("{}; --device sim says which thread does so, at which line", error.what()));
    }
    fmt::print("{}{}: {}\n", result_.printed, device_->info().name, launch_text(launch_, result_));
}

int GpuTiming::measure(const app::PreparedKernel& prepared, const std::stop_token& stop) const {
    if (app::computes_layer(prepared)) return measure_layer(prepared.layer->spec, {launch_}, stop);
    const TimingSummary times = summarize(result_.samples_us, options_.max_noise_pct);
    const std::string interval = times.interval_us
                                     ? fmt::format(", 95 % interval {} to {}", time_text(times.interval_us->first),
                                                   time_text(times.interval_us->second))
                                     : "";
    std::string notes;
    for (const std::string& note : {result_.note, times.doubts()})
        if (!note.empty()) notes += "; " + note;
    fmt::print("{}: median {}{} ({} samples, scope {}, cache {}){}\n", prepared.kernel->text.name,
               time_text(times.median_us), interval, times.samples, to_string(options_.scope),
               to_string(options_.cache), notes);
    if (flags_.has("--json"))
        write_text_file(flags_.get("--json"), time_json(launch_, device_->info(), options_, result_, times));
    return 0;
}

int GpuTiming::measure_layer(const WorkloadSpec& spec, std::vector<UserLaunch> variants,
                             const std::stop_token& stop) const {
    Outputs outputs(flags_);
    const PointRequest request = app::point_of(*registry_, spec, std::move(variants), device_->info().id, options_);
    return measure_point(*registry_, request, outputs, stop);
}

}  // namespace convscope::cli
