#include "kernels/simt/kernel_registers.h"

#include <algorithm>
#include <iterator>

namespace convscope {
namespace {

struct Row {
    std::string_view kernel;
    int registers;
};
constexpr Row table[] = {
#include "kernels/simt/kernel_registers.inc"
};

}  // namespace

int compiled_registers(std::string_view kernel) {
    const Row* found =
        std::find_if(std::begin(table), std::end(table), [&](const Row& row) { return row.kernel == kernel; });
    return found == std::end(table) ? 0 : found->registers;
}

}  // namespace convscope
