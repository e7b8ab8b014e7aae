#include "app/own_kernel/own_variants.h"

#include <fmt/format.h>

#include <vector>

#include "app/own_kernel/gpu_run.h"
#include "kernels/core/error.h"
#include "kernels/core/shape_fields.h"
#include "kernels/core/text_file.h"
#include "kernels/ptx/compile.h"
#include "kernels/ptx/kernel_text.h"

namespace convscope::app {
namespace {

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

}  // namespace

OwnVariants::OwnVariants(const std::string& file, std::stop_token stop) : stop_(std::move(stop)) {
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

const OwnVariants::Compiled& OwnVariants::compiled(const KernelCall& call) {
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
    if (made.reason.empty()) made.kernel = read_kernel(std::move(ptx), call, source_);
    return compiled_[key] = std::move(made);
}

OwnLaunch OwnVariants::of(const WorkloadSpec& spec, const DeviceInfo& device, const std::vector<std::string>& defines) {
    if (device.kind != DeviceKind::cuda)
        throw Error(ErrorKind::usage,
                    fmt::format("--own: a kernel of one's own is measured on a CUDA GPU, not on '{}'", device.id));
    KernelCall call = call_;
    call.defines = defines;
    call.architecture = architecture_of(device);
    call.layer = spec;
    variants_of(call);  // rejects what is no define
    const std::string key = fmt::format("{}|{}|{}", call.architecture, fmt::join(defines, "|"), key_of(spec.shape));
    if (const auto known = launches_.find(key); known != launches_.end()) return known->second;
    OwnLaunch launch;
    launch.id = id();
    launch.tunables = whole_defines(call);
    const Compiled& compiled_with = compiled(call);
    launch.rejected = compiled_with.reason;
    std::unique_ptr<PreparedKernel> prepared;
    try {
        if (compiled_with.kernel) prepared = prepare_kernel(compiled_with.kernel, call);
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
            launch = without_layer(own_launch(*prepared, call));
    }
    return launches_[key] = launch;
}

}  // namespace convscope::app
