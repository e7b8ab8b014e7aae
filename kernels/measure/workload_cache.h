// Caches the data of the last workload and its reference result: a change of launch configuration, methods or scope
// needs neither again, and computing them takes longer than measuring.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "kernels/layers/workload.h"
#include "kernels/reference/reference_result.h"

namespace convscope {

/// Whether two specs build the same arrays, whatever they are called.
bool same_data(const WorkloadSpec&, const WorkloadSpec&);

class WorkloadCache {
public:
    /// Makes x and w unless they are those of the call before; a file that was written again since is read again.
    /// 'made' is called with data that is new. Throws OutOfMemory, Error for a bad file, and Error(failed)
    /// when stopped.
    const Workload& workload(const WorkloadSpec&, const std::function<void(const Workload&)>& made = {},
                             const std::stop_token& = {});
    /// The same for a layer of a network whose input is x (make_chained_workload); always new.
    const Workload& chained(const WorkloadSpec&, Tensor x);
    /// The reference result for the last workload; calls 'before' when it has to be computed. Throws Error(failed) when
    /// stopped.
    const ReferenceResult& reference(const std::function<void()>& before, const std::stop_token& = {});

private:
    void make_room(const ConvShape&);

    std::optional<WorkloadSpec> requested_;
    std::vector<std::filesystem::file_time_type> written_;  ///< when the files of requested_ were
    std::optional<Workload> workload_;
    std::optional<ReferenceResult> reference_;
};

}  // namespace convscope
