#include "kernels/core/version.h"

namespace convscope {

const char* program_version() {
    return CONVSCOPE_VERSION;
}

}  // namespace convscope
