#include "app/lessons/show_state.h"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.h"
#include "kernels/layers/preset.h"

namespace convscope::lessons {
namespace {

/// The CPU has no launch configuration: the simulated GPU's stands for it, as in the launch panel.
const Method* launched(const Registry& registry, const std::string& id, DeviceKind kind) {
    if (kind == DeviceKind::cpu)
        if (const Method* method = registry.find(id, DeviceKind::sim)) return method;
    return registry.find(id, kind);
}

}  // namespace

ShowState::ShowState(const Registry& registry, std::optional<WorkloadSpec> own_layer)
    : registry_(registry), own_layer_(std::move(own_layer)) {
    begin_again();
}

void ShowState::begin_again() {
    state_ = {};
    state_.registry = &registry_;
    state_.spec = own_layer_ ? *own_layer_ : find_preset("examples/xu-fig4").spec;
    state_.view = "layout";
    state_.tab = "ecr";
    state_.scope = "kernel";
    state_.cache = "hot";
    state_.device = "cpu";
    state_.launch_model = state_.occupancy_model = default_device_model();
    launch_ = {};
    point_.reset();
    data_stale_ = trace_stale_ = true;
}

void ShowState::unpin() {
    point_.reset();
    state_.pointed.reset();
}

void ShowState::apply(const Show& show) {
    if (show.changes_workload() && !own_layer_) {
        const WorkloadSpec spec = shown_workload(show, state_.spec);
        state_.spec = spec;
        state_.map = {};
        data_stale_ = trace_stale_ = true;
    }
    place(show);
    state_.map = shown_map(show, state_.spec.shape, state_.map, own_layer_.has_value());
    if (show.point || show.changes_workload() || show.tab) {
        point_ = show.point;
        state_.pointed.reset();
    }
}

void ShowState::place(const Show& show) {
    if (show.view) state_.view = *show.view;
    if (show.tab) state_.tab = *show.tab;
    if (show.scope) state_.scope = to_string(*show.scope);
    if (show.cache) state_.cache = to_string(*show.cache);
    if (show.page) state_.page = *show.page;
    if (show.format) state_.format = *show.format;
    if (show.matrix) state_.formats_of = *show.matrix;
    if (show.exercise || show.solution) state_.exercise_solved = show.solution.has_value();
    if (show.device) {
        const DeviceInfo* info = registry_.usable_device(*show.device);
        if (!info)
            throw Error(ErrorKind::not_found,
                        fmt::format("this machine has no device of the kind {}", to_string(*show.device)));
        state_.device = info->id;
        state_.kind = info->kind;
    }
    if (show.model)
        for (const DeviceModel& model : device_models())
            if (model.name == *show.model) state_.occupancy_model = model;
    if (show.method) {
        state_.method = *show.method;
        launch_ = {};
        launch_.method = show.method;
    }
    state_.launched = launched(registry_, state_.method, state_.kind);
    if (show.block && !state_.method.empty()) state_.launch[state_.method].block = show.block;
    if (show.grid && !state_.method.empty()) state_.launch[state_.method].grid = show.grid;
    for (const auto& [name, value] : show.tunables) state_.launch[state_.method].tunables[name] = value;
    if (show.kernel) launch_.kernel = show.kernel;
    if (show.at) launch_.at = show.at;
    if (show.method || show.block || show.grid || !show.tunables.empty() || show.kernel || show.at) trace_stale_ = true;
    if (show.moment) state_.done = static_cast<std::size_t>(*show.moment);
}

void ShowState::make_data(std::string& problem) {
    if (!std::exchange(data_stale_, false)) return;
    try {
        state_.workload = std::make_shared<const Workload>(make_workload(state_.spec));
        state_.flops_effective = -1;
    } catch (const Error& error) {
        state_.workload = nullptr;
        problem = error.what();
    }
}

void ShowState::trace(std::string& problem) {
    if (!trace_stale_ || state_.view != "step" || state_.method.empty() || !state_.workload) return;
    trace_stale_ = false;
    replay_.reset();
    TraceRequest request;
    request.workload = state_.spec;
    request.method = state_.method;
    request.kernel = launch_.kernel.value_or("");
    request.block = launch_.at.value_or(Dim3{0, 0, 0});
    if (const auto found = state_.launch.find(state_.method); found != state_.launch.end())
        request.launch = found->second;
    try {
        TraceResult traced = trace_block(request, *state_.workload);
        state_.race = traced.finding.has_value();
        replay_ = std::make_shared<const simt::Replay>(simt::Replay(std::move(traced.trace)));
    } catch (const Error& error) {
        problem = error.what();
    }
}

const Facts& ShowState::facts(std::string& problem) {
    problem.clear();
    make_data(problem);
    trace(problem);
    state_.replay = state_.view == "step" ? replay_.get() : nullptr;
    facts_.update(state_);
    if (point_) {
        state_.pointed = facts_.find(*point_);
        if (!state_.pointed && problem.empty()) problem = fmt::format("there is no such element of {}", point_->array);
        facts_.update(state_);
    }
    return facts_;
}

}  // namespace convscope::lessons
