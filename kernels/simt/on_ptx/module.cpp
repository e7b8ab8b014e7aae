// The entry point of this module, which the program calls when it opens it (kernels/registry/modules.cpp).
#include "kernels/registry/compiled_methods.h"
#include "kernels/simt/on_ptx/on_ptx.h"

extern "C" convscope::CompiledMethods* convscope_compiled_methods() {
    static const auto methods = convscope::on_ptx::make_compiled_methods();
    return methods.get();
}
