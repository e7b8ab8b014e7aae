// The part of JSON Schema that the tests of exported files need: type, const, enum, pattern, anyOf, required,
// properties, additionalProperties (a schema), items, and the format date-time.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace convscope::testing {

/// Every mismatch of the value with the schema, as "/path: what is wrong"; empty when there is none.
std::vector<std::string> schema_errors(const nlohmann::json& schema, const nlohmann::json& value,
                                       const std::string& path = {});

}  // namespace convscope::testing
