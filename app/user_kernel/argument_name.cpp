#include "app/user_kernel/argument_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "kernels/core/text.h"
#include "kernels/ptx/text/source_constants.h"

namespace convscope::app {
namespace {

/// The members of a structure: "n" and "w[3][3]" of "p", with those of structures as one.
std::vector<std::string> members_of(const ptx::KernelText& text, const std::string& structure) {
    std::vector<std::string> members;
    for (const ptx::ParameterText& parameter : text.parameters) {
        if (!parameter.name.starts_with(structure)) continue;
        const std::string behind = parameter.name.substr(structure.size());
        if (!behind.starts_with('.') && !behind.starts_with('[')) continue;
        const std::size_t begin = behind[0] == '.' ? 1 : 0, end = behind.find_first_of(".[", 1);
        std::string member = behind.substr(begin, end == std::string::npos ? end : end - begin);
        if (end == std::string::npos && parameter.member)
            for (const std::int64_t extent : parameter.member->shape) member += fmt::format("[{}]", extent);
        if (std::ranges::find(members, member) == members.end()) members.push_back(std::move(member));
    }
    return members;
}

/// Lists names as a sentence has them.
std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t max_named = 24;
    if (names.empty()) return "none";
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), max_named));
    return fmt::format("{}{}", fmt::join(names.begin(), end, ", "),
                       names.size() > max_named ? fmt::format(" and {} more", names.size() - max_named) : "");
}

}  // namespace

std::optional<MemberElement> element_named(const ptx::KernelText& text, const std::string& name) {
    if (!name.ends_with(']')) return std::nullopt;
    for (std::size_t i = 0; i < text.parameters.size(); ++i) {
        const ptx::ParameterText& parameter = text.parameters[i];
        if (!parameter.member || !name.starts_with(parameter.name + "[")) continue;
        const std::string indices = name.substr(parameter.name.size());
        std::size_t at = 0, element = 0;
        for (const std::int64_t extent : parameter.member->shape) {
            const std::size_t close = indices.find(']', at);
            if (close == std::string::npos || indices[at] != '[') return std::nullopt;
            const auto index = ptx::whole_number(indices.substr(at + 1, close - at - 1));
            if (!index || *index < 0 || *index >= extent) return std::nullopt;
            element = element * static_cast<std::size_t>(extent) + static_cast<std::size_t>(*index);
            at = close + 1;
        }
        if (at == indices.size()) return MemberElement{i, element};
    }
    return std::nullopt;
}

bool takes_argument(const ptx::KernelText& text, const std::string& name) {
    return std::ranges::find(launch_names, name) != launch_names.end() || text.variables.contains(name) ||
           text.structures.contains(name) || element_named(text, name) ||
           std::ranges::find(text.parameters, name, &ptx::ParameterText::name) != text.parameters.end();
}

std::string why_not_taken(const ptx::KernelText& text, const std::string& name) {
    for (std::size_t end = name.find_last_of(".["); end != std::string::npos && end > 0;
         end = name.find_last_of(".[", end - 1)) {
        const std::string before = name.substr(0, end);
        if (const auto structure = text.structures.find(before); structure != text.structures.end())
            return fmt::format("{}: {} ({}) has no such member; it has {}", name, before, structure->second,
                               list_of(members_of(text, before)));
        const auto array = std::ranges::find(text.parameters, before, &ptx::ParameterText::name);
        if (array == text.parameters.end()) continue;
        if (!array->member || array->member->shape.empty()) break;
        return fmt::format("{}: {} ({}[{}]) has no such element", name, before, array->type,
                           fmt::join(array->member->shape, "]["));
    }
    std::vector<std::string> known;
    for (const ptx::ParameterText& parameter : text.parameters) {
        std::string of_kernel = parameter.name.substr(0, parameter.name.find_first_of(".["));
        if (known.empty() || known.back() != of_kernel) known.push_back(std::move(of_kernel));
    }
    return fmt::format("{}: the kernel {} has no such parameter; it has {}", name, text.name, list_of(known));
}

std::vector<std::string> structures_around(const ptx::KernelText& text, const std::string& member) {
    std::vector<std::string> around;
    for (std::size_t end = member.find_last_of(".["); end != std::string::npos && end > 0;
         end = member.find_last_of(".[", end - 1))
        if (text.structures.contains(member.substr(0, end))) around.push_back(member.substr(0, end));
    return around;
}

std::string own_name(const std::string& name) {
    return name.substr(name.rfind('.') + 1);
}

}  // namespace convscope::app
