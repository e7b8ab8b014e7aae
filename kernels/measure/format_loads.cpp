#include "kernels/measure/format_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/simt/block_cost.h"
#include "kernels/simt/on_checked/checked_device.h"
#include "kernels/simt/recorder.h"

namespace convscope {
namespace {

constexpr std::int64_t warp_rows = 32;
// Filters of the layer: those of one thread, or one for each lane of a warp, so that no lane is without.
constexpr std::int64_t of_a_thread = 4, of_a_warp = 32;
constexpr std::size_t max_block_events = 32'000'000;

/// A kernel that reads a format.
struct Reader {
    const char *method, *kernel, *how;
    std::vector<std::pair<std::string, std::string>> arrays;  ///< the kernel's name of each, and the format's
    std::int64_t filters = of_a_warp;
    std::int64_t block = 0;  ///< of bsr1: its tunable
};

using Axis = std::pair<LevelKind, FormatAxis>;

bool has_levels(const SparseFormat& format, const std::vector<Axis>& wanted) {
    return format.builder == FormatBuilder::levels &&
           std::ranges::equal(format.levels, wanted, {}, [](const FormatLevel& level) {
               return Axis{level.kind, level.of};
           });
}

/// By the levels, whatever the format is called.
std::vector<Reader> readers_of(const SparseFormat& format) {
    const auto& levels = format.levels;
    const std::pair<std::string, std::string> values{"values", format.values};
    const Axis rows{LevelKind::dense, FormatAxis::row};
    if (has_levels(format, {rows, {LevelKind::compressed, FormatAxis::col}}) && levels[1].unique) {
        const std::vector<std::pair<std::string, std::string>> arrays{
            {"row_offsets", levels[1].position}, {"columns", levels[1].index}, values};
        return {{"csr2", "csr2_multiply", "a thread per row", arrays, of_a_thread},
                {"csr3", "csr3_multiply", "a warp per row", arrays}};
    }
    if (has_levels(format, {{LevelKind::compressed, FormatAxis::row}, {LevelKind::singleton, FormatAxis::col}}) &&
        !levels[0].unique)
        return {{"coo1",
                 "coo_multiply",
                 "a warp per group of non-zeros",
                 {{"rows", levels[0].index}, {"columns", levels[1].index}, values}}};
    if (has_levels(format, {rows, {LevelKind::padded, FormatAxis::col}}))
        return {{"ell1",
                 "ell_multiply",
                 "a thread per row, the slots stored column by column",
                 {{"columns", levels[1].index}, values},
                 of_a_thread}};
    if (has_levels(format, {rows, {LevelKind::bitmap, FormatAxis::col}}))
        return {{"bitmap1",
                 "bitmap_multiply",
                 "a warp per row",
                 {{"bits", levels[1].index}, {"offsets", levels[1].position}, values}}};
    const std::int64_t block = format.block_h;
    if (has_levels(format, {{LevelKind::dense, FormatAxis::row_block},
                            {LevelKind::compressed, FormatAxis::col_block},
                            {LevelKind::dense, FormatAxis::row_in_block},
                            {LevelKind::dense, FormatAxis::col_in_block}}) &&
        levels[1].unique && format.block_w == block && (block == 2 || block == 4 || block == 8))
        return {{"bsr1",
                 "bsr_multiply",
                 "a warp per row of blocks",
                 {{"row_offsets", levels[1].position}, {"columns", levels[1].index}, values},
                 of_a_warp,
                 block}};
    return {};
}

/// "1 sector", "4.25 sectors"
std::string sectors_text(double each) {
    const bool whole = each == std::floor(each);
    return (whole ? format_count(static_cast<std::int64_t>(each)) : format_digits(each)) +
           (each == 1 ? " sector" : " sectors");
}

/// Adds up the loads of one kernel's arrays, block by block.
class LoadCounter final : public simt::Recorder {
public:
    explicit LoadCounter(const Reader& reader) : Recorder(max_block_events), reader_(reader) {
        for (const auto& [name, of_format] : reader.arrays) loads_.push_back({of_format});
    }
    bool begin_block(const KernelLaunch& launch, const Dim3& block) override {
        close_block();
        if (launch.kernel != reader_.kernel) return false;
        start(launch, block);
        open_ = true;
        return true;
    }
    std::vector<ArrayLoads> loads() {
        close_block();
        return loads_;
    }

private:
    void close_block() {
        if (!std::exchange(open_, false)) return;
        const simt::BlockTrace& traced = *trace();
        for (const simt::Request& request : simt::cost_of(traced).requests) {
            if (request.kind != simt::EventKind::load || request.space != simt::Space::global) continue;
            const std::string& name = traced.arrays[static_cast<std::size_t>(request.array)].name;
            for (std::size_t i = 0; i < loads_.size(); ++i) {
                if (reader_.arrays[i].first != name) continue;
                ++loads_[i].requests;
                loads_[i].sectors += request.sectors;
                loads_[i].bytes_wanted += request.bytes_wanted;
            }
        }
    }

    const Reader& reader_;
    std::vector<ArrayLoads> loads_;
    bool open_ = false;  ///< the trace holds a block that is not counted yet
};

/// A layer whose im2col matrix is this one: an image for each row, a channel for each column.
Workload layer_of(const FormatMatrix& matrix, const MatrixSize& part, std::int64_t filters) {
    Workload layer;
    ConvShape& shape = layer.spec.shape;
    shape.n = part.rows;
    shape.c = part.cols;
    shape.k = filters;
    layer.x = Tensor(part.rows, part.cols, 1, 1);
    layer.w = Tensor(filters, part.cols, 1, 1);
    for (std::int64_t row = 0; row < part.rows; ++row)
        std::copy_n(matrix.values.begin() + row * matrix.cols, part.cols, layer.x.data.begin() + row * part.cols);
    return layer;
}

}  // namespace

MatrixSize counted_part(const MatrixSize& whole) {
    MatrixSize part;
    part.rows = std::min(whole.rows, std::max(warp_rows, max_counted_loads / whole.cols));
    part.cols = std::min(whole.cols, max_counted_loads / part.rows);
    return part;
}

FormatLoads count_format_loads(const SparseFormat& format, const FormatMatrix& matrix, const MatrixSize& whole,
                               const std::stop_token& stop) {
    FormatLoads counted;
    counted.counted = counted_part({matrix.rows, matrix.cols});
    counted.part = counted.counted.rows < whole.rows || counted.counted.cols < whole.cols;
    const std::vector<Reader> readers = readers_of(format);
    if (readers.empty()) return counted;
    for (const Reader& reader : readers) {
        if (stop.stop_requested()) throw Error(ErrorKind::failed, "the count was stopped");
        const Workload layer = layer_of(matrix, counted.counted, reader.filters);
        CheckedDevice watched;
        LaunchConfig launch;
        if (reader.block > 0) launch.tunables["block"] = reader.block;
        const auto execution =
            make_ready(watched.registry().get(reader.method, DeviceKind::sim), layer, launch, watched.device());
        LoadCounter counter(reader);
        watched.checker().recorder = &counter;
        watched.checker().options.stop = stop;
        execution->run();
        counted.kernels.push_back({reader.method, reader.kernel, reader.how, counter.loads()});
    }
    return counted;
}

std::string loads_sentence(const SparseFormat& format, const FormatLoads& counted) {
    if (format.builder == FormatBuilder::two_four)
        return "nm1 reads 2:4, but in FP16 and in tiles of its own: no load of these arrays is counted.";
    if (counted.kernels.empty()) return fmt::format("No kernel here reads {}.", format.title);
    std::string text;
    for (const KernelLoads& kernel : counted.kernels) {
        const ArrayLoads& values = kernel.arrays.back();
        const bool first = text.empty();
        text += fmt::format("{}of {} ({}) ", first ? "A warp " : "; ", kernel.method, kernel.how);
        if (values.requests == 0)
            text += fmt::format("loads no {}, as there are none", values.array);
        else if (first)
            text += fmt::format("asks for {} a load of {}, {} of their bytes used", sectors_text(values.sectors_each()),
                                values.array, format_percent(values.share_wanted()));
        else
            text += fmt::format("for {}, {} used", sectors_text(values.sectors_each()),
                                format_percent(values.share_wanted()));
    }
    if (counted.part)
        text += fmt::format(". Counted on the first {} rows and {} columns", format_count(counted.counted.rows),
                            format_count(counted.counted.cols));
    return text + ".";
}

}  // namespace convscope
