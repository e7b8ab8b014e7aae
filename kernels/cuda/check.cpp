#include "kernels/cuda/check.h"

#include <fmt/format.h>

#include <string_view>

#include "kernels/core/error.h"

namespace convscope {

std::string to_string(cudaError_t status) {
    return fmt::format("{} ({})", cudaGetErrorString(status), cudaGetErrorName(status));
}

std::string failed_call(const char* call, const char* file, int line, const std::string& why) {
    std::string_view path = file;
    if (const auto root = path.rfind("kernels/"); root != path.npos) path.remove_prefix(root);
    return fmt::format("{} failed at {}:{}: {}", call, path, line, why);
}

void check_cuda(cudaError_t status, const char* call, const char* file, int line) {
    if (status == cudaSuccess) return;
    cudaGetLastError();  // else the next, unrelated call would report this error again
    throw Error(ErrorKind::failed, failed_call(call, file, line, to_string(status)));
}

}  // namespace convscope
