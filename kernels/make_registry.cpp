#include "kernels/core/registry.h"
#include "kernels/cpu/cpu_device.h"
#include "kernels/modules.h"
#include "kernels/register_families.h"

namespace convscope {

std::unique_ptr<Registry> make_registry() {
    auto registry = std::make_unique<Registry>();
    registry->add(make_cpu_device(""));
    register_families(*registry);
    load_modules(*registry);
    return registry;
}

}  // namespace convscope
