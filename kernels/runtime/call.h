// Wraps a call that the program makes: takes the GPU's mutex, and turns every failure into the returned error and a
// report.
#pragma once

#include <type_traits>

#include "kernels/runtime/gpu.h"

namespace convscope::runtime {

cudaError_t run_call(const char* name, void (*function)(void*), void* context);

/// 'function' throws Fault to return an error.
template <class F>
cudaError_t call(const char* name, F&& function) {
    return run_call(
        name, [](void* f) { (*static_cast<std::remove_reference_t<F>*>(f))(); }, &function);
}

/// The latest error of this thread's calls; 'take' clears it.
cudaError_t last_error(bool take);
/// Announces a launch with <<<>>>: the next fault is its own, and nobody sees its error without asking for it. Under
/// the GPU's mutex, as in a call.
void expect_question();
/// Reports, at the end of the process, the faults of launches whose error nobody has asked for.
void report_unseen();

/// "cudaErrorInvalidValue"; null: not an error of this runtime.
const char* error_name(cudaError_t);
const char* error_text(cudaError_t);

}  // namespace convscope::runtime

#define CUDA_API extern "C" __attribute__((visibility("default")))
