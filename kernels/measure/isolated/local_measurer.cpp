#include "kernels/measure/isolated/local_measurer.h"

namespace convscope {

WorkloadSpec LocalMeasurer::settled(const WorkloadSpec& spec) {
    const bool given_data = spec.source == Source::file || spec.source == Source::example;
    return given_data ? data_.workload(spec).spec : spec;
}

std::vector<Record> LocalMeasurer::measure(const PointRequest& request, const PointSinks& sinks, std::stop_token stop) {
    add_user_method(registry_, request);
    const auto look_at = [&](const Workload& fresh) {
        if (const std::string note = unusual_data(fresh); !note.empty() && sinks.warning) sinks.warning(note);
    };
    const Workload& workload =
        request.chained_x ? data_.chained(request.spec, *request.chained_x) : data_.workload(request.spec, look_at);
    const ReferenceResult& reference = data_.reference([&] {
        if (sinks.phase) sinks.phase("computing the reference result");
    });
    return convscope::measure(registry_, registry_.device(request.device), workload, reference, request.candidates,
                              request.options, sinks.measure, stop);
}

}  // namespace convscope
