#include "app/own_kernel/kernel_call.h"

#include <fmt/format.h>

#include <charconv>

#include "app/own_kernel/generated_array.h"
#include "kernels/core/error.h"

namespace convscope::app {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> whole_defines(const KernelCall& call) {
    std::vector<std::pair<std::string, std::int64_t>> whole;
    for (const std::string& define : call.defines) {
        const std::size_t equals = define.find('=');
        if (equals == std::string::npos) continue;
        if (const auto value = whole_number(std::string_view(define).substr(equals + 1)))
            whole.emplace_back(define.substr(0, equals), *value);
    }
    return whole;
}

std::vector<KernelCall> variants_of(const KernelCall& call) {
    constexpr std::size_t most = 256;
    std::vector<KernelCall> variants{call};
    for (std::size_t i = 0; i < call.defines.size(); ++i) {
        const std::string& define = call.defines[i];
        const std::size_t equals = define.find('=');
        if (equals == std::string::npos) continue;
        const std::vector<std::string> values = parts_of_list(define.substr(equals + 1));
        if (values.size() < 2) continue;
        std::vector<KernelCall> more;
        for (const KernelCall& variant : variants)
            for (const std::string& value : values) {
                if (!whole_number(value))
                    throw Error(ErrorKind::usage, fmt::format("--define {}: '{}' is no whole number; a list of values "
                                                              "is of whole numbers",
                                                              define, value));
                more.push_back(variant);
                more.back().defines[i] = define.substr(0, equals + 1) + value;
                if (more.size() > most)
                    throw Error(ErrorKind::usage, fmt::format("--define: there are more than {} variants", most));
            }
        variants = std::move(more);
    }
    return variants;
}

}  // namespace convscope::app
