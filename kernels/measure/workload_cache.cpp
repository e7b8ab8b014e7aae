#include "kernels/measure/workload_cache.h"

#include <utility>

#include "kernels/formats/array_file.h"
#include "kernels/layers/wanted_workload.h"
#include "kernels/measure/measure.h"

namespace convscope {
namespace {

/// Modification times of the spec's files; the minimum time for a file that does not exist.
std::vector<std::filesystem::file_time_type> times_written(const WorkloadSpec& spec) {
    std::vector<std::filesystem::file_time_type> times;
    if (spec.source != Source::file) return times;
    for (const std::string& path : {spec.input_path, spec.weights_path}) {
        std::error_code none;
        times.push_back(std::filesystem::last_write_time(file_of_array(path), none));
    }
    return times;
}

}  // namespace

bool same_data(const WorkloadSpec& a, const WorkloadSpec& b) {
    WorkloadSpec renamed = a;
    renamed.name = b.name;
    return renamed == b;
}

/// The present data goes first: there may be no room for both.
void WorkloadCache::make_room(const ConvShape& shape) {
    requested_.reset();
    reference_.reset();
    workload_.reset();
    require_room_to_check(shape);
}

const Workload& WorkloadCache::chained(const WorkloadSpec& spec, Tensor x) {
    make_room(spec.shape);
    workload_ = make_chained_workload(spec, std::move(x));
    return *workload_;
}

const Workload& WorkloadCache::workload(const WorkloadSpec& spec, const std::function<void(const Workload&)>& made,
                                        const std::stop_token& stop) {
    auto written = times_written(spec);
    if (!requested_ || !same_data(*requested_, spec) || written != written_) {
        make_room(spec.shape);
        workload_ = make_workload(spec, stop);
        requested_ = spec;
        written_ = std::move(written);
        if (made) made(*workload_);
    }
    workload_->spec.name = spec.name;
    return *workload_;
}

const ReferenceResult& WorkloadCache::reference(const std::function<void()>& before, const std::stop_token& stop) {
    if (!reference_) {
        before();
        reference_ = reference_result(*workload_, stop);
    }
    return *reference_;
}

}  // namespace convscope
