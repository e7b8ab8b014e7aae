#include "app/sweep/local_measurer.h"

#include "app/request/request.h"

namespace convscope {
namespace {

bool same_data(const WorkloadSpec& a, const WorkloadSpec& b) {
    return a.shape == b.shape && a.source == b.source && a.sparsity == b.sparsity && a.seed == b.seed &&
           a.input_path == b.input_path && a.weights_path == b.weights_path && a.example_x == b.example_x &&
           a.example_w == b.example_w;
}

}  // namespace

const Workload& LocalMeasurer::workload_of(const WorkloadSpec& spec, const PointSinks& sinks) {
    if (!workload_ || !same_data(asked_, spec)) {
        judgement_.reset();
        workload_.reset();
        require_room_to_judge(spec.shape);
        workload_ = make_workload(spec);
        asked_ = spec;
        if (const std::string note = unusual_data(*workload_); !note.empty() && sinks.warning) sinks.warning(note);
    }
    workload_->spec.name = spec.name;
    return *workload_;
}

WorkloadSpec LocalMeasurer::settled(const WorkloadSpec& spec) {
    const bool given_data = spec.source == Source::file || spec.source == Source::example;
    return given_data ? workload_of(spec, {}).spec : spec;
}

std::vector<Record> LocalMeasurer::measure(const PointRequest& request, const PointSinks& sinks, std::stop_token stop) {
    const Workload& workload = workload_of(request.spec, sinks);
    if (sinks.phase) sinks.phase("computing the judge's result");
    if (!judgement_) judgement_ = judge(workload);
    return convscope::measure(registry_, registry_.device(request.device), workload, *judgement_, request.candidates,
                              request.options, sinks.measure, stop);
}

}  // namespace convscope
