#include "app/cli/kernel_against.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/user_kernel/argument_name.h"
#include "app/user_kernel/difference.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/ptx/text/source_constants.h"

namespace convscope::cli {
namespace {

/// The arguments of the kernel that the other one has parameters for, by name.
std::map<std::string, std::string> shared_arguments(const app::PreparedKernel& prepared, const app::KernelCall& call,
                                                    const ptx::KernelText& other) {
    std::map<std::string, std::string> shared;
    for (const app::ArgumentState& state : prepared.arguments.states) {
        const bool of_launch = state.type.empty();
        if (of_launch || !app::takes_argument(other, state.name)) continue;
        if (state.origin != app::Origin::given && state.origin != app::Origin::comment) continue;
        // A file that a comment names lies next to the kernel.
        const bool file = state.origin == app::Origin::comment && state.text.ends_with(".npy");
        shared[state.name] = file ? (call.file.parent_path() / state.text).string() : state.text;
    }
    return shared;
}

bool may_write(const ptx::KernelText& text, const std::string& array) {
    const auto found = std::ranges::find(text.parameters, array, &ptx::ParameterText::name);
    return found != text.parameters.end() && found->pointer && !found->constant;
}

}  // namespace

std::string difference_to_other(const app::PreparedKernel& prepared, const app::KernelCall& call,
                                const std::string& file, const RunKernel& run, const std::stop_token& stop) {
    app::KernelCall other_call = call;
    app::set_file_and_entry(other_call, file);
    const std::string source = read_text_file(other_call.file);
    std::erase_if(other_call.defines, [&](const std::string& define) { return !ptx::may_use(source, define); });
    const auto kernel = app::open_kernel(other_call, source, stop);
    for (const char* name : {"grid", "block"})
        if (!kernel->text.call.contains(name))
            throw Error(
                ErrorKind::usage,
                fmt::format("--against {}: the {} of {} is its own: give it in a comment before it, '// convscope: "
                            "grid = (...), block = (...)'",
                            file, name, kernel->text.name));
    other_call.given = shared_arguments(prepared, call, kernel->text);
    const auto other = app::prepare_kernel(kernel, other_call, stop);
    try {
        if (const app::ArgumentState* rejected = other->arguments.rejected())
            throw Error(rejected->kind, rejected->reason);
        run(*other, other_call);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("--against {}: {}", file, error.what()));
    }
    std::string all;
    bool compared = false;
    for (const ptx::ParameterText& parameter : kernel->text.parameters) {
        if (!may_write(kernel->text, parameter.name) || !may_write(prepared.kernel->text, parameter.name)) continue;
        const auto& got = prepared.arguments.arrays;
        const auto& expected = other->arguments.arrays;
        if (!got.contains(parameter.name) || !expected.contains(parameter.name)) continue;  // null pointers
        compared = true;
        const std::string difference =
            app::difference_to(parameter.name, got.at(parameter.name).array, expected.at(parameter.name).array);
        if (!difference.empty()) all += (all.empty() ? "" : "; ") + difference;
    }
    if (!compared)
        throw Error(ErrorKind::usage, fmt::format("--against: {} and {} write no array of the same name",
                                                  prepared.kernel->text.name, kernel->text.name));
    return all;
}

}  // namespace convscope::cli
