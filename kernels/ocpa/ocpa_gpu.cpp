// Has no kernel of its own; registered in each dialect, beside the methods that it chooses from.
#include "kernels/ocpa/ocpa_method.h"
#include "kernels/simt/gpu_families.h"

namespace convscope::CONVSCOPE_DIALECT {

void register_ocpa(Registry& registry) {
    registry.add(make_ocpa(registry, device_kind));
    registry.add(make_ocpa2(registry, device_kind));
}

}  // namespace convscope::CONVSCOPE_DIALECT
