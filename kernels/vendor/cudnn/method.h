// cuDNN as registered methods: each forward algorithm, and the best of them in three precisions.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/method.h"
#include "kernels/vendor/cudnn/algorithm.h"

namespace convscope::cudnn {

/// Every field of a shape, as the key of a map.
using ShapeKey = std::array<std::int64_t, 14>;
ShapeKey key_of(const ConvShape&);

class CudnnMethod final : public Method {
public:
    /// With one candidate the method is that algorithm; with several it is the fastest of them, found by measuring.
    CudnnMethod(MethodInfo, std::vector<Choice> candidates);

    const MethodInfo& info() const override { return info_; }
    /// Asks cuDNN, on the first GPU; the answer is kept by shape. May be called on any thread.
    Support supports(const ConvShape&) const override;
    std::int64_t workspace_bytes(const ConvShape&) const override;
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const override;

    const std::vector<Choice>& candidates() const { return candidates_; }
    /// The choice made earlier for this shape on this device.
    std::optional<Choice> chosen(const std::string& device, const ConvShape&) const;
    void choose(const std::string& device, const ConvShape&, const Choice&) const;

private:
    struct Answer {
        Support support;
        std::int64_t workspace_bytes = -1;  ///< of the only candidate
    };
    Answer ask(const ConvShape&) const;

    MethodInfo info_;
    std::vector<Choice> candidates_;
    mutable std::mutex mutex_;
    mutable std::map<ShapeKey, Answer> answers_;
    mutable std::map<std::pair<std::string, ShapeKey>, Choice> chosen_;
};

}  // namespace convscope::cudnn
