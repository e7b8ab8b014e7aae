#include "app/user_kernel/kernel_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/ptx/text/source_constants.h"

namespace convscope::app {
namespace {

bool is_name(const std::string& text) {
    const auto in_name = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) && std::ranges::all_of(text, in_name);
}

}  // namespace

void set_file_and_entry(KernelCall& call, const std::string& text) {
    const std::size_t colon = text.rfind(':');
    const bool has_entry = colon != std::string::npos && colon > 0 && !std::filesystem::exists(text);
    call.file = has_entry ? text.substr(0, colon) : text;
    call.entry = has_entry ? text.substr(colon + 1) : "";
}

std::string name_of_define(const std::string& define) {
    return define.substr(0, define.find('='));
}

std::vector<std::pair<std::string, std::int64_t>> whole_defines(const KernelCall& call) {
    std::vector<std::pair<std::string, std::int64_t>> whole;
    for (const std::string& define : call.defines) {
        const std::size_t equals = define.find('=');
        if (equals == std::string::npos) continue;
        const auto value = ptx::whole_number(define.substr(equals + 1));
        if (value && is_name(name_of_define(define))) whole.emplace_back(name_of_define(define), *value);
    }
    return whole;
}

std::vector<KernelCall> variants_of(const KernelCall& call) {
    constexpr std::size_t most = 256;
    std::set<std::string> names;
    for (const std::string& define : call.defines) {
        const std::string name = name_of_define(define);
        if (!is_name(name.substr(0, name.find('('))))
            throw Error(ErrorKind::usage,
                        fmt::format("--define: '{}' is not accepted; give NAME or NAME=VALUE", define));
        if (!names.insert(name).second) throw Error(ErrorKind::usage, fmt::format("--define: {} is given twice", name));
    }
    std::vector<KernelCall> variants{call};
    for (std::size_t i = 0; i < call.defines.size(); ++i) {
        const std::string& define = call.defines[i];
        const std::size_t equals = define.find('=');
        if (equals == std::string::npos) continue;
        const std::vector<std::string> values = split_list(define.substr(equals + 1));
        // A list that begins with no number is text of the program: "F={1,2}".
        if (values.size() < 2 || !ptx::whole_number(values.front())) continue;
        if (std::set<std::string>(values.begin(), values.end()).size() != values.size())
            throw Error(ErrorKind::usage, fmt::format("--define {}: a value is given twice", define));
        std::vector<KernelCall> more;
        for (const KernelCall& variant : variants)
            for (const std::string& value : values) {
                if (!ptx::whole_number(value))
                    throw Error(ErrorKind::usage,
                                fmt::format("--define {}: '{}' is not a whole number; a list of values "
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
