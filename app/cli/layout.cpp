// convscope layout: the arrays of a format, as the methods build them, into files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/cli/array_folder.h"
#include "app/cli/load_workload.h"
#include "app/cli/subcommand.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/ecr/ecr_layout.h"
#include "kernels/files/npz.h"
#include "kernels/files/text_file.h"
#include "kernels/formats/format_arrays.h"
#include "kernels/formats/format_bytes.h"
#include "kernels/formats/format_file.h"
#include "kernels/im2col/im2col_layout.h"
#include "kernels/layers/format_matrix.h"
#include "kernels/layers/layout_builder.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/measure/format_loads.h"
#include "kernels/mec/mec_layout.h"
#include "kernels/pecr/pecr_layout.h"

namespace convscope::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr Flag layout_flags[] = {
    {"--format", "NAME", "ecr, pecr, mec or im2col; or a sparse format of a matrix: convscope list formats"},
    {"--of", "MATRIX", "of a sparse format: x, (n c h) x w, the default; im2col, (c r s) x (n p q); or w, k x (c r s)"},
    {"--from", "FILE",
     "of a sparse format: the matrix of this .npz or .npy in place of a layer's; without --format, its bytes "
     "in each"},
    {"--out", "DIR",
     "folder for the arrays (.npy) and layout.json, made when missing; without it those of a sparse format are "
     "printed"},
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

Json about(const std::string& format, const Workload& workload) {
    const ConvShape& s = workload.spec.shape;
    Json shape{{"p", s.p()}, {"q", s.q()}};
    for (const ShapeField& field : shape_fields)
        if ((s.pooled() || !field.pooling) && is_written(field, s)) shape[field.name] = s.*field.member;
    return {{"format", format},
            {"workload", workload.spec.name},
            {"shape", shape},
            {"source", to_string(workload.spec.source)},
            {"seed", workload.spec.seed},
            {"sparsity_measured", workload.sparsity_measured},
            {"weight_sparsity_measured", workload.weight_sparsity_measured}};
}

constexpr Format method_formats[] = {Format::ecr, Format::pecr, Format::mec, Format::im2col};

std::vector<std::string> method_format_names() {
    std::vector<std::string> names;
    for (const Format format : method_formats) names.emplace_back(to_string(format));
    return names;
}

int method_layout(const FlagValues& flags, Format format, const WorkloadSpec& spec) {
    if (!flags.has("--out"))
        throw Error(ErrorKind::usage, fmt::format("layout needs --out DIR for the arrays of {}", to_string(format)));
    if (flags.has("--of"))
        throw Error(ErrorKind::usage, fmt::format("--of is of a sparse format; {} is of the layer", to_string(format)));
    require_layout(format, spec.shape);
    if (const ConvShape one = one_group(spec.shape); spec.shape.groups != 1)
        throw Error(ErrorKind::usage,
                    fmt::format("a layout is of one group; this layer has {}: give the size of one, --c {} --k {} "
                                "--groups 1",
                                spec.shape.groups, one.c, one.k));
    require_host_memory(bytes_needed(format, spec.shape),
                        fmt::format("the {} layout of this shape", to_string(format)));
    const Workload workload = load_workload(spec, false);

    ArrayFolder out(flags);
    const ConvShape& s = workload.spec.shape;
    out.add("x", std::span<const float>(workload.x.data), {s.n, s.c, s.h, s.w}, "the input, (n, c, h, w)");
    out.add("w", std::span<const float>(workload.w.data), {s.k, s.c, s.r, s.s}, "the filters, (k, c, r, s)");
    if (format == Format::im2col) add_im2col(out, workload);
    if (format == Format::mec) add_mec(out, workload);
    if (format == Format::ecr) add_ecr(out, workload);
    if (format == Format::pecr) add_pecr(out, workload);
    out.finish(about(to_string(format), workload));
    fmt::print("{} of {} is in {}\n", to_string(format), to_string(s), flags.get("--out"));
    return 0;
}

template <class Element>
void add_words(ArrayFolder& out, const FormatArray& array, const std::string& meaning) {
    std::vector<Element> elements;
    elements.reserve(array.words.size());
    for (std::int64_t i = 0; i < array.elements(); ++i)
        if constexpr (std::is_same_v<Element, float>)
            elements.push_back(array.number(i));
        else
            elements.push_back(static_cast<Element>(array.words[static_cast<std::size_t>(i)]));
    out.add(array.name, std::span<const Element>(elements), array.shape, meaning);
}

void add_format_array(ArrayFolder& out, const FormatArray& array, const std::string& meaning) {
    switch (array.type) {
        case FormatType::f32:
            return add_words<float>(out, array, meaning);
        case FormatType::i32:
            return add_words<std::int32_t>(out, array, meaning);
        case FormatType::u32:
            return add_words<std::uint32_t>(out, array, meaning);
        case FormatType::u16:
            return add_words<std::uint16_t>(out, array, meaning);
        case FormatType::u8:
            return add_words<std::uint8_t>(out, array, meaning);
    }
}

/// Its name, type and shape, and the first of its elements, a comma between two lines.
void print_array(const std::string& name, FormatType type, const NpyShape& shape, std::int64_t all,
                 const std::function<std::string(std::int64_t)>& text_of) {
    constexpr std::int64_t most = 32;
    std::string elements;
    const std::int64_t line = shape.size() > 1 ? shape.back() : all;
    for (std::int64_t i = 0; i < std::min(all, most); ++i)
        elements += (i > 0 && i % line == 0 ? ", " : " ") + text_of(i);
    if (all > most) elements += fmt::format(" ... ({} in all)", all);
    fmt::print("{:<12} {:<8} {:<10}{}\n", name, to_string(type), to_string(shape), elements);
}

void print_array(const FormatArray& array) {
    print_array(array.name, array.type, array.shape, array.elements(), [&](std::int64_t i) { return array.text(i); });
}

void print_dense(const SparseMatrix& matrix) {
    auto next = matrix.entries.begin();
    print_array("dense", FormatType::f32, {matrix.rows, matrix.cols}, matrix.rows * matrix.cols, [&](std::int64_t i) {
        const bool here = next != matrix.entries.end() && next->row * matrix.cols + next->col == i;
        return fmt::format("{:.4g}", here ? (next++)->value : 0.0F);
    });
}

/// The matrix, its non-zeros and as many values, each with its place while they are made.
void require_room(double rows, double cols, const std::string& what) {
    require_host_memory(100.0 * rows * cols, what);
}

/// Writes a row of the matrix after the other.
using WriteRows = std::function<void(NpyWriter&)>;

/// Where --out says so, also as matrix.npz, which --from reads back. 'axes': what rows and columns are.
void write_format(const FlagValues& flags, const FormatArrays& made, const WriteRows& write_rows,
                  const std::string& axes, Json json) {
    if (!flags.has("--out")) return;
    ArrayFolder out(flags);
    NpyWriter dense(out.path("dense"), NpyType::f32, {made.cols});
    write_rows(dense);
    dense.finish();
    out.describe("dense", "float32", {made.rows, made.cols}, "the matrix" + axes);
    for (const FormatArray& array : made.arrays) add_format_array(out, array, format_meaning(made, array));
    json["text"] = made.format->about();
    json["levels"] = describe_levels(*made.format);
    json["bytes"] = made.bytes();
    json["dense_bytes"] = made.dense_bytes();
    if (made.lost > 0) json["loss"] = loss_sentence(made);
    constexpr std::int64_t headers = 1 << 16;
    if (const bool fits = 2 * made.bytes() + headers < max_npz_bytes; fits) {
        write_text_file(out.path("matrix").replace_extension(".npz"), matrix_npz_bytes(made));
        json["npz"] = "matrix.npz";
        json["scipy_reads"] = scipy_reads(made);
    }
    out.finish(json);
}

/// The loads of the kernels that read the arrays.
Json json_of(const FormatLoads& loads) {
    Json list = Json::array();
    for (const KernelLoads& kernel : loads.kernels)
        for (const ArrayLoads& array : kernel.arrays)
            list.push_back({{"method", kernel.method},
                            {"kernel", kernel.kernel},
                            {"array", array.array},
                            {"requests", array.requests},
                            {"sectors", array.sectors},
                            {"bytes_wanted", array.bytes_wanted}});
    return {{"rows", loads.counted.rows}, {"columns", loads.counted.cols}, {"arrays", std::move(list)}};
}

struct SaidLoads {
    Json json;             ///< null where they are not counted
    std::string sentence;  ///< then, why
};

/// The arrays are whole without them: that they cannot be counted costs nothing else.
SaidLoads count_loads(const SparseFormat& format, const FormatMatrix& matrix, const MatrixSize& whole) {
    try {
        const FormatLoads loads = count_format_loads(format, matrix, whole);
        return {json_of(loads), loads_sentence(format, loads)};
    } catch (const Error& error) {
        return {nullptr, fmt::format("The loads of the kernels that read it are not counted: {}.", error.what())};
    }
}

void print_format(const FlagValues& flags, const FormatArrays& made, const SaidLoads& loads, const std::string& of) {
    const std::string place = flags.has("--out") ? " is in " + flags.get("--out") : "";
    for (const FormatArray& array : made.arrays) print_array(array);
    fmt::print("{}\n", made.format->about());
    if (const std::string zeros = stored_zeros_sentence(made); !zeros.empty()) fmt::print("{}\n", zeros);
    if (made.lost > 0) fmt::print("{}\n", loss_sentence(made));
    fmt::print("{}.\n", bytes_sentence(made));
    fmt::print("{}\n", loads.sentence);
    fmt::print("{} of {}{}: {} bytes; dense, {}\n", made.format->title, of, place, made.bytes(), made.dense_bytes());
}

int sparse_layout(const FlagValues& flags, const SparseFormat& format, const WorkloadSpec& spec) {
    const MatrixOf of = parse_matrix_of(flags.get_or("--of", "x"));
    const MatrixSize size = matrix_size(of, spec.shape);
    require_room(static_cast<double>(size.rows), static_cast<double>(size.cols),
                 fmt::format("{} of this shape's {}", format.title, to_string(of)));
    const Workload workload = load_workload(spec, false);
    const FormatMatrix matrix = make_matrix(of, workload);
    const FormatArrays made = build_format(format, matrix, false);
    const SaidLoads loads = count_loads(format, matrix, size);
    Json json = about(format.name, workload);
    json["of"] = to_string(of);
    json["loads"] = loads.json;
    write_format(
        flags, made, [&](NpyWriter& dense) { dense.append(std::span<const float>(matrix.values)); },
        ", " + matrix_axes(of, true), std::move(json));
    print_format(flags, made, loads,
                 fmt::format("{} ({}, {} \u00d7 {})", to_string(of), matrix_axes(of, true), matrix.rows, matrix.cols));
    return 0;
}

std::string too_large_for(const SparseFormat& format, const SparseMatrix& matrix) {
    return fmt::format("{} of {} \u00d7 {} takes more elements than a 31-bit index counts", format.title, matrix.rows,
                       matrix.cols);
}

/// The bytes of a matrix in each format, or why one cannot be.
void print_formats(const SparseMatrix& matrix) {
    for (const SparseFormat& format : all_sparse_formats()) {
        const std::optional<std::int64_t> bytes = count_bytes(format, matrix);
        const std::string loss = loss_sentence(format, count_lost(format, matrix), std::ssize(matrix.entries));
        fmt::print("{:<12} {}\n", format.name,
                   bytes ? fmt::format("{} bytes, {:.3g} of dense{}", *bytes,
                                       static_cast<double>(*bytes) /
                                           (4.0 * static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols)),
                                       loss.empty() ? "" : ". " + loss)
                         : too_large_for(format, matrix));
    }
}

/// Throws OutOfMemory, with the size, before the arrays are built.
void require_room_to_build(const SparseFormat& format, const SparseMatrix& matrix, const std::string& what) {
    const std::optional<std::int64_t> bytes = count_bytes(format, matrix);
    if (!bytes) throw Error(ErrorKind::usage, too_large_for(format, matrix));
    // Each element of 4 bytes and more has a place in two lists while the next level is built.
    require_host_memory(30.0 * static_cast<double>(*bytes),
                        fmt::format("{}, whose {} takes {} bytes,", what, format.title, *bytes));
}

/// Lays out a file's matrix: with --format writes its arrays where --out says; without, prints each format's bytes.
int layout_of_file(const FlagValues& flags) {
    const std::string path = flags.get("--from");
    for (const std::span<const Flag> others : {workload_flags(), data_file_flags()})
        for (const Flag& flag : others)
            if (flags.has(flag.name))
                throw Error(ErrorKind::usage,
                            fmt::format("--from takes the matrix of a file, and {} is of a layer; give "
                                        "one of them",
                                        flag.name));
    if (flags.has("--of")) throw Error(ErrorKind::usage, "--of is of a layer, and --from takes the matrix of a file");
    if (flags.has("--out") && !flags.has("--format")) throw Error(ErrorKind::usage, "layout --out needs --format");
    const SparseFormat* format = flags.has("--format") ? &find_sparse_format(flags.get("--format")) : nullptr;
    note_unread_formats();
    const MatrixFile file = read_matrix_file(path);
    const SparseMatrix& sparse = file.matrix;
    const std::string what = fmt::format("the matrix of {}, {} \u00d7 {}", path, sparse.rows, sparse.cols);
    fmt::print("{}: {}, {} \u00d7 {}, {} of {} elements are not 0\n", path, file.format, sparse.rows, sparse.cols,
               sparse.entries.size(), sparse.rows * sparse.cols);
    if (!format) {
        print_dense(sparse);
        print_formats(sparse);
        return 0;
    }
    require_room_to_build(*format, sparse, what);
    const FormatArrays made = build_from_entries(*format, sparse, false);
    const auto write_rows = [&](NpyWriter& dense) {
        std::vector<float> row(static_cast<std::size_t>(sparse.cols));
        auto next = sparse.entries.begin();
        for (std::int64_t at = 0; at < sparse.rows; ++at) {
            std::ranges::fill(row, 0.0F);
            for (; next != sparse.entries.end() && next->row == at; ++next)
                row[static_cast<std::size_t>(next->col)] = next->value;
            dense.append(std::span<const float>(row));
        }
    };
    const MatrixSize whole{sparse.rows, sparse.cols}, part = counted_part(whole);
    FormatMatrix first{part.rows, part.cols, std::vector<float>(static_cast<std::size_t>(part.rows * part.cols))};
    for (const FormatEntry& entry : sparse.entries)
        if (entry.row < part.rows && entry.col < part.cols)
            first.values[static_cast<std::size_t>(entry.row * part.cols + entry.col)] = entry.value;
    const SaidLoads loads = count_loads(*format, first, whole);
    write_format(flags, made, write_rows, "", {{"format", format->name}, {"from", path}, {"loads", loads.json}});
    print_format(flags, made, loads, what);
    return 0;
}

int layout(const FlagValues& flags) {
    if (flags.has("--from")) return layout_of_file(flags);
    if (!flags.has("--format")) throw Error(ErrorKind::usage, "layout needs --format");
    const std::string name = flags.get("--format");
    const auto* method =
        std::ranges::find(method_formats, name, [](Format each) { return std::string_view(to_string(each)); });
    const SparseFormat* sparse = nullptr;
    if (method == std::end(method_formats)) {
        sparse = &find_sparse_format(name, method_format_names());
        note_unread_formats();
    }
    FlagValues of_layer = flags;
    // x alone is the same whatever the filters are.
    const bool of_x = sparse && parse_matrix_of(flags.get_or("--of", "x")) == MatrixOf::x;
    if (of_x && !flags.has("--preset") && !flags.has("--r")) of_layer.set("--r", "1");
    const WorkloadSpec spec = read_workload(of_layer);
    validate(spec);
    return sparse ? sparse_layout(flags, *sparse, spec) : method_layout(flags, *method, spec);
}

}  // namespace

std::vector<std::string> layout_format_names() {
    std::vector<std::string> names = method_format_names();
    for (const SparseFormat& format : all_sparse_formats()) names.push_back(format.name);
    return names;
}

Command add_layout(CLI::App& program) {
    Subcommand command(program, "layout", "the arrays of a format as .npy, explained by layout.json");
    auto flags = std::make_shared<FlagValues>();
    command.flags(*flags, layout_flags, "Format");
    command.flags(*flags, workload_flags(), "Workload");
    command.flags(*flags, data_file_flags(), "Workload");
    return command.runs([flags] { return layout(*flags); });
}

}  // namespace convscope::cli
