#include "tests/kernels/records/json_schema.h"

#include <algorithm>
#include <regex>

namespace convscope::testing {
namespace {

using nlohmann::json;

bool is_of_type(const json& value, const std::string& type) {
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number_integer();
    return type == value.type_name();  // "object", "array", "string", "boolean", "null"
}

bool is_of_type(const json& value, const json& types) {
    if (types.is_string()) return is_of_type(value, types.get<std::string>());
    return std::any_of(types.begin(), types.end(),
                       [&](const json& type) { return is_of_type(value, type.get<std::string>()); });
}

/// RFC 3339.
const std::regex date_time(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d))");

}  // namespace

std::vector<std::string> schema_errors(const json& schema, const json& value, const std::string& path) {
    std::vector<std::string> errors;
    const auto wrong = [&](const std::string& what) { errors.push_back(path + ": " + what); };
    const auto inside = [&](const json& part, const json& of, const std::string& name) {
        for (std::string& error : schema_errors(part, of, path + "/" + name)) errors.push_back(std::move(error));
    };
    if (schema.contains("type") && !is_of_type(value, schema["type"]))
        wrong("is " + std::string(value.type_name()) + ", not " + schema["type"].dump());
    if (schema.contains("const") && value != schema["const"]) wrong("is not " + schema["const"].dump());
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
        wrong(value.dump() + " is none of " + schema["enum"].dump());
    if (schema.contains("anyOf") && std::none_of(schema["anyOf"].begin(), schema["anyOf"].end(),
                                                 [&](const json& one) { return schema_errors(one, value).empty(); }))
        wrong(value.dump() + " is none of " + schema["anyOf"].dump());
    if (value.is_string()) {
        const auto text = value.get<std::string>();
        if (schema.contains("pattern") && !std::regex_search(text, std::regex(schema["pattern"].get<std::string>())))
            wrong(value.dump() + " does not match " + schema["pattern"].dump());
        if (schema.value("format", "") == "date-time" && !std::regex_match(text, date_time))
            wrong(value.dump() + " is no date-time");
    }
    if (value.is_array() && schema.contains("items"))
        for (std::size_t i = 0; i < value.size(); ++i) inside(schema["items"], value[i], std::to_string(i));
    if (!value.is_object()) return errors;
    if (schema.contains("required"))
        for (const json& name : schema["required"])
            if (!value.contains(name.get<std::string>())) wrong("has no " + name.dump());
    for (const auto& [name, part] : value.items()) {
        if (schema.contains("properties") && schema["properties"].contains(name))
            inside(schema["properties"][name], part, name);
        else if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
            inside(schema["additionalProperties"], part, name);
    }
    return errors;
}

}  // namespace convscope::testing
