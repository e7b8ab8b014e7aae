// Methods that were renamed. Their former ids remain valid in records, session files and on the command line.
#pragma once

#include <string_view>

namespace convscope {

struct MethodAlias {
    std::string_view former, id, family;
};

/// The method that once had this id; null for any other id.
const MethodAlias* find_method_alias(std::string_view former);

/// A method's current id, from its current or a former one.
std::string_view current_method_id(std::string_view id);

}  // namespace convscope
