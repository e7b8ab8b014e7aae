// A module that rejects, one that throws, and one that offers nothing: see CMakeLists.txt.
#include <stdexcept>

#include "kernels/method/registry.h"
#include "kernels/registry/compiled_methods.h"

#if defined(MODULE_REJECTS)
extern "C" const char* convscope_register(convscope::Registry&) {
    return "the test does not want to";
}
#elif defined(MODULE_THROWS)
extern "C" const char* convscope_register(convscope::Registry&) {
    throw std::runtime_error("the test threw this");
}
extern "C" convscope::CompiledMethods* convscope_compiled_methods() {
    throw std::runtime_error("the test threw this, too");
}
#endif
