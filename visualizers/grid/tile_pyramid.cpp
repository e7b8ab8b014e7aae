#include "visualizers/grid/tile_pyramid.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "visualizers/grid/pyramid_shaders.h"

namespace convscope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t group = 64;                              // invocations, as in the shaders
constexpr std::int64_t max_groups = 65535;                      // every OpenGL takes so many
constexpr std::int64_t min_work = 1 << 18, max_work = 1 << 26;  // elements in one dispatch

void uniform2(const gl::Program& program, const char* name, std::int64_t x, std::int64_t y) {
    glUniform2ui(program.uniform(name), static_cast<GLuint>(x), static_cast<GLuint>(y));
}

void uniform1(const gl::Program& program, const char* name, std::int64_t value) {
    glUniform1ui(program.uniform(name), static_cast<GLuint>(value));
}

void bind_planes(GLuint first, const gl::Buffer& buffer, const PyramidLevel& level) {
    const std::int64_t each = TilePyramid::plane_bytes(level);
    for (GLuint plane = 0; plane < TilePyramid::planes; ++plane)
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, first + plane, buffer.id(), plane * each, 8 * level.tiles());
}

void unbind(GLuint count) {
    for (GLuint i = 0; i < count; ++i) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
}

void dispatch(std::int64_t tiles) {
    glDispatchCompute(static_cast<GLuint>((tiles + group - 1) / group), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

double span_value(Element element, std::uint32_t bits) {
    return element == Element::i32 ? std::bit_cast<std::int32_t>(bits) : std::bit_cast<float>(bits);
}

/// Two pyramids never have the same, since buffers take over each other's numbers.
std::uint64_t next_version() {
    static std::uint64_t version = 0;
    return ++version;
}

TileStats no_values() {
    TileStats none;
    none.least = std::numeric_limits<double>::infinity();
    none.largest = -none.least;
    return none;
}

}  // namespace

void TileStats::add(const TileStats& other) {
    if (elements == 0) return void(*this = other);
    least = std::min(least, other.least);
    largest = std::max(largest, other.largest);
    sum += other.sum;
    filled += other.filled;
    zeros += other.zeros;
    nans += other.nans;
    elements += other.elements;
}

TileStats stats_of(const PyramidSource& source, const std::uint32_t* bits, std::int64_t count) {
    TileStats stats = no_values();
    stats.elements = count;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint32_t raw = bits[i];
        if (source.empty_slots && raw == 0xffffffffu) continue;
        ++stats.filled;
        const double value = span_value(source.element, raw);
        if (std::isnan(value)) {
            ++stats.nans;
            continue;
        }
        stats.least = std::min(stats.least, value);
        stats.largest = std::max(stats.largest, value);
        stats.sum += value;
        const bool zero = source.element == Element::i32 ? value <= 0 : value == 0;
        if (zero && !source.zero_is_a_value) ++stats.zeros;
    }
    return stats;
}

const gl::Program& PyramidPrograms::base() {
    if (!base_) base_ = std::make_unique<gl::Program>("pyramid.base", std::string(pyramid_common) + pyramid_base);
    return *base_;
}

const gl::Program& PyramidPrograms::merge() {
    if (!merge_) merge_ = std::make_unique<gl::Program>("pyramid.merge", std::string(pyramid_common) + pyramid_merge);
    return *merge_;
}

TilePyramid::TilePyramid(std::shared_ptr<PyramidPrograms> programs) : programs_(std::move(programs)) {}

void TilePyramid::reset(const PyramidSource& source) {
    const bool same_size = source.rows == source_.rows && source.cols == source_.cols;
    source_ = source;
    written_ = source.rows;
    version_ = next_version();
    level_ = 0;
    next_row_ = 0;
    if (same_size) return;
    levels_ = pyramid_levels(source.rows, source.cols);
    buffers_.clear();
}

void TilePyramid::rows_written(std::int64_t rows) {
    if (rows == written_) return;
    written_ = rows;
    version_ = next_version();
}

std::int64_t TilePyramid::plane_bytes(const PyramidLevel& level) {
    constexpr std::int64_t alignment = 256;  // no OpenGL asks for more
    return (8 * level.tiles() + alignment - 1) / alignment * alignment;
}

void TilePyramid::allocate() {
    const std::int64_t most = gl::limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE);
    for (const PyramidLevel& level : levels_) {
        if (8 * level.tiles() > most)
            throw Error(ErrorKind::failed,
                        fmt::format("an array of {} elements is too large to aggregate: this OpenGL's shaders write {} "
                                    "at once",
                                    format_count(source_.rows * source_.cols), format_bytes(most)));
        buffers_.emplace_back("pyramid", planes * plane_bytes(level));
    }
}

double TilePyramid::progress() const {
    if (levels_.empty() || complete()) return 1;
    if (level_ > 0) return 0.97;  // the coarser levels are a small part of the work
    return 0.97 * static_cast<double>(next_row_) / static_cast<double>(levels_[0].rows);
}

std::int64_t TilePyramid::bytes() const {
    std::int64_t sum = 0;
    for (const gl::Buffer& buffer : buffers_) sum += buffer.bytes();
    return sum;
}

/// Whole tile rows of the level being built, within what one dispatch does and a shader can see at once.
std::int64_t TilePyramid::tile_rows_at_once(std::int64_t bytes_per_tile_row) const {
    const PyramidLevel& level = levels_[level_];
    const std::int64_t seen = gl::limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE) - 256;
    if (level_ == 0 && bytes_per_tile_row > seen)
        throw Error(ErrorKind::failed, fmt::format("rows of {} elements are too long for this OpenGL's shaders",
                                                   format_count(source_.cols)));
    const std::int64_t per_tile = level_ == 0 ? level.tile_rows * level.tile_cols : 4;
    const std::int64_t by_work = work_ / (per_tile * level.cols), by_groups = max_groups * group / level.cols;
    const std::int64_t by_bytes = level_ == 0 ? seen / bytes_per_tile_row : level.rows;
    return std::max<std::int64_t>(1, std::min({by_work, by_groups, by_bytes}));
}

bool TilePyramid::advance(double milliseconds) {
    if (complete()) return true;
    if (buffers_.empty()) allocate();
    const Clock::time_point begin = Clock::now();
    double spent = 0;
    while (!complete() && spent < milliseconds) {
        const PyramidLevel& level = levels_[level_];
        // A tile row waits until all of its rows are there.
        const std::int64_t ready = level_ > 0 || written_ >= source_.rows ? level.rows : written_ / level.tile_rows;
        const std::int64_t left = ready - next_row_;
        if (left <= 0) return false;
        const std::int64_t rows = std::min(left, tile_rows_at_once(4 * level.tile_rows * source_.row_stride));
        level_ == 0 ? run_base(next_row_, rows) : run_merge(level_, next_row_, rows);
        glFinish();
        const double now = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        // Each dispatch about a quarter of the frame's share, so that the last one does not overshoot by much.
        work_ = std::clamp(now - spent < milliseconds / 4 ? work_ * 2 : work_ / 2, min_work, max_work);
        spent = now;
        next_row_ += rows;
        if (next_row_ < level.rows) continue;
        ++level_;
        next_row_ = 0;
    }
    glUseProgram(0);
    unbind(7);
    gl::check("aggregating an array");
    return complete();
}

void TilePyramid::run_base(std::int64_t tile_row, std::int64_t tile_rows) const {
    const PyramidLevel& level = levels_[0];
    const gl::Program& program = programs_->base();
    const std::int64_t row = tile_row * level.tile_rows;
    const std::int64_t rows = std::min(source_.rows - row, tile_rows * level.tile_rows);
    // The part of the buffer that these rows lie in, from where a shader can be made to see it.
    const std::int64_t alignment = std::max<std::int64_t>(4, gl::limit(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT));
    const std::int64_t begin = 4 * (source_.first + row * source_.row_stride), seen = begin / alignment * alignment;
    const std::int64_t end = begin + 4 * ((rows - 1) * source_.row_stride + source_.cols);
    glUseProgram(program.id());
    glUniform1i(program.uniform("integers"), source_.element == Element::i32);
    glUniform1i(program.uniform("empty_slots"), source_.empty_slots);
    glUniform1i(program.uniform("zero_is_a_value"), source_.zero_is_a_value);
    uniform1(program, "first_tile", tile_row * level.cols);
    uniform1(program, "tile_end", (tile_row + tile_rows) * level.cols);
    uniform2(program, "tiles", level.cols, level.rows);
    uniform1(program, "offset", (begin - seen) / 4);
    uniform1(program, "row_stride", source_.row_stride);
    uniform1(program, "first_row", row);
    uniform2(program, "size", source_.cols, source_.rows);
    uniform2(program, "tile", level.tile_cols, level.tile_rows);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, source_.buffer, seen, end - seen);
    bind_planes(1, buffers_[0], level);
    dispatch(tile_rows * level.cols);
}

void TilePyramid::run_merge(std::size_t at, std::int64_t tile_row, std::int64_t tile_rows) const {
    const PyramidLevel& level = levels_[at];
    const PyramidLevel& below = levels_[at - 1];
    const gl::Program& program = programs_->merge();
    glUseProgram(program.id());
    glUniform1i(program.uniform("integers"), source_.element == Element::i32);
    uniform1(program, "first_tile", tile_row * level.cols);
    uniform1(program, "tile_end", (tile_row + tile_rows) * level.cols);
    uniform2(program, "tiles", level.cols, level.rows);
    uniform2(program, "below", below.cols, below.rows);
    uniform2(program, "factor", level.tile_cols / below.tile_cols, level.tile_rows / below.tile_rows);
    bind_planes(1, buffers_[at], level);
    bind_planes(4, buffers_[at - 1], below);
    dispatch(tile_rows * level.cols);
}

TileStats TilePyramid::stats(std::size_t at, std::int64_t row0, std::int64_t row1, std::int64_t col0,
                             std::int64_t col1) const {
    const PyramidLevel& level = levels_[at];
    const std::int64_t rows = row1 - row0, cols = col1 - col0;
    std::vector<std::uint32_t> words[planes];
    for (int i = 0; i < planes; ++i) {
        words[i].resize(static_cast<std::size_t>(2 * rows * cols));
        buffers_[at].read_rows(words[i].data(), rows, 8 * cols, i * plane_bytes(level) + 8 * (row0 * level.cols + col0),
                               8 * level.cols);
    }
    TileStats all = no_values();
    for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t height = std::min(level.tile_rows, source_.rows - (row0 + row) * level.tile_rows);
        for (std::int64_t i = 0; i < cols; ++i) {
            const auto low = static_cast<std::size_t>(2 * (row * cols + i)), high = low + 1;
            TileStats tile;
            tile.zeros = words[2][low];
            tile.filled = words[2][high];
            tile.nans = words[1][high];
            tile.sum = std::bit_cast<float>(words[1][low]);
            tile.least = span_value(source_.element, words[0][low]);
            tile.largest = span_value(source_.element, words[0][high]);
            tile.elements = height * std::min(level.tile_cols, source_.cols - (col0 + i) * level.tile_cols);
            all.add(tile);
        }
    }
    return all;
}

}  // namespace convscope
