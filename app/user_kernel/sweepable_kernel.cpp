#include "app/user_kernel/sweepable_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/user_kernel/kernel_arguments.h"
#include "app/user_kernel/user_variants.h"
#include "kernels/core/error.h"
#include "kernels/ptx/text/expression.h"
#include "kernels/ptx/text/source_constants.h"

namespace convscope::app {
namespace {

/// The launch in its comment.
std::string launch_text(const ptx::KernelText& text) {
    std::string all;
    for (const std::string_view name : launch_names)
        if (const auto said = text.call.find(std::string(name)); said != text.call.end())
            all += fmt::format("{};", fmt::join(said->second, ";"));
    return all;
}

std::optional<Dim3> block_of(const ptx::KernelText& text, const ConvShape& layer) {
    const auto said = text.call.find("block");
    if (said == text.call.end() || said->second.size() > 3) return std::nullopt;
    ptx::Names names = ptx::names_of(layer);
    for (const auto& [name, value] : text.constants) names.emplace(name, static_cast<double>(value));
    std::vector<std::int64_t> sizes;
    try {
        for (const std::string& each : said->second) sizes.push_back(ptx::evaluate(each, names, "block"));
    } catch (const Error&) {  // a run says what is wrong with it
        return std::nullopt;
    }
    sizes.resize(3, 1);
    return Dim3{sizes[0], sizes[1], sizes[2]};
}

void read(SweepableKernel& kernel, const std::string& file) {
    const UserVariants variants(file);
    kernel.id = variants.id();
    KernelCall call;
    call.file = variants.file();
    const auto text = read_text(call, variants.source(), variants.base(), names_parameters);
    if (!text || !is_convolution(*text))
        throw Error(ErrorKind::usage, fmt::format("{} computes no layer: it has no arrays that are called x, w and y "
                                                  "(or input, weights and output)",
                                                  variants.base()));
    const std::string launch = launch_text(*text);
    kernel.constants.assign(text->constants.begin(), text->constants.end());
    const auto rest = std::ranges::stable_partition(
        kernel.constants, [&](const auto& constant) { return ptx::may_use(launch, constant.first); });
    kernel.of_launch = kernel.constants.size() - rest.size();
    const auto grid = text->call.find("grid");
    kernel.grid_follows_block = grid != text->call.end() &&
                                std::ranges::any_of(std::array{"block_x", "block_y", "block_z"}, [&](const char* name) {
                                    return ptx::may_use(fmt::format("{}", fmt::join(grid->second, ";")), name);
                                });
    kernel.text = *text;
}

}  // namespace

SweepableKernel sweepable_kernel(const std::string& file, const ConvShape& layer) {
    SweepableKernel kernel;
    try {
        read(kernel, file);
        set_layer(kernel, layer);
    } catch (const Error& error) {
        kernel.reason = error.what();
        if (kernel.id.empty()) kernel.id = "own/" + std::filesystem::path(file).stem().string();
    }
    return kernel;
}

void set_layer(SweepableKernel& kernel, const ConvShape& layer) {
    kernel.block = block_of(kernel.text, layer);
}

}  // namespace convscope::app
