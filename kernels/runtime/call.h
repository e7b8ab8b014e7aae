// A call of the program's: with the GPU to itself, and whatever goes wrong in it as the error that it returns and as a
// report.
#pragma once

#include <type_traits>

#include "kernels/runtime/gpu.h"

namespace convscope::runtime {

cudaError_t run_call(const char* name, void (*function)(void*), void* context);

/// 'function' throws Fault for an error.
template <class F>
cudaError_t call(const char* name, F&& function) {
    return run_call(
        name, [](void* f) { (*static_cast<std::remove_reference_t<F>*>(f))(); }, &function);
}

/// The latest error of this thread's calls; with 'take' it is forgotten.
cudaError_t last_error(bool take);
/// The next fault is that of a launch with <<<>>>, whose error nobody sees who does not ask for it. Under the GPU's
/// mutex, as in a call.
void expect_question();
/// At the end of the process: the faults of launches that nobody has asked for.
void report_unseen();

/// "cudaErrorInvalidValue"; null: there is no such error here.
const char* error_name(cudaError_t);
const char* error_text(cudaError_t);

}  // namespace convscope::runtime

#define CUDA_API extern "C" __attribute__((visibility("default")))
