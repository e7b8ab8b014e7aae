#include "kernels/method/method_alias.h"

#include <algorithm>
#include <array>

namespace convscope {
namespace {

// Dense kernels that were filed under formats whose zeros they do not skip.
constexpr std::array aliases{MethodAlias{"ecr6", "tensor1", "tensor"}, MethodAlias{"pecr6", "tensor2", "tensor"},
                             MethodAlias{"ocpa3", "tensor3", "tensor"}};

}  // namespace

const MethodAlias* find_method_alias(std::string_view former) {
    const auto found = std::ranges::find(aliases, former, &MethodAlias::former);
    return found == aliases.end() ? nullptr : &*found;
}

std::string_view current_method_id(std::string_view id) {
    const MethodAlias* alias = find_method_alias(id);
    return alias ? alias->id : id;
}

}  // namespace convscope
