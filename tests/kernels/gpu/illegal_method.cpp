#include "tests/kernels/gpu/illegal_method.h"

#include "kernels/method/device.h"
#include "tests/kernels/gpu/faulting_kernel.h"
#include "tests/kernels/gpu/timed_work.h"

namespace convscope::testing {
namespace {

class Illegal final : public Method {
public:
    Illegal() {
        info_.id = "illegal";
        info_.family = "test";
        info_.device = DeviceKind::cuda;
    }
    const MethodInfo& info() const override { return info_; }
    std::int64_t workspace_bytes(const ConvShape&) const override { return 0; }
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device& device) const override {
        return std::make_unique<TimedWork>(*device.gpu(), [](cudaStream_t stream) { enqueue_illegal_write(stream); });
    }

private:
    Support can_run(const ConvShape&) const override { return {}; }
    MethodInfo info_;
};

}  // namespace

std::unique_ptr<Method> make_illegal_method() {
    return std::make_unique<Illegal>();
}

}  // namespace convscope::testing
