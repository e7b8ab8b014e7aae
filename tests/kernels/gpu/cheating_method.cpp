#include "tests/kernels/gpu/cheating_method.h"

#include <cuda_runtime_api.h>

#include "kernels/cuda/check.h"
#include "kernels/cuda/graph.h"
#include "kernels/cuda/timing_kernels.h"
#include "kernels/method/device.h"
#include "tests/kernels/gpu/cheating_kernels.h"

namespace convscope::testing {
namespace {

constexpr long long work_ns = 200'000;

class CheatingExecution final : public Execution {
public:
    CheatingExecution(std::unique_ptr<Execution> inner, const ConvShape& shape, Gpu& gpu, Cheat cheat)
        : inner_(std::move(inner)), shape_(shape), gpu_(gpu), cheat_(cheat), main_(stream_of(gpu)) {
        CONVSCOPE_CUDA(cudaStreamCreateWithFlags(&own_, cudaStreamNonBlocking));
    }
    ~CheatingExecution() override {
        cudaStreamSynchronize(own_);
        cudaStreamDestroy(own_);
        release();
    }

    void setup() override { inner_->setup(); }
    void teardown() override { inner_->teardown(); }
    void allocate() override {
        inner_->allocate();
        ready_ = static_cast<float*>(gpu_.allocate(bytes()));
        y_ = static_cast<float*>(gpu_.allocate(bytes()));
        kept_ = static_cast<Kept*>(gpu_.allocate(sizeof(Kept)));
        gpu_.fill_bytes(kept_, 0, sizeof(Kept));
    }
    void stage_inputs(const Workload& workload) override {
        inner_->stage_inputs(workload);
        changed_ = workload.x.data != x_;
        x_ = workload.x.data;
    }
    void upload() override {
        wait();
        inner_->upload();
        inner_->prepare_weights();
        inner_->run(nullptr);
        inner_->synchronize();
        inner_->download();
        const Tensor y = inner_->output();
        gpu_.upload(ready_, y.data.data(), bytes());
        const int changed = std::exchange(changed_, false);
        if (changed) gpu_.upload(&kept_->changed, &changed, sizeof changed);
    }
    void poison_output() override {
        wait();
        gpu_.fill_bytes(y_, 0xff, bytes());
    }
    void run(StageClock*) override {
        switch (cheat_) {
            case Cheat::none:
                return work_on(main_);
            case Cheat::other_stream:
                return work_on(own_);
            case Cheat::after_event:
                fork_.record(main_);
                CONVSCOPE_CUDA(cudaStreamWaitEvent(own_, fork_.get()));
                return work_on(own_);
            case Cheat::keeps_result:
                enqueue_work_if_changed(main_, kept_);
                copy(main_);
                return enqueue_end_of_run(main_, kept_);
            case Cheat::writes_nothing:
                enqueue_copy_if_changed(main_, kept_, ready_, y_, static_cast<int>(shape_.y_elements()));
                return enqueue_end_of_run(main_, kept_);
        }
    }
    void synchronize() override { gpu_.synchronize(); }
    void download() override {
        wait();
        fetched_ = Tensor(shape_.n, shape_.k, shape_.out_h(), shape_.out_w());
        gpu_.download(fetched_.data.data(), y_, bytes());
    }
    Tensor output() const override { return fetched_; }
    void release() override {
        inner_->release();
        for (void* memory : {static_cast<void*>(ready_), static_cast<void*>(y_), static_cast<void*>(kept_)})
            if (memory) gpu_.release(memory);
        ready_ = y_ = nullptr;
        kept_ = nullptr;
    }
    std::int64_t workspace_bytes() const override { return 0; }

private:
    static cudaStream_t stream_of(Gpu& gpu) { return static_cast<cudaStream_t>(gpu.stream()); }
    std::size_t bytes() const { return sizeof(float) * static_cast<std::size_t>(shape_.y_elements()); }
    void wait() { CONVSCOPE_CUDA(cudaStreamSynchronize(own_)); }
    void copy(cudaStream_t stream) {
        CONVSCOPE_CUDA(cudaMemcpyAsync(y_, ready_, bytes(), cudaMemcpyDeviceToDevice, stream));
    }
    void work_on(cudaStream_t stream) {
        enqueue_spin_nanoseconds(stream, work_ns);
        copy(stream);
    }

    std::unique_ptr<Execution> inner_;
    const ConvShape shape_;
    Gpu& gpu_;
    const Cheat cheat_;
    const cudaStream_t main_;
    cudaStream_t own_ = nullptr;
    Event fork_;
    float *ready_ = nullptr, *y_ = nullptr;
    Kept* kept_ = nullptr;
    bool changed_ = false;
    std::vector<float> x_;
    Tensor fetched_;
};

class CheatingMethod final : public Method {
public:
    CheatingMethod(const Method& inner, Cheat cheat) : inner_(inner), cheat_(cheat) {
        info_.id = "cheat";
        info_.family = "test";
        info_.device = DeviceKind::cuda;
    }
    const MethodInfo& info() const override { return info_; }
    std::int64_t workspace_bytes(const ConvShape& shape) const override { return inner_.workspace_bytes(shape); }
    std::unique_ptr<Execution> instantiate(const ConvShape& shape, const LaunchConfig& config,
                                           Device& device) const override {
        return std::make_unique<CheatingExecution>(inner_.instantiate(shape, config, device), shape, *device.gpu(),
                                                   cheat_);
    }

private:
    Support can_run(const ConvShape& shape) const override { return inner_.supports(shape); }
    const Method& inner_;
    const Cheat cheat_;
    MethodInfo info_;
};

}  // namespace

std::unique_ptr<Method> make_cheating_method(const Method& inner, Cheat cheat) {
    return std::make_unique<CheatingMethod>(inner, cheat);
}

}  // namespace convscope::testing
