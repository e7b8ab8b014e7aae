// Methods that were renamed. Their former ids stay readable, in records, session files and on the command line.
#pragma once

#include <string_view>

namespace convscope {

struct MethodAlias {
    std::string_view former, id, family;
};

/// The method that once had this id; null for an id that is nobody's former one.
const MethodAlias* find_method_alias(std::string_view former);

/// The id that a method has now, of one that it has or once had.
std::string_view current_method_id(std::string_view id);

}  // namespace convscope
