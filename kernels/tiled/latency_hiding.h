// The work in flight that hides the latency of global memory on a GPU: Chang et al., Section 2.2 and Table 1.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/device_model.h"
#include "kernels/core/launch.h"

namespace convscope {

/// Two ways: keep every SM's arithmetic busy while the next data are under way (n_fma), or keep so many bytes under way
/// that global memory is never idle (v_s).
struct LatencyHiding {
    std::int64_t n_fma = 0;               ///< N_FMA: operations of one SM during one latency
    std::int64_t bytes_per_cycle = 0;     ///< 'transmission rate', whole bytes, of the whole GPU
    std::int64_t requirement = 0;         ///< 'data requirement': bytes under way during one latency
    std::int64_t warps_per_sm = 0;        ///< 'warp requirement': each thread of them fetches 4 bytes
    std::int64_t threads_per_sm = 0;      ///< 'thread requirement'
    std::int64_t requirement_per_sm = 0;  ///< 'data requirement/SM'
    std::int64_t v_s = 0;                 ///< V_s: the requirement as whole warps of every SM fetch it
};

/// Whether the model has the figures that this needs; names what is missing.
Support has_rates(const DeviceModel&);

/// Expects a model that has its rates.
LatencyHiding latency_hiding(const DeviceModel&);

std::vector<Quantity> quantities(const LatencyHiding&);

}  // namespace convscope
