// Measures a point of a sweep: in this process, in a separate one, or from recorded rows.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/measure/measure.h"
#include "kernels/user_kernel/user_method.h"

namespace convscope {

/// Candidates on one workload that are measured together, sampled in turn.
struct PointRequest {
    WorkloadSpec spec;  ///< validate()d
    std::string device;
    std::vector<Candidate> candidates;
    MeasureOptions options;
    std::optional<Tensor> chained_x = {};  ///< where the spec's source is 'chain'
    std::vector<UserLaunch> own = {};      ///< the variants of a user's own kernel, made for the spec's shape
};

struct PointSinks {
    MeasureSinks measure;
    std::function<void(const std::string&)> phase;    ///< told the work before the first sample; may be empty
    std::function<void(const std::string&)> warning;  ///< told what a user should know of the data; may be empty
};

/// Makes a method of the request's own kernel, if it has one.
inline void add_user_method(Registry& registry, const PointRequest& request) {
    if (request.own.empty()) return;
    const DeviceKind kind = registry.device(request.device).info().kind;
    registry.put(make_user_method(request.own, request.spec.shape, kind));
}

class PointMeasurer {
public:
    virtual ~PointMeasurer() = default;
    /// Rows in the candidates' order; each has gone to the sink as well. A candidate that fails is a row. Throws
    /// OutOfMemory when the host cannot hold the data, Error when the request as a whole cannot be.
    virtual std::vector<Record> measure(const PointRequest&, const PointSinks&, std::stop_token) = 0;
    /// The spec with its data's own sparsity, which files and examples bring with them.
    virtual WorkloadSpec settled(const WorkloadSpec&) = 0;
};

}  // namespace convscope
