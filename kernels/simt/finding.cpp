#include "kernels/simt/finding.h"

#include <fmt/format.h>

#include <cstring>

namespace convscope::simt {

const char* to_string(FindingKind kind) {
    constexpr const char* names[] = {"out_of_bounds", "misaligned",        "uninitialised",
                                     "race",          "divergent_barrier", "endless"};
    return names[static_cast<int>(kind)];
}

std::string place(const std::source_location& at) {
    const char* slash = std::strrchr(at.file_name(), '/');
    return fmt::format("{}:{}", slash ? slash + 1 : at.file_name(), at.line());
}

std::string name_of(const Index3& thread) {
    return fmt::format("thread ({},{},{})", thread.x, thread.y, thread.z);
}

std::string name_of_block(const Dim3& block) {
    return fmt::format("block ({},{},{})", block.x, block.y, block.z);
}

}  // namespace convscope::simt
