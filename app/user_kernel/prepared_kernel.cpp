#include "app/user_kernel/prepared_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "kernels/measure/measure.h"
#include "kernels/measure/verify.h"
#include "kernels/reference/reference_result.h"
#include "kernels/runtime/report.h"

namespace convscope::app {
namespace {

/// Data given for x or w are those that y is checked with.
void take_back(const KernelArguments& arguments, const std::string& name, Tensor& tensor) {
    if (name.empty()) return;
    const std::vector<std::byte>& data = arguments.arrays.at(name).array.data;
    std::memcpy(tensor.data.data(), data.data(), data.size());
}

}  // namespace

ptx::LaunchRequest PreparedKernel::request() const {
    ptx::LaunchRequest request;
    request.grid = arguments.grid;
    request.block = arguments.block;
    request.cluster = arguments.cluster;
    request.shared_bytes = arguments.shared_bytes;
    request.arguments = arguments.list;
    request.variables = arguments.variables;
    request.unset = arguments.unset;
    for (const auto& [name, cuda_type] : kernel->text.shared)
        if (const auto type = element_type(cuda_type))
            request.shared_element_bytes[name] = type->lanes * static_cast<unsigned>(type->numpy[1] - '0');
    if (memory) {
        request.memory = memory->lent;
        request.cooperative = memory->launch.cooperative;
        request.foreign = [of = memory.get()](std::uint64_t address) {
            const std::uint64_t page = address / runtime::host_page_bytes * runtime::host_page_bytes;
            return of->launch.host_pages.contains(page) ? runtime::host_pointer_sentence : "";
        };
    }
    return request;
}

std::unique_ptr<PreparedKernel> prepare_kernel(std::shared_ptr<const UserKernel> kernel, const KernelCall& call,
                                               const std::stop_token& stop) {
    auto prepared = std::make_unique<PreparedKernel>();
    prepared->kernel = std::move(kernel);
    if (call.layer) {
        validate(*call.layer);
        require_room_to_check(call.layer->shape);
        prepared->layer = make_workload(*call.layer);
    }
    prepared->arguments = make_arguments(*prepared->kernel, call, prepared->layer ? &*prepared->layer : nullptr, stop);
    if (prepared->layer) {
        take_back(prepared->arguments, prepared->arguments.input, prepared->layer->x);
        take_back(prepared->arguments, prepared->arguments.weights, prepared->layer->w);
    }
    return prepared;
}

std::optional<LayerResult> check_layer(const PreparedKernel& prepared, const std::stop_token& stop) {
    if (!prepared.layer || prepared.arguments.output.empty()) return std::nullopt;
    const ConvShape& shape = prepared.layer->spec.shape;
    Tensor y(shape.n, shape.k, shape.out_h(), shape.out_w());
    const NpyBytes& array = prepared.arguments.arrays.at(prepared.arguments.output).array;
    std::memcpy(y.data.data(), array.data.data(), array.data.size());
    const ReferenceResult reference = reference_result(*prepared.layer, stop);
    const Verification result =
        verify(y, reference.y, reference.scale, shape, DType::f32, Summation::direct, reference.largest_scale);
    return LayerResult{result.max_rel_err, result.tolerance, result.ok ? "" : result.reason};
}

std::string verdict(const ptx::LaunchResult& result, const std::string& difference) {
    if (!result.failure.empty()) return "failed: " + result.failure;
    if (std::ranges::find(result.findings, ptx::FindingKind::endless, &ptx::Finding::kind) != result.findings.end())
        return "does not end";
    if (!difference.empty()) return "is wrong: " + difference;
    if (result.findings.empty()) return {};
    return fmt::format("has {} finding{}", result.findings.size(), result.findings.size() == 1 ? "" : "s");
}

}  // namespace convscope::app
