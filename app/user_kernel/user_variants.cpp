#include "app/user_kernel/user_variants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <utility>
#include <vector>

#include "app/user_kernel/gpu_run.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/measure/run_stamp.h"
#include "kernels/ptx/text/kernel_text.h"
#include "kernels/ptx/toolchain/compile.h"

namespace convscope::app {
namespace {

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

UserVariants::UserVariants(const std::string& file, std::stop_token stop) : stop_(std::move(stop)) {
    set_file_and_entry(call_, file);
    source_ = read_text_file(call_.file);
    base_ = call_.entry.substr(0, call_.entry.find('<'));
    if (!base_.empty()) return;
    const std::vector<std::string> names = ptx::kernel_names(source_);
    if (names.size() != 1)
        throw Error(ErrorKind::usage,
                    fmt::format("--own: {} kernels are named in {}: give --own {}:NAME{}{}", names.size(), file, file,
                                names.empty() ? "" : " with one of ", fmt::join(names, ", ")));
    base_ = names.front();
}

/// A sweep takes long, and what is compiled later has to be of the text that what came before is of.
void UserVariants::require_unchanged() const {
    if (read_text_file(call_.file) != source_)
        throw Error(ErrorKind::failed,
                    fmt::format("{} has changed while it was swept over; run it again", call_.file.string()));
}

const UserVariants::Compiled& UserVariants::compiled(const KernelCall& call) {
    const std::string key = fmt::format("{}|{}", call.architecture, fmt::join(call.defines, "|"));
    if (const auto known = compiled_.find(key); known != compiled_.end()) return known->second;
    Compiled made;
    std::string ptx;
    try {
        ptx = ptx::compile_to_ptx(call.file, call.defines, call.architecture, stop_);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::usage) throw;
        made.reason = "it does not compile: " + first_line(error.what());
    }
    require_unchanged();
    if (made.reason.empty()) made.kernel = read_kernel(std::move(ptx), call, source_, nullptr, stop_);
    return compiled_[key] = std::move(made);
}

KernelCall UserVariants::call_of(const DeviceInfo& device, const UserVariant& variant) const {
    KernelCall call = call_;
    call.defines = variant.defines;
    if (device.kind == DeviceKind::cuda) call.architecture = architecture_of(device);
    for (const auto& [name, extent] : {std::pair{"block", variant.block}, {"grid", variant.grid}})
        if (extent) call.given[name] = fmt::format("{}, {}, {}", extent->x, extent->y, extent->z);
    return call;
}

UserLaunch UserVariants::planned(const DeviceInfo& device, const UserVariant& variant) const {
    if (device.kind == DeviceKind::cpu)
        throw Error(ErrorKind::usage, fmt::format("--own: a kernel of one's own runs on sim or on a CUDA GPU, not on "
                                                  "'{}'",
                                                  device.id));
    const KernelCall call = call_of(device, variant);
    variants_of(call);  // rejects what is not a define
    UserLaunch launch;
    launch.id = id();
    launch.tunables = whole_defines(call);
    launch.block = variant.block.value_or(launch.block);
    launch.grid = variant.grid.value_or(launch.grid);
    return launch;
}

UserLaunch UserVariants::made(const WorkloadSpec& spec, const DeviceInfo& device, const UserVariant& variant) {
    require_unchanged();
    KernelCall call = call_of(device, variant);
    call.layer = spec;
    const std::string key = fmt::format("{}|{}|{}|{}", call.architecture, fmt::join(call.defines, "|"),
                                        fmt::join(call.given, "|"), key_of(spec.shape));
    if (const auto known = launches_.find(key); known != launches_.end()) return known->second;
    UserLaunch launch = planned(device, variant);
    const Compiled& compiled_with = compiled(call);
    launch.rejected = compiled_with.reason;
    std::unique_ptr<PreparedKernel> prepared;
    try {
        if (compiled_with.kernel) prepared = prepare_kernel(compiled_with.kernel, call, stop_);
    } catch (const Error& error) {
        launch.rejected = error.what();
    }
    if (prepared) {
        const ArgumentState* rejected = prepared->arguments.rejected();
        if (!rejected && !computes_layer(*prepared))
            throw Error(ErrorKind::usage, fmt::format("--own: {} does not compute the layer from the layer's own x and "
                                                      "w, so there is nothing to compare it with",
                                                      base_));
        if (rejected)
            launch.rejected = rejected->reason;
        else
            launch = without_layer(user_launch(*prepared, call));
    }
    return launches_[key] = launch;
}

void UserVariants::forget_older(DoneRows& done) const {
    const auto saved = std::chrono::file_clock::to_sys(std::filesystem::last_write_time(call_.file));
    done.forget(id(), run_stamp(std::chrono::system_clock::to_time_t(
                          std::chrono::time_point_cast<std::chrono::system_clock::duration>(saved))));
}

}  // namespace convscope::app
