// The clock of the CPU: one sample per timing scope, caches hot or flushed.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/core/timing.h"
#include "kernels/method/method.h"

namespace convscope {

/// On the CPU the scopes kernel and launch are the same: run() returns when it is done.
/// 'last_level_cache_bytes' sizes the buffer that a cold sample streams through first.
std::unique_ptr<Sampler> make_cpu_sampler(Execution&, TimingScope, CacheMode, std::int64_t last_level_cache_bytes);

}  // namespace convscope
