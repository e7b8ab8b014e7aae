// A module whose methods are right, and go wrong in the middle of their sampling: 'illegal' writes where it must not,
// 'silent' never ends. In the place of cuDNN's module it has a baseline, 'cudnn', that goes wrong as 'illegal' does.
#include "kernels/method/device.h"
#include "kernels/method/registry.h"
#include "tests/kernels/gpu/late_faults.h"

namespace convscope::testing {
namespace {

constexpr int last_run = 15;  // behind the checked run and the warm-up; of 27 where a sample is one run

/// Another method's execution, with a kernel behind each of its runs.
class FaultyExecution final : public Execution {
public:
    FaultyExecution(std::unique_ptr<Execution> inner, Gpu& gpu, LateFault fault)
        : inner_(std::move(inner)), gpu_(gpu), fault_(fault) {}
    ~FaultyExecution() override { free_counter(); }

    void setup() override { inner_->setup(); }
    void allocate() override {
        inner_->allocate();
        runs_ = static_cast<int*>(gpu_.allocate(sizeof(int)));
        gpu_.fill_bytes(runs_, 0, sizeof(int));
    }
    void stage_inputs(const Workload& workload) override { inner_->stage_inputs(workload); }
    void upload() override { inner_->upload(); }
    void prepare_weights() override { inner_->prepare_weights(); }
    void poison_output() override { inner_->poison_output(); }
    void run(StageClock* stages) override {
        inner_->run(stages);
        enqueue_late_fault(fault_, runs_, last_run, static_cast<cudaStream_t>(gpu_.stream()));
    }
    void synchronize() override { inner_->synchronize(); }
    void download() override { inner_->download(); }
    Tensor output() const override { return inner_->output(); }
    void release() override {
        inner_->release();
        free_counter();
    }
    void teardown() override { inner_->teardown(); }
    std::int64_t workspace_bytes() const override { return inner_->workspace_bytes(); }
    std::int64_t library_workspace_bytes() const override { return inner_->library_workspace_bytes(); }
    std::vector<KernelLaunch> launches() const override { return inner_->launches(); }

private:
    void free_counter() {
        if (runs_) gpu_.release(runs_);
        runs_ = nullptr;
    }

    std::unique_ptr<Execution> inner_;
    Gpu& gpu_;
    const LateFault fault_;
    int* runs_ = nullptr;
};

class FaultyMethod final : public Method {
public:
    FaultyMethod(const Method& inner, const char* id, bool vendor, LateFault fault)
        : inner_(inner), info_(inner.info()), fault_(fault) {
        info_.id = id;
        info_.family = "test";
        info_.vendor = vendor;
    }
    const MethodInfo& info() const override { return info_; }
    ResolvedLaunch resolve(const ConvShape& shape, const LaunchConfig& config,
                           const DeviceModel& model) const override {
        return inner_.resolve(shape, config, model);
    }
    std::int64_t workspace_bytes(const ConvShape& shape) const override { return inner_.workspace_bytes(shape); }
    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& config,
                                           Device& device) const override {
        return std::make_unique<FaultyExecution>(inner_.instantiate(shape, config, device), *device.gpu(), fault_);
    }

private:
    Support can_run(const ConvShape& shape) const override { return inner_.supports(shape); }
    const Method& inner_;
    MethodInfo info_;
    const LateFault fault_;
};

}  // namespace
}  // namespace convscope::testing

extern "C" const char* convscope_register(convscope::Registry& registry) {
    using namespace convscope::testing;
    const convscope::Method& inner = registry.get("im2col", convscope::DeviceKind::cuda);
    const auto add = [&](const char* id, bool vendor, LateFault fault) {
        registry.add(std::make_unique<FaultyMethod>(inner, id, vendor, fault));
    };
    add("illegal", false, LateFault::illegal_write);
    add("silent", false, LateFault::silence);
    if (!registry.find("cudnn", convscope::DeviceKind::cuda)) add("cudnn", true, LateFault::illegal_write);
    return nullptr;
}
