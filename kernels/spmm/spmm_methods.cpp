#include "kernels/spmm/spmm_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "kernels/csr/csr_limits.h"
#include "kernels/csr/csr_methods.h"
#include "kernels/im2col/im2col_methods.h"

namespace convscope {
namespace {

constexpr std::int64_t warp = 32;
constexpr std::int64_t min_block = 2;  ///< of bsr1

std::int64_t rows_of(const ConvShape& shape) {
    return shape.n * shape.p() * shape.q();
}

/// The elements of the matrix that csr_count goes over: of bsr1 there is one for each block.
std::int64_t compacted_elements(SpmmMethod method, const ConvShape& shape, std::int64_t block) {
    if (method != SpmmMethod::bsr1) return shape.im2col_elements();
    return ceil_div(rows_of(shape), block) * ceil_div(shape.reduction(), block);
}

bool thread_per_row(SpmmMethod method) {
    return method == SpmmMethod::csr2 || method == SpmmMethod::ell1;
}

Tunable filters_tunable(SpmmMethod method, const ConvShape& shape) {
    if (!thread_per_row(method)) return {"filters", "filters of a lane", {1, 4}, shape.k > 2 * warp ? 4 : 1};
    // A thread with more filters reads the row less often; but there must be threads for every SM.
    constexpr std::int64_t enough_threads = 1 << 17;
    std::int64_t filters = 16;
    while (filters > 4 && (filters > shape.k || rows_of(shape) * ceil_div(shape.k, filters) < enough_threads))
        filters /= 2;
    return {"filters", "filters of a thread", {4, 8, 16}, filters};
}

LaunchSpace space_of(SpmmMethod method, const ConvShape& shape) {
    LaunchSpace space{false,
                      false,
                      {{"threads", "threads of a block that multiplies", {32, 64, 128, 256, 512}, 128},
                       filters_tunable(method, shape)}};
    const bool in_tiles = method != SpmmMethod::ell1 && method != SpmmMethod::bitmap1;
    if (in_tiles) space.tunables.push_back(csr_tile_tunable(compacted_elements(method, shape, 4)));
    if (method == SpmmMethod::bsr1)
        space.tunables.push_back({"block", "rows and columns of a block", {min_block, 4, 8}, 4});
    if (method == SpmmMethod::coo1)
        space.tunables.push_back({"entries", "non-zeros that one warp multiplies", {32, 64, 128, 256, 512}, 128});
    return space;
}

struct Description {
    const char *id, *title, *paper, *follows;
};

Description description_of(SpmmMethod method) {
    switch (method) {
        case SpmmMethod::csr2:
            return {"csr2", "im2col's matrix in CSR, a thread per row", "Bell & Garland 2009", "the scalar CSR kernel"};
        case SpmmMethod::csr3:
            return {"csr3", "im2col's matrix in CSR, a warp per row", "Yang et al. 2018", "row splitting"};
        case SpmmMethod::ell1:
            return {"ell1", "im2col's matrix in ELL, a thread per row", "Bell & Garland 2009", "the ELL kernel"};
        case SpmmMethod::bitmap1:
            return {"bitmap1", "im2col's matrix as a bitmap, a warp per row", "Gondimalla et al. 2019",
                    "SparTen's bit masks: a value is found by counting the bits before it"};
        case SpmmMethod::bsr1:
            return {"bsr1", "im2col's matrix in BSR, a warp per row of blocks", "Im & Yelick 2001",
                    "register blocking: zeros in a block are stored and multiplied"};
        case SpmmMethod::coo1:
            return {"coo1", "im2col's matrix in COO, sums by atomics", "Flegar & Anzt 2017",
                    "as many non-zeros for each warp, whatever rows they are in"};
    }
    return {};
}

MethodInfo info_of(SpmmMethod method, DeviceKind device) {
    const Description said = description_of(method);
    return {.id = said.id,
            .family = "spmm",
            .title = said.title,
            .paper = said.paper,
            .follows = said.follows,
            .device = device,
            .layout = Layout::nhwc,
            .takes = {.sides = true},
            // bsr1's depend on the size of its blocks, which a user sets.
            .flops_executed = method == SpmmMethod::bsr1 ? unknown_flops : nonzero_flops,
            .stages = {"extend", "compress", "multiply", "pool"}};
}

class Spmm final : public GpuMethod {
public:
    Spmm(SpmmMethod method, DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool)
        : GpuMethod(info_of(method, device), program, pool), method_(method) {}

    LaunchSpace launch_space(const ConvShape& shape) const override { return space_of(method_, shape); }
    bool prepares_weights() const override { return true; }
    std::int64_t prepared_weight_bytes(const ConvShape& shape) const override {
        return shape.reduction() * spmm_shape(shape).leading * float_bytes;
    }
    std::int64_t format_bytes(const ConvShape& shape) const override { return spmm_workspace(method_, shape).bytes(); }

private:
    Support accepts(const ConvShape& shape) const override {
        const std::int64_t elements = shape.im2col_elements();
        if (elements <= max_csr_elements) return {};
        return Support::no(fmt::format("im2col's matrix has {} elements, and {}'s 32-bit offsets count up to {}",
                                       elements, info().id, max_csr_elements));
    }

    double thread_steps(const ConvShape& shape) const override {
        return 12.0 * static_cast<double>(shape.im2col_elements()) + shape.flops_dense();
    }

    ResolvedLaunch plan(const ConvShape& shape, const LaunchConfig& config, const DeviceModel&) const override {
        const SpmmChoice choice = spmm_choice(method_, shape, config);
        const std::int64_t rows = rows_of(shape), leading = spmm_shape(shape).leading;
        ResolvedLaunch resolved = plan_lowering("im2col_lower", rows, shape.reduction(), {});
        resolved.kernels[0].stage = "extend";
        constexpr std::int64_t warps = 8;
        const auto add = [&](const char* kernel, std::int64_t of_256_threads) {
            resolved.kernels.push_back(kernel_launch(kernel, "compress", {of_256_threads, 1, 1}, {warps * warp, 1, 1}));
        };
        const std::int64_t elements = compacted_elements(method_, shape, choice.block);
        const auto [count, scan, fill] = plan_compaction(ceil_div(elements, choice.tile));
        if (method_ == SpmmMethod::bsr1) add("bsr_flag", ceil_div(elements, warps * warp));
        resolved.kernels.push_back(count);
        if (method_ != SpmmMethod::ell1) resolved.kernels.push_back(scan);

        std::int64_t warps_in_all = rows;  // of a kernel that multiplies with warps
        const char* multiply = nullptr;
        switch (method_) {
            case SpmmMethod::csr2:
            case SpmmMethod::csr3:
                resolved.kernels.push_back(fill);
                multiply = method_ == SpmmMethod::csr2 ? "csr2_multiply" : "csr3_multiply";
                break;
            case SpmmMethod::ell1:
                add("ell_width", ceil_div(rows, warps * warp));
                add("ell_fill", ceil_div(rows, warps));
                multiply = "ell_multiply";
                break;
            case SpmmMethod::bitmap1:
                add("bitmap_fill", fill.grid.x);
                multiply = "bitmap_multiply";
                break;
            case SpmmMethod::bsr1:
                resolved.kernels.push_back(fill);
                warps_in_all = ceil_div(rows, choice.block);
                add("bsr_fill", ceil_div(warps_in_all, warps));
                multiply = "bsr_multiply";
                break;
            case SpmmMethod::coo1:
                resolved.kernels.push_back(fill);
                add("coo_rows", ceil_div(rows, warps));
                warps_in_all = ceil_div(elements, choice.entries);  // if nothing were zero
                multiply = "coo_multiply";
                break;
        }
        const bool threads_for_rows = thread_per_row(method_);
        const Dim3 grid{
            threads_for_rows ? ceil_div(rows, choice.threads) : ceil_div(warps_in_all, choice.threads / warp),
            ceil_div(leading, choice.filters * (threads_for_rows ? 1 : warp)), 1};
        resolved.main = resolved.kernels.size();
        resolved.kernels.push_back(kernel_launch(multiply, "multiply", grid, {choice.threads, 1, 1}));
        return resolved;
    }

    const SpmmMethod method_;
};

}  // namespace

SpmmShape spmm_shape(const ConvShape& shape) {
    return {to_int(rows_of(shape)), to_int(shape.reduction()), to_int(shape.k), to_int(ceil_div(shape.k, 4) * 4)};
}

std::int64_t SpmmWorkspace::begin(int array) const {
    constexpr std::int64_t alignment = 256;
    return std::accumulate(
        elements.begin(), elements.begin() + array, std::int64_t{0},
        [](std::int64_t before, std::int64_t count) { return before + ceil_div(count * 4, alignment) * alignment; });
}

SpmmWorkspace spmm_workspace(SpmmMethod method, const ConvShape& shape) {
    using Space = SpmmWorkspace;
    const std::int64_t elements = shape.im2col_elements(), rows = rows_of(shape),
                       words = ceil_div(shape.reduction(), 32);
    Space space;
    auto& room = space.elements;
    room[Space::matrix] = room[Space::values] = elements;
    switch (method) {
        case SpmmMethod::ell1:
            room[Space::columns] = elements;
            room[Space::offsets] = 1;  // the width
            room[Space::counts] = rows;
            break;
        case SpmmMethod::bitmap1:
            room[Space::bits] = room[Space::offsets] = rows * words;
            room[Space::counts] = std::min(rows, csr_max_tiles) + 1;
            break;
        case SpmmMethod::bsr1: {
            const std::int64_t blocks = compacted_elements(method, shape, min_block);
            room[Space::flags] = room[Space::columns] = blocks;
            room[Space::values] = 0;
            for (const std::int64_t size : {min_block, std::int64_t{4}, std::int64_t{8}})
                room[Space::values] =
                    std::max(room[Space::values], compacted_elements(method, shape, size) * size * size);
            room[Space::offsets] = ceil_div(rows, min_block) + 1;
            room[Space::counts] = blocks / CsrFormat::min_tile + 1;
            break;
        }
        case SpmmMethod::coo1:
            room[Space::rows] = elements;
            [[fallthrough]];
        case SpmmMethod::csr2:
        case SpmmMethod::csr3:
            room[Space::columns] = elements;
            room[Space::offsets] = rows + 1;
            room[Space::counts] = elements / CsrFormat::min_tile + 1;
            break;
    }
    return space;
}

SpmmChoice spmm_choice(SpmmMethod method, const ConvShape& shape, const LaunchConfig& config) {
    const LaunchSpace space = space_of(method, shape);
    const auto value = [&](const char* name) { return tunable(space, config, name); };
    SpmmChoice choice{.threads = value("threads"), .filters = value("filters")};
    switch (method) {
        case SpmmMethod::ell1:
            choice.tile = shape.reduction();
            return choice;
        case SpmmMethod::bitmap1:
            choice.tile = shape.reduction() * ceil_div(rows_of(shape), csr_max_tiles);
            return choice;
        case SpmmMethod::bsr1:
            choice.block = value("block");
            break;
        case SpmmMethod::coo1:
            choice.entries = value("entries");
            break;
        default:
            break;
    }
    choice.tile = value("tile");
    return choice;
}

std::unique_ptr<Method> make_spmm(SpmmMethod method, DeviceKind device, MakeGpuProgram program, MakeGpuProgram pool) {
    return std::make_unique<Spmm>(method, device, program, pool);
}

}  // namespace convscope
