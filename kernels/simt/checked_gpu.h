// The operations that the checked dialect's launches need from a Gpu.
#pragma once

#include <functional>
#include <vector>

#include "kernels/core/launch.h"
#include "kernels/method/gpu.h"
#include "kernels/simt/kernel_argument.h"

namespace convscope::simt {

class Checker;

/// A simulated Gpu whose memory is watched. Kernels of the checked dialect run on no other.
class Watched {
public:
    virtual ~Watched() = default;
    virtual Checker& checker() = 0;
};

/// Throws std::logic_error for a Gpu that is not Watched.
Checker& checker_of(Gpu&);

/// One launch, from the making of its arguments to its end.
class CheckedLaunch {
public:
    CheckedLaunch(Checker&, const KernelLaunch&);
    ~CheckedLaunch();
    CheckedLaunch(const CheckedLaunch&) = delete;
    CheckedLaunch& operator=(const CheckedLaunch&) = delete;
    void run(const std::vector<KernelArgument>& arguments, const std::function<void()>& thread) const;

private:
    Checker& checker_;
    Checker* const outer_;
    const KernelLaunch& launch_;
};

}  // namespace convscope::simt
