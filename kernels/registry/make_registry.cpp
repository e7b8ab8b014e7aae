#include "kernels/cpu/cpu_device.h"
#include "kernels/method/registry.h"
#include "kernels/registry/compiled_on_sim.h"
#include "kernels/registry/modules.h"
#include "kernels/registry/register_families.h"
#ifdef CONVSCOPE_HAVE_ONEDNN
#include "kernels/vendor/onednn.h"
#endif

namespace convscope {
namespace {

std::string cpu_vendor_version() {
#ifdef CONVSCOPE_HAVE_ONEDNN
    return onednn_version();
#else
    return {};
#endif
}

}  // namespace

std::unique_ptr<Registry> make_registry() {
    auto registry = std::make_unique<Registry>();
    registry->add(make_cpu_device(cpu_vendor_version()));
    register_families(*registry);
    register_compiled_on_sim(*registry);
    load_modules(*registry);
    return registry;
}

}  // namespace convscope
