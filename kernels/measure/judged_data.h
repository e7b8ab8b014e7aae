// The data of the last workload and what the judge makes of it: a change of launch configuration, methods or scope
// leaves both as they are, and computing them takes longer than measuring.
#pragma once

#include <functional>
#include <optional>

#include "kernels/core/workload.h"
#include "kernels/reference/judge.h"

namespace convscope {

/// Whether two specs build the same arrays, whatever they are called.
bool same_data(const WorkloadSpec&, const WorkloadSpec&);

class JudgedData {
public:
    /// Makes x and w unless they are those of the call before. Throws OutOfMemory, and Error for a bad file.
    const Workload& workload(const WorkloadSpec&);
    /// The judge's result for the last workload; 'before' is called when it has to be computed.
    const Judgement& judgement(const std::function<void()>& before);

private:
    std::optional<WorkloadSpec> asked_;
    std::optional<Workload> workload_;
    std::optional<Judgement> judgement_;
};

}  // namespace convscope
