#include "visualizers/layouts/layout_scene.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"

namespace convscope {
namespace {

constexpr std::int64_t max_array_bytes = 512'000'000;
constexpr std::int64_t mirror_elements = 65536;   // arrays up to this size are read back whole
constexpr std::int64_t range_elements = 1 << 16;  // results beyond these do not count for the colour range

ValueRange range_of_values(const float* values, std::int64_t count) {
    float low = 0, high = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (!std::isfinite(values[i])) continue;
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
    }
    return {low, high};
}

ArraySpec input_spec(ArrayId id, const ConvShape& shape) {
    ArraySpec spec;
    spec.name = to_string(id);
    spec.rows = id == ArrayId::x ? shape.h : shape.r;
    spec.cols = id == ArrayId::x ? shape.w : shape.s;
    spec.meaning = id == ArrayId::x ? "the input: one channel of one image, h x w" : "the filter: one channel, r x s";
    return spec;
}

/// The host path needs the same in host memory.
void require_drawable(const std::vector<ArraySpec>& specs) {
    for (const ArraySpec& spec : specs)
        if (spec.bytes() > max_array_bytes)
            throw Error(
                ErrorKind::failed,
                fmt::format("{} is {} here, and the layout of one map is made of arrays of at most {}; choose a "
                            "smaller map, or show the whole layer, which takes the part that fits",
                            spec.name, format_bytes(spec.bytes()), format_bytes(max_array_bytes)));
}

}  // namespace

LayoutScene::LayoutScene(std::shared_ptr<CudaGl> cuda) : buffers_(std::move(cuda)) {}

void LayoutScene::rebuild(Format format, const ConvShape& shape, const float* x, const float* w, LayoutBuilder& builder,
                          LayoutBuilder& host) {
    ConvShape one = shape;
    one.n = one.c = one.k = 1;
    const std::vector<ArrayId> ids = arrays_of(format);
    std::vector<ArraySpec> specs = {input_spec(ArrayId::x, shape), input_spec(ArrayId::w, shape)};
    for (ArraySpec& spec : layout_arrays(format, one)) specs.push_back(std::move(spec));
    if (specs.size() != ids.size()) throw std::logic_error("layout_arrays and arrays_of disagree");

    std::vector<std::string> labels;
    std::vector<std::int64_t> bytes;
    for (const ArraySpec& spec : specs) {
        labels.push_back(std::string(to_string(format)) + "." + spec.name);
        bytes.push_back(spec.bytes());
    }
    arrays_.clear();
    require_drawable(specs);
    MapValues map_values(shape, x, w);
    buffers_.resize(labels, bytes);
    auto write_with = [&](LayoutBuilder& with) {
        return [&](const std::vector<void*>& out) { with.build(format, map_values.shape(), x, w, out); };
    };
    built_by_gpu_ = builder.on_gpu() && buffers_.write_mapped(write_with(builder));
    LayoutBuilder& used = built_by_gpu_ || !builder.on_gpu() ? builder : host;
    if (!built_by_gpu_) buffers_.write_host(write_with(used));

    builder_ = used.describe();
    format_ = format;
    map_values_ = std::move(map_values);
    ++generation_;
    mirrors_.assign(ids.size(), {});
    whole_.assign(ids.size(), {});
    for (std::size_t i = 0; i < ids.size(); ++i) arrays_.push_back({ids[i], std::move(specs[i]), {}, false});
    describe_arrays();
    reset_pyramids();
}

/// Their memory is kept where an array has the size that it had; what is in them is made again when it is drawn.
void LayoutScene::reset_pyramids() {
    pyramids_.resize(arrays_.size());
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        const SceneArray& array = arrays_[i];
        if (!pyramids_[i]) pyramids_[i] = std::make_unique<TilePyramid>(programs_);
        pyramids_[i]->reset({buffers_[i].id(), 0, array.spec.rows, array.spec.cols, array.spec.cols, array.spec.element,
                             array.empty_slots, array.id == ArrayId::Index});
    }
}

TilePyramid* LayoutScene::pyramid(ArrayId id) const {
    const std::size_t i = index(id);
    return i < arrays_.size() ? pyramids_[i].get() : nullptr;
}

void LayoutScene::describe_arrays() {
    using enum ArrayId;
    for (SceneArray& array : arrays_) {
        array.range = range_of(array.id);
        array.empty_slots = array.id == F_data || array.id == K_data || array.id == Data || array.id == Index;
    }
}

ValueRange LayoutScene::range_of(ArrayId id) const {
    using enum ArrayId;
    const auto window = static_cast<float>(map_values_.shape().window());
    switch (id) {
        case w:
        case K_data:
            return range_of_values(map_values_.w_values().data(), map_values_.shape().window());
        case Ptr:
        case Count:
            return {0, window};
        case Index:
            return {0, std::max(1.0f, window - 1)};
        case y:
        case conv: {
            const std::size_t i = index(id);
            std::vector<float> values(
                static_cast<std::size_t>(std::min(range_elements, arrays_[i].spec.rows * arrays_[i].spec.cols)));
            buffers_[i].read(values.data(), 4 * static_cast<std::int64_t>(values.size()));
            return range_of_values(values.data(), static_cast<std::int64_t>(values.size()));
        }
        default:
            return range_of_values(map_values_.x_values().data(), map_values_.shape().h * map_values_.shape().w);
    }
}

std::size_t LayoutScene::index(ArrayId id) const {
    const auto at = std::find_if(arrays_.begin(), arrays_.end(), [id](const SceneArray& a) { return a.id == id; });
    return static_cast<std::size_t>(at - arrays_.begin());
}

const SceneArray* LayoutScene::find(ArrayId id) const {
    const std::size_t i = index(id);
    return i < arrays_.size() ? &arrays_[i] : nullptr;
}

unsigned LayoutScene::buffer(ArrayId id) const {
    const std::size_t i = index(id);
    return i < arrays_.size() ? buffers_[i].id() : 0;
}

bool LayoutScene::mirrored_whole(std::size_t array) const {
    return arrays_[array].spec.rows * arrays_[array].spec.cols <= mirror_elements;
}

void LayoutScene::read_elements(std::size_t array, std::int64_t first, std::int64_t count, std::uint32_t* out) const {
    const ArraySpec& spec = arrays_[array].spec;
    const std::int64_t elements = spec.rows * spec.cols;
    if (!mirrored_whole(array)) {
        buffers_[array].read(out, 4 * count, 4 * first);
        return;
    }
    std::vector<std::uint32_t>& whole = whole_[array];
    if (whole.empty()) {
        whole.resize(static_cast<std::size_t>(elements));
        buffers_[array].read(whole.data(), 4 * elements);
    }
    std::copy_n(whole.begin() + first, count, out);
}

const std::vector<std::uint32_t>& LayoutScene::read(ArrayId id, std::int64_t first, std::int64_t rows,
                                                    std::int64_t cols, std::int64_t row_stride) const {
    static const std::vector<std::uint32_t> none;
    const std::size_t i = index(id);
    if (i >= arrays_.size() || rows <= 0 || cols <= 0 || rows * cols > 65536) return none;
    Mirror& mirror = mirrors_[i];
    if (mirror.generation == generation_ && mirror.first == first && mirror.rows == rows && mirror.cols == cols &&
        mirror.stride == row_stride)
        return mirror.values;
    mirror = {generation_, first,      rows,
              cols,        row_stride, std::vector<std::uint32_t>(static_cast<std::size_t>(rows * cols))};
    if (mirrored_whole(i))
        for (std::int64_t row = 0; row < rows; ++row)
            read_elements(i, first + row * row_stride, cols, &mirror.values[static_cast<std::size_t>(row * cols)]);
    else
        buffers_[i].read_rows(mirror.values.data(), rows, 4 * cols, 4 * first, 4 * row_stride);
    return mirror.values;
}

double LayoutScene::value(const ElementRef& element) const {
    const std::size_t i = index(element.array);
    std::uint32_t bits = 0;
    read_elements(i, element.cell.row * arrays_[i].spec.cols + element.cell.col, 1, &bits);
    if (arrays_[i].spec.element == Element::i32) return std::bit_cast<std::int32_t>(bits);
    return std::bit_cast<float>(bits);
}

std::string LayoutScene::describe() const {
    return buffers_.describe() + (builder_.empty() ? "" : ", " + builder_);
}

std::int64_t LayoutScene::bytes() const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < buffers_.count(); ++i) sum += buffers_[i].bytes();
    return sum;
}

}  // namespace convscope
