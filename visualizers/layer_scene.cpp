#include "visualizers/layer_scene.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

namespace convscope {
namespace {

constexpr std::int64_t least_chunk = 1 << 20, most_chunk = 64 << 20;  // bytes
constexpr std::int64_t most_read = 65536;                             // elements read back at once

PyramidSource pyramid_source(const LayerArraySpec& spec, const LayerPart& part, unsigned buffer) {
    return {buffer, 0, part.rows(), spec.cols, spec.cols, spec.element, spec.empty_slots, spec.zero_is_a_value};
}

}  // namespace

ValueRange range_of(Element element, const std::vector<std::uint32_t>& words) {
    ValueRange range{0, 0};
    for (const std::uint32_t raw : words) {
        const float value =
            element == Element::i32 ? static_cast<float>(std::bit_cast<std::int32_t>(raw)) : std::bit_cast<float>(raw);
        if (!std::isfinite(value)) continue;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    if (element == Element::i32) range.low = 0;  // -1 stands for 'none' or 'unused'
    return range;
}

LayerScene::LayerScene(LayerArraySpec spec, LayerPart part, std::shared_ptr<PyramidPrograms> programs)
    : spec_(std::move(spec)),
      part_(part),
      buffer_(std::string("layer.") + to_string(spec_.array), 4 * part.rows() * spec_.cols),
      pyramid_(std::move(programs)) {
    pyramid_.reset(pyramid_source(spec_, part_, buffer_.id()));
    pyramid_.rows_written(0);
}

void LayerScene::take(LayerPiece piece) {
    pending_ = std::move(piece);
    range_.low = std::min(range_.low, pending_.range.low);
    range_.high = std::max(range_.high, pending_.range.high);
}

std::int64_t LayerScene::advance(double milliseconds) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    double spent = 0;
    std::int64_t copied = 0;
    while (!pending_.words.empty() && spent < milliseconds) {
        const std::int64_t row_bytes = 4 * spec_.cols;
        const std::int64_t done = written_ - pending_.first_row;
        const std::int64_t there = static_cast<std::int64_t>(pending_.words.size()) / spec_.cols;
        const std::int64_t rows = std::min(there - done, std::max<std::int64_t>(1, chunk_ / row_bytes));
        buffer_.write(pending_.words.data() + done * spec_.cols, rows * row_bytes, written_ * row_bytes);
        written_ += rows;
        copied += rows * row_bytes;
        if (done + rows == there) pending_ = {};
        const double now = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        chunk_ = std::clamp(now - spent < milliseconds / 4 ? chunk_ * 2 : chunk_ / 2, least_chunk, most_chunk);
        spent = now;
    }
    host_bytes_ += copied;
    pyramid_.rows_written(written_);
    if (written_ > 0 && spent < milliseconds) pyramid_.advance(milliseconds - spent);
    return copied;
}

GridSource LayerScene::source() {
    GridSource source;
    source.buffer = buffer_.id();
    source.rows = written_;
    source.cols = source.row_stride = spec_.cols;
    source.element = spec_.element;
    source.empty_slots = spec_.empty_slots;
    source.zero_is_a_value = spec_.zero_is_a_value;
    source.range = range_;
    if (all_written()) source.pyramid = &pyramid_;
    source.contents = pyramid_.version();
    source.read = [this](std::int64_t first, std::int64_t rows, std::int64_t cols,
                         std::int64_t) -> const std::vector<std::uint32_t>& {
        return read(first / spec_.cols, rows, first % spec_.cols, cols);
    };
    return source;
}

const std::vector<std::uint32_t>& LayerScene::read(std::int64_t row, std::int64_t rows, std::int64_t col,
                                                   std::int64_t cols) {
    static const std::vector<std::uint32_t> none;
    if (rows <= 0 || cols <= 0 || rows * cols > most_read || row + rows > written_) return none;
    const Mirror& m = mirror_;
    if (m.row == row && m.rows == rows && m.col == col && m.cols == cols) return m.words;
    mirror_ = {row, rows, col, cols, std::vector<std::uint32_t>(static_cast<std::size_t>(rows * cols))};
    buffer_.read_rows(mirror_.words.data(), rows, 4 * cols, 4 * (row * spec_.cols + col), 4 * spec_.cols);
    return mirror_.words;
}

}  // namespace convscope
