// Every call into a CUDA library goes through a check: a failure becomes an Error that says which call failed, where
// and why. After a sticky error (an illegal access) every later call fails the same way, as an Error, not a crash.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace convscope {

/// "<call> failed at <file>:<line>: <why>", with the path from the repository's root.
std::string failed_call(const char* call, const char* file, int line, const std::string& why);

/// Throws Error(failed) unless 'status' is cudaSuccess, and clears an error that is not sticky.
void check_cuda(cudaError_t status, const char* call, const char* file, int line);

/// "an illegal memory access was encountered (cudaErrorIllegalAddress)"
std::string to_string(cudaError_t);

}  // namespace convscope

#define CONVSCOPE_CUDA(call) ::convscope::check_cuda((call), #call, __FILE__, __LINE__)
