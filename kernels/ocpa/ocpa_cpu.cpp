#include "kernels/ocpa/ocpa_method.h"

namespace convscope {

void register_ocpa(Registry& registry) {
    registry.add(make_ocpa(registry, DeviceKind::cpu));
}

}  // namespace convscope
