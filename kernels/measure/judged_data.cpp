#include "kernels/measure/judged_data.h"

#include <tuple>

#include "kernels/measure/measure.h"

namespace convscope {
namespace {

auto identity(const WorkloadSpec& spec) {
    return std::tie(spec.shape, spec.source, spec.sparsity, spec.seed, spec.input_path, spec.weights_path,
                    spec.example_x, spec.example_w);
}

}  // namespace

bool same_data(const WorkloadSpec& a, const WorkloadSpec& b) {
    return identity(a) == identity(b);
}

const Workload& JudgedData::workload(const WorkloadSpec& spec) {
    // A file may have been written anew.
    if (!asked_ || !same_data(*asked_, spec) || spec.source == Source::file) {
        asked_.reset();
        judgement_.reset();
        workload_.reset();
        require_room_to_judge(spec.shape);
        workload_ = make_workload(spec);
        asked_ = spec;
    }
    workload_->spec.name = spec.name;
    return *workload_;
}

const Judgement& JudgedData::judgement(const std::function<void()>& before) {
    if (!judgement_) {
        before();
        judgement_ = judge(*workload_);
    }
    return *judgement_;
}

}  // namespace convscope
