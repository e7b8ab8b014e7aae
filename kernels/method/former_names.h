// Methods and tunables that were renamed. Their former names remain valid in records, session files, lessons, figures
// and on the command line.
#pragma once

#include <string>
#include <string_view>

namespace convscope {

struct MethodAlias {
    std::string_view former, id, family;
};

/// The method that once had this id; null for any other id.
const MethodAlias* find_method_alias(std::string_view former);

/// A method's current id, from its current or a former one.
std::string_view current_method_id(std::string_view id);

/// A tunable's current name, from its current or a former one.
std::string_view current_tunable(std::string_view name);

/// Settings as records have them, "NAME=VALUE;NAME=VALUE", with the current names.
std::string current_tunables(std::string_view settings);

}  // namespace convscope
