#include "visualizers/layers/layer_scene.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>

namespace convscope {
namespace {

constexpr std::int64_t min_chunk = 1 << 20, max_chunk = 64 << 20;  // bytes
constexpr std::int64_t max_read = 65536;                           // elements read back at once

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

PyramidSource pyramid_source(const LayerArraySpec& spec, const LayerPart& part, unsigned buffer) {
    return {buffer, 0, part.rows(), spec.cols, spec.cols, spec.element, spec.empty_slots, spec.zero_is_a_value};
}

}  // namespace

LayerScene::LayerScene(LayerArraySpec spec, LayerPart part, std::shared_ptr<const Workload> workload,
                       std::shared_ptr<PyramidPrograms> programs, const LayerPath& path)
    : job_(layer_job(spec, workload->spec.shape, part.rows_per_image)),
      part_(part),
      workload_(std::move(workload)),
      buffers_(path.cuda),
      pyramid_(std::move(programs)) {
    buffers_.resize({std::string("layer.") + to_string(spec.array)}, {4 * part.rows() * spec.cols});
    const bool wanted = path.builder && path.builder->on_gpu() && path.cuda->module();
    if (wanted && buffers_.interop()) gpu_ = path.builder;
    if (wanted && !gpu_) failure_ = describe();
    begin();
}

/// Nothing of what is in the buffer counts.
void LayerScene::begin() {
    written_ = 0;
    mirror_ = {};
    pyramid_.reset(pyramid_source(job_.spec, part_, buffer().id()));
    pyramid_.rows_written(0);
}

void LayerScene::take(LayerPiece piece) {
    pending_ = std::move(piece);
    widen(pending_.range);
}

void LayerScene::widen(const ValueRange& range) {
    range_.low = std::min(range_.low, range.low);
    range_.high = std::max(range_.high, range.high);
}

std::int64_t LayerScene::advance(double milliseconds) {
    const Clock::time_point start = Clock::now();
    std::int64_t copied = 0;
    if (gpu_ && !pending_.input.empty())
        write_on_gpu();
    else
        copied = copy(milliseconds);
    host_bytes_ += copied;
    pyramid_.rows_written(written_);
    const double spent = milliseconds_since(start);
    if (written_ > 0 && spent < milliseconds) pyramid_.advance(milliseconds - spent);
    return copied;
}

/// On failure, keeps earlier images that are still in the buffer, and the host writes this one.
void LayerScene::write_on_gpu() {
    const unsigned written_to = buffer().id();
    ValueRange range{0, 0};
    bool done = false;
    try {
        if (!writer_) writer_ = gpu_->make_layer_writer(job_, workload_->w.data.data());
        done = buffers_.write_mapped([&](const std::vector<void*>& out) {
            range = writer_->write(pending_.input, static_cast<std::byte*>(out[0]) + 4 * written_ * cols());
        });
    } catch (const std::exception& error) {
        gpu_failure_ = error.what();
    }
    pending_ = {};
    if (done) {
        written_ += part_.rows_per_image;
        widen(range);
        if (all_written()) writer_.reset();  // its memory is needed no more
        return;
    }
    writer_.reset();
    gpu_ = nullptr;
    failure_ = describe();
    if (buffer().id() != written_to) begin();
}

std::int64_t LayerScene::copy(double milliseconds) {
    const Clock::time_point start = Clock::now();
    double spent = 0;
    std::int64_t copied = 0;
    while (!pending_.words.empty() && spent < milliseconds) {
        const std::int64_t row_bytes = 4 * cols();
        const std::int64_t done = written_ - pending_.first_row;
        const std::int64_t there = static_cast<std::int64_t>(pending_.words.size()) / cols();
        const std::int64_t rows = std::min(there - done, std::max<std::int64_t>(1, chunk_ / row_bytes));
        buffers_.write_part(0, pending_.words.data() + done * cols(), rows * row_bytes, written_ * row_bytes);
        written_ += rows;
        copied += rows * row_bytes;
        if (done + rows == there) pending_ = {};
        const double now = milliseconds_since(start);
        chunk_ = std::clamp(now - spent < milliseconds / 4 ? chunk_ * 2 : chunk_ / 2, min_chunk, max_chunk);
        spent = now;
    }
    return copied;
}

std::string LayerScene::describe() const {
    if (gpu_) return "interop, " + gpu_->describe();
    if (!gpu_failure_.empty()) return "host upload (the GPU's build failed: " + gpu_failure_ + "), built on the CPU";
    return buffers_.describe() + ", built on the CPU";
}

GridSource LayerScene::source() {
    GridSource source;
    source.buffer = buffer().id();
    source.rows = written_;
    source.cols = source.row_stride = job_.spec.cols;
    source.element = job_.spec.element;
    source.empty_slots = job_.spec.empty_slots;
    source.zero_is_a_value = job_.spec.zero_is_a_value;
    source.range = range_;
    if (all_written()) source.pyramid = &pyramid_;
    source.contents = pyramid_.version();
    source.read = [this](std::int64_t first, std::int64_t rows, std::int64_t cols,
                         std::int64_t) -> const std::vector<std::uint32_t>& {
        return read(first / job_.spec.cols, rows, first % job_.spec.cols, cols);
    };
    return source;
}

const std::vector<std::uint32_t>& LayerScene::read(std::int64_t row, std::int64_t rows, std::int64_t col,
                                                   std::int64_t cols) {
    static const std::vector<std::uint32_t> none;
    if (rows <= 0 || cols <= 0 || rows * cols > max_read || row + rows > written_) return none;
    const Mirror& m = mirror_;
    if (m.row == row && m.rows == rows && m.col == col && m.cols == cols) return m.words;
    mirror_ = {row, rows, col, cols, std::vector<std::uint32_t>(static_cast<std::size_t>(rows * cols))};
    buffer().read_rows(mirror_.words.data(), rows, 4 * cols, 4 * (row * job_.spec.cols + col), 4 * job_.spec.cols);
    return mirror_.words;
}

}  // namespace convscope
