// cuDNN's forward algorithms as registered methods: each of them, and the best of them in three precisions.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/vendor/cudnn/algorithm.h"
#include "kernels/vendor/cudnn/graph_choices.h"
#include "kernels/vendor/cudnn/pipeline.h"

namespace convscope::cudnn {

class AlgorithmMethod final : public PipelineMethod {
public:
    /// With one candidate the method is that algorithm; with several it is the fastest of them, found by measuring. No
    /// algorithm takes padding that differs by side: where info.takes has it, the graph API's engines run such shapes.
    AlgorithmMethod(MethodInfo, std::vector<Choice> candidates);

    const MethodInfo& info() const override { return info_; }
    /// Asks cuDNN, on the first GPU; the answer is kept by shape. May be called on any thread.
    std::int64_t workspace_bytes(const ConvShape&) const override;
    ExecutedWork executed(const Workload&, const std::string& choice) const override;
    std::unique_ptr<Pipeline> make_pipeline(Gpu&, cudnnHandle_t, const std::string& device,
                                            const ConvShape&) const override;

private:
    Support can_run(const ConvShape&) const override;
    Choice choose(Gpu&, cudnnHandle_t, const std::string& device, const ConvShape&) const;

    struct Answer {
        Support support;
        std::int64_t workspace_bytes = -1;  ///< of the only candidate
    };
    Answer ask(const ConvShape&) const;

    MethodInfo info_;
    std::vector<Choice> candidates_;
    GraphChoices by_side_;
    mutable std::mutex mutex_;
    mutable std::map<std::string, Answer> answers_;
    mutable std::map<std::pair<std::string, std::string>, Choice> chosen_;
};

}  // namespace convscope::cudnn
