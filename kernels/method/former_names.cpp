#include "kernels/method/former_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace convscope {
namespace {

// Dense kernels that were filed under formats whose zeros they do not skip.
constexpr std::array aliases{MethodAlias{"ecr6", "tensor1", "tensor"}, MethodAlias{"pecr6", "tensor2", "tensor"},
                             MethodAlias{"ocpa3", "tensor3", "tensor"}};

// One setting that had a name of its own in each family, and one that had no term of the field.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> tunables{{{"parts", "split_k"},
                                                                                 {"slices", "split_k"},
                                                                                 {"split", "split_k"},
                                                                                 {"splits", "split_k"},
                                                                                 {"flush", "promotion_interval"}}};

}  // namespace

const MethodAlias* find_method_alias(std::string_view former) {
    const auto found = std::ranges::find(aliases, former, &MethodAlias::former);
    return found == aliases.end() ? nullptr : &*found;
}

std::string_view current_method_id(std::string_view id) {
    const MethodAlias* alias = find_method_alias(id);
    return alias ? alias->id : id;
}

std::string_view current_tunable(std::string_view name) {
    const auto found = std::ranges::find(tunables, name, &std::pair<std::string_view, std::string_view>::first);
    return found == tunables.end() ? name : found->second;
}

std::string current_tunables(std::string_view settings) {
    std::string current;
    for (std::size_t begin = 0; begin <= settings.size();) {
        const std::size_t end = std::min(settings.find(';', begin), settings.size());
        const std::string_view setting = settings.substr(begin, end - begin);
        const std::size_t sign = std::min(setting.find('='), setting.size());
        if (!current.empty()) current += ';';
        current += current_tunable(setting.substr(0, sign));
        current += setting.substr(sign);
        begin = end + 1;
    }
    return current;
}

}  // namespace convscope
