// Writes the cost of launches and warps as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "kernels/core/launch.h"
#include "kernels/simt/block_cost.h"

namespace convscope::cli {

using Json = nlohmann::ordered_json;

inline Json triple(const Dim3& d) {
    return {d.x, d.y, d.z};
}

inline Json triple(const simt::Index3& i) {
    return {i.x, i.y, i.z};
}

inline Json global_cost(const simt::MemoryCost& cost) {
    return {{"requests", cost.requests},
            {"sectors", cost.sectors},
            {"lines", cost.lines},
            {"bytes_wanted", cost.bytes_wanted},
            {"bytes_moved", cost.bytes_moved()}};
}

inline Json shared_cost(const simt::MemoryCost& cost) {
    return {{"requests", cost.requests}, {"wavefronts", cost.wavefronts}, {"bank_conflicts", cost.bank_conflicts}};
}

}  // namespace convscope::cli
