#include "kernels/ocpa/ocpa_method.h"

#include <utility>

namespace convscope {
namespace {

/// What ocpa3 gives to ecr4: tiles of 8 x 8 windows and 64 filters would be too few, and half empty. Found on an H100
/// (docs/kernels/ecr6.md).
bool few_products(const ConvShape& shape) {
    constexpr std::int64_t few_windows = 256, few = 25'000'000;
    return shape.n * shape.p() * shape.q() <= few_windows && shape.conv_elements() * shape.reduction() <= few;
}

/// The chosen method's execution, which also says which method was chosen.
class OcpaExecution final : public Execution {
public:
    OcpaExecution(std::unique_ptr<Execution> chosen, std::string id) : chosen_(std::move(chosen)), id_(std::move(id)) {}

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
    std::vector<KernelLaunch> launches() const override { return chosen_->launches(); }
    std::string choice() const override { return id_; }

private:
    std::unique_ptr<Execution> chosen_;
    std::string id_;
};

/// What computes a layer without pooling, and one with.
struct Pair {
    const Method &ecr, &pecr;
    const Method& of(const ConvShape& shape) const { return shape.pooled() ? pecr : ecr; }
};

class Ocpa final : public Method {
public:
    /// 'small': for the layers that are few_products(), and where 'all' do not run.
    Ocpa(Pair all, Pair small, std::string id, std::string title, std::vector<std::string> stages)
        : all_(all),
          small_(small),
          info_{.id = std::move(id),
                .family = "ocpa",
                .title = std::move(title),
                .paper = "Xu 2022",
                .follows = "section 7",
                .device = all.ecr.info().device,
                .layout = all.ecr.info().layout,
                .stages = std::move(stages)} {}

    const MethodInfo& info() const override { return info_; }
    Support supports(const ConvShape& shape) const override { return chosen(shape).supports(shape); }
    LaunchSpace launch_space(const ConvShape& shape) const override { return chosen(shape).launch_space(shape); }
    ResolvedLaunch resolve(const ConvShape& shape, const LaunchConfig& config,
                           const DeviceModel& model) const override {
        return chosen(shape).resolve(shape, config, model);
    }
    std::int64_t workspace_bytes(const ConvShape& shape) const override { return chosen(shape).workspace_bytes(shape); }
    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& config,
                                           Device& device) const override {
        const Method& method = chosen(shape);
        return std::make_unique<OcpaExecution>(method.instantiate(shape, config, device), method.info().id);
    }

private:
    const Method& chosen(const ConvShape& shape) const {
        const Method& method = all_.of(shape);
        return few_products(shape) || !method.supports(shape) ? small_.of(shape) : method;
    }

    const Pair all_, small_;
    const MethodInfo info_;
};

}  // namespace

std::unique_ptr<Method> make_ocpa(const Registry& registry, DeviceKind device) {
    const Pair pair{registry.get("ecr3", device), registry.get("pecr3", device)};
    return std::make_unique<Ocpa>(pair, pair, "ocpa", "OCPA: PECR where pooling follows, else ECR",
                                  std::vector<std::string>{"convert", "multiply"});
}

std::unique_ptr<Method> make_ocpa2(const Registry& registry, DeviceKind device) {
    const Pair pair{registry.get("ecr4", device), registry.get("pecr4", device)};
    return std::make_unique<Ocpa>(pair, pair, "ocpa2", "OCPA: pecr4 where pooling follows, else ecr4",
                                  std::vector<std::string>{"multiply", "pool"});
}

std::unique_ptr<Method> make_ocpa3(const Registry& registry) {
    constexpr DeviceKind device = DeviceKind::cuda;
    return std::make_unique<Ocpa>(Pair{registry.get("ecr6", device), registry.get("pecr6", device)},
                                  Pair{registry.get("ecr4", device), registry.get("pecr4", device)}, "ocpa3",
                                  "OCPA: pecr6 or ecr6, and for small layers pecr4 or ecr4",
                                  std::vector<std::string>{"multiply", "pool"});
}

}  // namespace convscope
