#include "app/cli/kernel_against.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/own_kernel/difference.h"
#include "kernels/core/error.h"
#include "kernels/core/text_file.h"

namespace convscope::cli {
namespace {

void leave_what_it_has(app::KernelCall& call, const ptx::KernelText& text) {
    std::erase_if(call.given, [&](const auto& given) {
        const bool of_launch = given.first == "grid" || given.first == "block" || given.first == "shared";
        if (of_launch) return text.call.contains(given.first);
        return std::ranges::find(text.parameters, given.first, &ptx::ParameterText::name) == text.parameters.end();
    });
}

}  // namespace

std::string difference_to_other(const app::PreparedKernel& prepared, app::KernelCall call, const std::string& file,
                                const RunKernel& run, const std::stop_token& stop) {
    call.file = file;
    call.entry.clear();
    const auto kernel = app::open_kernel(call, read_text_file(file), stop);
    leave_what_it_has(call, kernel->text);
    const auto other = app::prepare_kernel(kernel, call);
    if (const app::ArgumentState* rejected = other->arguments.rejected())
        throw Error(rejected->kind, "--against: " + rejected->reason);
    run(*other, call);
    std::string all;
    bool compared = false;
    for (const ptx::ParameterText& parameter : kernel->text.parameters) {
        const auto own = prepared.arguments.arrays.find(parameter.name);
        if (!parameter.pointer || parameter.constant || own == prepared.arguments.arrays.end()) continue;
        compared = true;
        const std::string difference =
            app::difference_to(parameter.name, own->second.array, other->arguments.arrays.at(parameter.name).array);
        if (!difference.empty()) all += (all.empty() ? "" : "; ") + difference;
    }
    if (!compared)
        throw Error(ErrorKind::usage, fmt::format("--against: {} and {} write no array of the same name",
                                                  prepared.kernel->text.name, kernel->text.name));
    return all;
}

}  // namespace convscope::cli
