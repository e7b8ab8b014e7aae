#include "kernels/runtime/host_faults.h"

#include <signal.h>
#include <ucontext.h>

#include "kernels/runtime/gpu.h"

namespace convscope::runtime {
namespace {

struct sigaction before;  // what the program itself had, or the system's

/// The instruction is run again when this returns: what may go on does, and what may not ends as without us.
void take(int, siginfo_t* info, void* context) {
    if (info->si_code <= 0) {  // somebody has sent it
        sigaction(SIGSEGV, &before, nullptr);
        raise(SIGSEGV);
        return;
    }
    const auto* const machine = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
    const bool writes = machine->uc_mcontext.gregs[REG_ERR] & 2;
    const auto at = static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_RIP]);
#else
    const bool writes = false;
    const std::uint64_t at = machine->uc_mcontext.pc;
#endif
    Gpu& gpu = Gpu::get();
    const std::lock_guard lock(gpu.mutex);
    const AsIfFrom place(frames_here(at));
    if (!gpu.take_segmentation_fault(reinterpret_cast<std::uint64_t>(info->si_addr), writes))
        sigaction(SIGSEGV, &before, nullptr);
}

}  // namespace

void watch_host_faults() {
    static const bool watched = [] {
        struct sigaction ours {};
        ours.sa_sigaction = take;
        ours.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigaction(SIGSEGV, &ours, &before);
        return true;
    }();
    (void)watched;
}

NoFaultHandling::NoFaultHandling() {
    // Linux ends a process by a fault whose signal is blocked.
    sigset_t fault;
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    pthread_sigmask(SIG_BLOCK, &fault, &before_);
}

NoFaultHandling::~NoFaultHandling() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace convscope::runtime
