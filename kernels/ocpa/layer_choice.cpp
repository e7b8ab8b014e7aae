#include "kernels/ocpa/layer_choice.h"

#include <utility>

#include "kernels/method/any_size.h"

namespace convscope {
namespace {

/// The chosen method's execution, which also says which method was chosen.
class ChosenExecution final : public Execution {
public:
    ChosenExecution(const MethodInfo& method, std::unique_ptr<Execution> chosen)
        : chosen_(std::move(chosen)), id_(method.id), summation_(summation_of(method, *chosen_)) {}

    void setup() override { chosen_->setup(); }
    void allocate() override { chosen_->allocate(); }
    void stage_inputs(const Workload& workload) override { chosen_->stage_inputs(workload); }
    void upload() override { chosen_->upload(); }
    void prepare_weights() override { chosen_->prepare_weights(); }
    void poison_output() override { chosen_->poison_output(); }
    void run(StageClock* stages) override { chosen_->run(stages); }
    void synchronize() override { chosen_->synchronize(); }
    void download() override { chosen_->download(); }
    Tensor output() const override { return chosen_->output(); }
    void release() override { chosen_->release(); }
    void teardown() override { chosen_->teardown(); }
    std::int64_t workspace_bytes() const override { return chosen_->workspace_bytes(); }
    std::int64_t library_workspace_bytes() const override { return chosen_->library_workspace_bytes(); }
    std::vector<KernelLaunch> launches() const override { return chosen_->launches(); }
    std::string choice() const override { return id_; }
    std::optional<Summation> chosen_summation() const override { return summation_; }

private:
    std::unique_ptr<Execution> chosen_;
    std::string id_;
    Summation summation_;
};

class LayerChoice final : public ChoosingMethod, public PlansAnySize {
public:
    LayerChoice(MethodInfo info, ChooseMethod choose) : info_(std::move(info)), choose_(std::move(choose)) {
        const bool cpu = info_.device == DeviceKind::cpu;  // as far as the chosen method does
        info_.takes = {.dilation = cpu, .groups = cpu};
    }

    const MethodInfo& info() const override { return info_; }
    LaunchSpace launch_space(const ConvShape& shape) const override { return choose_(shape).launch_space(shape); }
    ResolvedLaunch resolve(const ConvShape& shape, const LaunchConfig& config,
                           const DeviceModel& model) const override {
        return choose_(shape).resolve(shape, config, model);
    }
    Support supports_any_size(const ConvShape& shape) const override {
        if (Support taken = takes(shape); !taken) return taken;
        return convscope::supports_any_size(choose_(shape), shape);
    }
    ResolvedLaunch resolve_any_size(const ConvShape& shape, const LaunchConfig& config,
                                    const DeviceModel& model) const override {
        return convscope::resolve_any_size(choose_(shape), shape, config, model);
    }
    std::int64_t workspace_bytes(const ConvShape& shape) const override {
        return choose_(shape).workspace_bytes(shape);
    }
    ExecutedWork executed(const Workload& workload, const std::string& choice) const override {
        return choose_(workload.spec.shape).executed(workload, choice);
    }
    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& config,
                                           Device& device) const override {
        const Method& method = choose_(shape);
        return std::make_unique<ChosenExecution>(method.info(), method.instantiate(shape, config, device));
    }

private:
    Support can_run(const ConvShape& shape) const override { return choose_(shape).supports(shape); }

    MethodInfo info_;
    const ChooseMethod choose_;
};

}  // namespace

bool times_candidates(const Method& method) {
    const auto* chooses = dynamic_cast<const ChoosingMethod*>(&method);
    return chooses && chooses->times_candidates();
}

std::unique_ptr<Method> make_layer_choice(MethodInfo info, ChooseMethod choose) {
    return std::make_unique<LayerChoice>(std::move(info), std::move(choose));
}

}  // namespace convscope
