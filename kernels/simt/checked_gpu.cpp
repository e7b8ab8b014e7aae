#include "kernels/simt/checked_gpu.h"

#include <stdexcept>
#include <utility>

#include "kernels/simt/checker.h"

namespace convscope::simt {

Checker& checker_of(Gpu& gpu) {
    auto* watched = dynamic_cast<Watched*>(&gpu);
    if (!watched) throw std::logic_error("a checked kernel was launched on a Gpu that is not watched");
    return watched->checker();
}

CheckedLaunch::CheckedLaunch(Checker& watching, const KernelLaunch& launch)
    : checker_(watching), outer_(std::exchange(checker, &watching)), launch_(launch) {}

CheckedLaunch::~CheckedLaunch() {
    checker = outer_;
}

void CheckedLaunch::run(const std::vector<KernelArgument>& arguments, const std::function<void()>& thread) const {
    run_grid_checked(launch_, arguments, checker_, thread);
}

}  // namespace convscope::simt
