// A oneDNN convolution as an Execution.
#pragma once

#include <memory>
#include <vector>

#include "kernels/cpu/aligned_buffer.h"
#include "kernels/method/method.h"
#include "kernels/vendor/onednn_plan.h"

namespace convscope::onednn {

/// x, w and y are kept in the layouts that the library prefers; changing them from and to NCHW happens in staging
/// memory, outside every clock. That is the strongest form of the baseline.
class OnednnExecution final : public Execution {
public:
    /// 'variant' is empty for the best of all, found by measuring in setup() and remembered for the shape.
    OnednnExecution(const ConvShape&, std::optional<Variant> variant);
    ~OnednnExecution() override;

    void setup() override;
    void allocate() override;
    void stage_inputs(const Workload&) override;
    void upload() override;
    void poison_output() override;
    void run(StageClock* stages) override;
    void download() override;
    Tensor output() const override;
    void release() override;
    void teardown() override;
    std::int64_t workspace_bytes() const override;
    std::int64_t library_workspace_bytes() const override;
    std::string choice() const override;
    std::optional<Summation> chosen_summation() const override;

    /// Gives x and w the value 1: for measuring without a workload. After allocate().
    void fill_inputs_with_ones();

private:
    struct Prepared;  // the plan, its primitives and the stream
    struct Memory;    // device memory, in the plan's layouts
    class Reorder;

    ConvShape shape_;
    std::optional<Variant> variant_;
    std::unique_ptr<Prepared> prepared_;
    std::unique_ptr<Memory> memory_;
    std::vector<float> staged_x_, staged_w_, staged_y_;
    std::unique_ptr<Reorder> to_nchw_;  ///< of y
};

/// The fastest variant for the shape, measured once per process.
Variant fastest_variant(const ConvShape&);

}  // namespace convscope::onednn
