// FFTW behind the one transform that our methods use.
#pragma once

#include <memory>

#include "kernels/method/batched_fft.h"

namespace convscope {

/// How long FFTW may look for the fastest plan.
enum class FftEffort {
    estimate,  ///< takes the first: the same plan, and so the same rounding, every time
    measure,   ///< tries several, for a second at most
};

/// A plan for one shape and direction; maps as FftShape lays them out, in memory aligned to 16 bytes.
class MapTransform {
public:
    MapTransform(const FftShape&, FftDirection, FftEffort);
    ~MapTransform();
    MapTransform(MapTransform&&) noexcept;
    MapTransform& operator=(MapTransform&&) noexcept;

    /// In place. All threads: one map each, or all at one map where there are fewer maps than threads.
    void run(float* maps) const;

private:
    struct Plan;
    std::unique_ptr<Plan> plan_;
};

}  // namespace convscope
