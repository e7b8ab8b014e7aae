// The interface of this folder for the module.
#pragma once

#include <memory>

#include "kernels/registry/compiled_methods.h"

namespace convscope::on_ptx {

std::unique_ptr<CompiledMethods> make_compiled_methods();

}  // namespace convscope::on_ptx
