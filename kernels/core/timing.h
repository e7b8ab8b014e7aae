// Terms of measuring that methods, devices and the measuring code share.
#pragma once

#include <functional>
#include <string>

namespace convscope {

/// The timed part of a call. Each scope contains the one before it.
enum class TimingScope {
    kernel,  ///< the method's own work on the device, inputs resident (CUDA: graph replay)
    launch,  ///< one call, from the host's call to completion
    copies,  ///< + host-device copies of x, w and y
    alloc,   ///< + allocating and freeing x, w, y and the workspace
    setup,   ///< + making and destroying library handles and plans, as Xu's public programs time it
};
const char* to_string(TimingScope);
TimingScope parse_scope(const std::string&);  ///< throws Error(usage) that lists the names

enum class CacheMode {
    hot,   ///< as the method's own previous run left it
    cold,  ///< the last-level cache flushed before every sample
};
const char* to_string(CacheMode);
CacheMode parse_cache(const std::string&);

/// The share of a timed run that threads may wait for a core before the run counts as lengthened: so little disappears
/// in the other variation.
inline constexpr double tolerated_wait = 0.02;

/// One measurement at a time of one execution: the state between samples (graphs, events) lives here.
class Sampler {
public:
    virtual ~Sampler() = default;
    /// Runs once more and returns the timed microseconds. Throws Error when the device fails.
    virtual double sample_us() = 0;
    /// For checks: the time of a single run right after 'refresh', which may change the inputs. There is no other run
    /// in between, and only the timed work is waited for.
    virtual double single_run_us(const std::function<void()>& refresh) = 0;
    /// Whether the last sample, or the work after it, took longer because threads had to wait for a core, as far as
    /// that is known.
    virtual bool lengthened() const { return false; }
    /// Says how it was timed, where that differs from the usual way of its scope; empty otherwise.
    virtual std::string note() const { return {}; }
};

/// Receives the stages of one run in order. A method calls mark() as each stage begins.
class StageClock {
public:
    virtual ~StageClock() = default;
    virtual void mark(const char* stage) = 0;
};

}  // namespace convscope
