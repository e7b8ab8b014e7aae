// convscope layout: the arrays of a format, as the methods build them, into files.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "app/cli/array_folder.h"
#include "app/cli/subcommand.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/layout_builder.h"
#include "kernels/core/shape_fields.h"
#include "kernels/ecr/ecr_layout.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/pecr/pecr_layout.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr Flag layout_flags[] = {
    {"--format", "NAME", "ecr, pecr, mec or im2col"},
    {"--out", "DIR", "folder for the arrays (.npy) and layout.json, made when missing"},
};

void add_im2col(ArrayFolder& out, const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    const Im2colLayout layout = make_im2col_layout(shape, workload.x);
    out.add("matrix", std::span<const float>(layout.matrix), {layout.rows(), layout.cols()},
            "row (n, p, q) holds the window of that output, columns in the order (r, s, c)");
}

void add_mec(ArrayFolder& out, const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    const MecLayout layout = make_mec_layout(shape, workload.x);
    out.add("L", std::span<const float>(layout.L), {layout.rows(), layout.cols()},
            "row (n, q) holds the strip of x under output column q, columns in the order (padded h, s, c)");
    std::vector<std::int64_t> columns;
    for (const MecPartition& partition : layout.partitions)
        columns.insert(columns.end(), {partition.begin, partition.end});
    out.add("partitions", std::span<const std::int64_t>(columns), {shape.p(), 2},
            "row p: the columns [begin, end) of L that are multiplied with the filters for output row p");
}

/// K_data of every filter, one behind the other; a filter at a time, for all of them may not fit in memory.
void write_K_data(ArrayFolder& out, const Workload& workload, const EcrLayout& layout) {
    const ConvShape& shape = workload.spec.shape;
    NpyWriter writer(out.path("K_data"), NpyType::f32, {});
    for (std::int64_t k = 0; k < shape.k; ++k)
        writer.append(std::span<const float>(layout.gather_K_data(workload.w.data.data() + k * shape.reduction())));
    writer.finish();
    out.describe(
        "K_data", "float32", {shape.k * static_cast<std::int64_t>(layout.F_data.size())},
        "the weights that go with F_data: filter k's begin at k times the size of F_data, with the same offsets");
}

void add_ecr(ArrayFolder& out, const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    const EcrLayout layout = make_ecr_layout(shape, workload.x);
    const auto filled = static_cast<std::int64_t>(layout.F_data.size());
    out.add("F_data", std::span<const float>(layout.F_data), {filled},
            "the non-zero elements of every window, window after window in the order (n, p, q)");
    write_K_data(out, workload, layout);
    out.add("Ptr", std::span<const std::int32_t>(layout.Ptr), {shape.n, shape.p(), shape.q()},
            "non-zero elements of each window; -1 where there are none");
    out.add("offsets", std::span<const std::int64_t>(layout.offsets), {layout.windows() + 1},
            "window i is [offsets[i], offsets[i + 1]) of F_data and K_index");
    out.add("K_index", std::span<const std::int32_t>(layout.K_index), {filled},
            "the weight of each element of F_data within a filter: (c r + i) s + j");
}

void add_pecr(ArrayFolder& out, const Workload& workload) {
    const ConvShape& shape = workload.spec.shape;
    const PecrLayout layout = make_pecr_layout(shape, workload.x);
    const auto filled = static_cast<std::int64_t>(layout.Data.size());
    out.add("Data", std::span<const float>(layout.Data), {filled},
            "the non-zero elements of every pooling window's convolution windows, pooling windows in the order "
            "(n, out_h, out_w)");
    out.add("Index", std::span<const std::int32_t>(layout.Index), {filled},
            "the weight of each element of Data within a filter: (c r + i) s + j");
    out.add("Count", std::span<const std::int32_t>(layout.Count),
            {shape.n, shape.out_h(), shape.out_w(), shape.pool_h, shape.pool_w},
            "non-zero elements of each convolution window of each pooling window");
    out.add("offsets", std::span<const std::int64_t>(layout.offsets), {layout.pooling_windows() + 1},
            "pooling window i is [offsets[i], offsets[i + 1]) of Data and Index");
}

/// An upper bound of what building a format holds in memory, in bytes.
double bytes_needed(Format format, const ConvShape& shape) {
    const auto windows = static_cast<double>(shape.im2col_elements());
    switch (format) {
        case Format::im2col:
            return 4 * windows;
        case Format::mec:
            return 4 * static_cast<double>(shape.mec_elements());
        case Format::ecr:
            return 8 * windows;
        case Format::pecr:
            return 8 * static_cast<double>(shape.n * shape.out_h() * shape.out_w() * shape.pool_h * shape.pool_w) *
                   static_cast<double>(shape.reduction());
    }
    return 0;
}

Json about(Format format, const Workload& workload) {
    const ConvShape& s = workload.spec.shape;
    Json shape{{"p", s.p()}, {"q", s.q()}};
    for (const ShapeField& field : shape_fields)
        if ((s.pooled() || !field.pooling) && is_written(field, s)) shape[field.name] = s.*field.member;
    return {{"format", to_string(format)},
            {"workload", workload.spec.name},
            {"shape", shape},
            {"source", to_string(workload.spec.source)},
            {"seed", workload.spec.seed},
            {"sparsity_measured", workload.sparsity_measured}};
}

int layout(const FlagValues& flags) {
    for (const char* flag : {"--format", "--out"})
        if (!flags.has(flag)) throw Error(ErrorKind::usage, fmt::format("layout needs {}", flag));
    const Format format = parse_format(flags.get("--format"));
    const WorkloadSpec spec = read_workload(flags);
    validate(spec.shape);
    require_layout(format, spec.shape);
    if (const ConvShape one = one_group(spec.shape); spec.shape.groups != 1)
        throw Error(ErrorKind::usage,
                    fmt::format("a layout is of one group; this layer has {}: give the size of one, --c {} --k {} "
                                "--groups 1",
                                spec.shape.groups, one.c, one.k));
    require_host_memory(bytes_needed(format, spec.shape),
                        fmt::format("the {} layout of this shape", to_string(format)));
    const Workload workload = make_workload(spec);

    ArrayFolder out(flags.get("--out"));
    out.require_own({flags.get_or("--input", ""), flags.get_or("--weights", "")});
    const ConvShape& s = workload.spec.shape;
    out.add("x", std::span<const float>(workload.x.data), {s.n, s.c, s.h, s.w}, "the input, (n, c, h, w)");
    out.add("w", std::span<const float>(workload.w.data), {s.k, s.c, s.r, s.s}, "the filters, (k, c, r, s)");
    if (format == Format::im2col) add_im2col(out, workload);
    if (format == Format::mec) add_mec(out, workload);
    if (format == Format::ecr) add_ecr(out, workload);
    if (format == Format::pecr) add_pecr(out, workload);
    out.finish(about(format, workload));
    fmt::print("{} of {} is in {}\n", to_string(format), to_string(s), flags.get("--out"));
    return 0;
}

}  // namespace

Command add_layout(CLI::App& program) {
    Subcommand command(program, "layout", "the arrays of a format as .npy, explained by layout.json");
    auto flags = std::make_shared<FlagValues>();
    command.flags(*flags, layout_flags, "Format");
    command.flags(*flags, workload_flags(), "Workload");
    command.flags(*flags, data_file_flags(), "Workload");
    return command.runs([flags] { return layout(*flags); });
}

}  // namespace convscope::cli
