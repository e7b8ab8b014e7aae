// A grouped convolution on the CPU as what it is: one convolution for each group.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/method/method.h"

namespace convscope {

/// Runs the groups one after the other, each by an execution of its own with its own copy of its channels and its own
/// workspace. Splitting x and joining y is a matter of the staging memory's layout.
class GroupedExecution final : public Execution {
public:
    using MakeGroup = std::function<std::unique_ptr<Execution>(const ConvShape& one_group)>;
    GroupedExecution(const ConvShape&, const MakeGroup&);

    void setup() override;
    void allocate() override;
    void stage_inputs(const Workload&) override;
    void upload() override;
    void prepare_weights() override;
    void poison_output() override;
    void run(StageClock* stages) override;
    void download() override;
    Tensor output() const override;
    void release() override;
    void teardown() override;
    std::int64_t workspace_bytes() const override;
    std::int64_t library_workspace_bytes() const override;
    std::string choice() const override { return groups_.front()->choice(); }  ///< the groups are alike
    std::optional<Summation> chosen_summation() const override { return groups_.front()->chosen_summation(); }

private:
    const ConvShape shape_;
    std::vector<std::unique_ptr<Execution>> groups_;
};

}  // namespace convscope
