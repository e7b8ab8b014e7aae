// Unsupported calls fail, and report that once for each place that calls them.
#include "kernels/runtime/call.h"

using convscope::runtime::call;
using convscope::runtime::Fault;

#define NOT_SUPPORTED(name)                                                                              \
    CUDA_API cudaError_t name() {                                                                        \
        return call(#name, [] {                                                                          \
            throw Fault{cudaErrorNotSupported, "not_supported", "is not there on the simulated GPU", 0}; \
        });                                                                                              \
    }
#include "kernels/runtime/not_supported.inc"

CUDA_API void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) {}
