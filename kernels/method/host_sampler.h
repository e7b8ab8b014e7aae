// Times an execution by the host's clock: for every scope that contains the host's own work, on any device.
#pragma once

#include <functional>
#include <memory>

#include "kernels/core/timing.h"
#include "kernels/method/method.h"

namespace convscope {

/// 'prepare' runs before each sample, untimed, and puts the device's last-level cache into the requested state; it
/// returns when that is done. May be empty. 'execution' outlives the sampler and is ready to run() before and after
/// each sample. 'waited_us' returns how long the computing threads have waited for a core so far: a sample in which
/// they waited has been lengthened. Empty where that is not known.
std::unique_ptr<Sampler> make_host_sampler(Execution& execution, TimingScope, std::function<void()> prepare,
                                           std::function<double()> waited_us = {});

}  // namespace convscope
