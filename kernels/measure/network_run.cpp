#include "kernels/measure/network_run.h"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.h"
#include "kernels/layers/pooling.h"
#include "kernels/measure/baseline.h"
#include "kernels/measure/run_stamp.h"

namespace convscope {
namespace {

void tell(const NetworkRun::Phase& phase, const std::string& what) {
    if (phase) phase(what);
}

NetworkPlan with_run_id(NetworkPlan plan) {
    if (plan.options.run_id.empty()) plan.options.run_id = make_run_id();
    return plan;
}

}  // namespace

std::vector<std::string> network_methods(const Registry& registry, DeviceKind kind) {
    std::vector<std::string> ids{"ocpa"};
    for (const std::string& id : default_methods(registry, kind)) {
        const MethodInfo& info = registry.get(id, kind).info();
        const bool baseline = info.vendor && info.dtype == DType::f32;
        if (baseline || info.family == "csr" || info.family == "im2col") ids.push_back(id);
    }
    return ids;
}

NetworkRun::NetworkRun(Registry& registry, Device& device, NetworkPlan plan, Measurer measurer)
    : registry_(registry), device_(device), plan_(with_run_id(std::move(plan))), measurer_(std::move(measurer)) {
    if (plan_.chain) require_chain(plan_.network);
}

std::vector<Record> NetworkRun::planned(std::size_t layer, const Phase& phase) {
    return rows_for(plan_.chain ? workload(layer, phase).spec : spec(layer));
}

std::vector<Record> NetworkRun::measure(std::size_t layer, const MeasureSinks& sinks, const Phase& phase,
                                        std::stop_token stop) {
    try {
        std::vector<Candidate> candidates;
        for (const std::string& id : plan_.methods) candidates.push_back({id, {}});
        if (measurer_ && !plan_.chain)
            return measurer_({spec(layer), nullptr, std::move(candidates), plan_.options}, sinks, phase,
                             std::move(stop));
        const Workload& data = workload(layer, phase);
        if (measurer_)
            return measurer_({data.spec, &data.x, std::move(candidates), plan_.options}, sinks, phase, std::move(stop));
        return convscope::measure(registry_, device_, data, reference(layer, phase), candidates, plan_.options, sinks,
                                  std::move(stop));
    } catch (const OutOfMemory& error) {
        std::vector<Record> rows = rows_for(spec(layer));
        for (Record& row : rows) {
            row.status = Status::out_of_memory;
            row.status_reason = error.what();
            if (sinks.record) sinks.record(row);
        }
        return rows;
    }
}

std::vector<Record> NetworkRun::rows_for(const WorkloadSpec& spec) const {
    std::vector<Record> rows;
    for (const std::string& id : plan_.methods) {
        const Method& method = registry_.get(id, device_.info().kind);
        rows.push_back(planned_record(device_, method, spec, {}, plan_.options));
    }
    return rows;
}

const Workload& NetworkRun::workload(std::size_t layer, const Phase& phase) {
    if (workload_ && at_ == layer) return *workload_;
    WorkloadSpec requested = spec(layer);
    require_room_to_check(requested.shape);
    Tensor chained = plan_.chain ? chained_input(layer, phase) : Tensor();
    reference_.reset();
    workload_.reset();
    tell(phase, fmt::format("preparing the data of {}", layer_name(plan_.network.layers[layer])));
    if (plan_.chain) {
        // Layers of the same shape must not have the same weights.
        requested.seed += layer;
        workload_ = make_chained_workload(requested, std::move(chained));
    } else {
        workload_ = make_workload(requested);
    }
    at_ = layer;
    return *workload_;
}

Tensor NetworkRun::chained_input(std::size_t layer, const Phase& phase) {
    if (layer == 0) return make_workload(spec(0)).x;
    Tensor y = reference(layer - 1, phase).y;
    // Pooling has taken the ReLU in already.
    for (float& value : y.data) value = relu(value);
    return y;
}

const ReferenceResult& NetworkRun::reference(std::size_t layer, const Phase& phase) {
    const Workload& data = workload(layer, phase);
    if (!reference_) {
        tell(phase, fmt::format("computing the reference result of {}", layer_name(plan_.network.layers[layer])));
        reference_ = reference_result(data);
    }
    return *reference_;
}

}  // namespace convscope
