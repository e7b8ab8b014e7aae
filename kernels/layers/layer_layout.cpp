#include "kernels/layers/layer_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"

namespace convscope {
namespace {

/// The numbers of a row or a column, the last one counting fastest.
template <std::size_t N>
std::array<std::int64_t, N> digits(std::int64_t number, const std::array<std::int64_t, N>& base) {
    std::array<std::int64_t, N> out{};
    for (std::size_t i = N; i-- > 0;) {
        out[i] = number % base[i];
        number /= base[i];
    }
    return out;
}

std::string row_words(LayerArray array, const ConvShape& s, std::int64_t row) {
    switch (array) {
        case LayerArray::w:
            return fmt::format("filter {}", row);
        case LayerArray::L:
            return fmt::format("output column {}", row);
        case LayerArray::Ptr:
            return fmt::format("output row {}", row);
        case LayerArray::Data:
        case LayerArray::Index:
        case LayerArray::Count: {
            const auto [h, w] = digits<2>(row, {s.out_h(), s.out_w()});
            return fmt::format("pooled output ({}, {})", h, w);
        }
        default: {
            const auto [p, q] = digits<2>(row, {s.p(), s.q()});
            return fmt::format("output ({}, {})", p, q);
        }
    }
}

std::string col_words(LayerArray array, const ConvShape& s, std::int64_t col) {
    switch (array) {
        case LayerArray::y:
            return fmt::format("filter {}", col);
        case LayerArray::Ptr:
            return fmt::format("output column {}", col);
        case LayerArray::w: {
            const auto [c, i, j] = digits<3>(col, {s.c, s.r, s.s});
            return fmt::format("channel {}, filter cell ({}, {})", c, i, j);
        }
        case LayerArray::im2col: {
            const auto [i, j, c] = digits<3>(col, {s.r, s.s, s.c});
            return fmt::format("channel {}, filter cell ({}, {})", c, i, j);
        }
        case LayerArray::L: {
            const auto [h, j, c] = digits<3>(col, {s.padded_h(), s.s, s.c});
            const std::int64_t row = h - s.pad_h;
            return fmt::format("channel {}, {} of x, filter column {}", c,
                               row < 0 || row >= s.h ? "padding, no row" : fmt::format("row {}", row), j);
        }
        case LayerArray::Count: {
            const auto [i, j] = digits<2>(col, {s.pool_h, s.pool_w});
            return fmt::format("window ({}, {}) of the pooling window", i, j);
        }
        default:
            return fmt::format("slot {}", col);
    }
}

LayerArraySpec lowered(const ConvShape& s, const char* cols, const char* meaning) {
    LayerArraySpec spec;
    spec.row_shape = "n p q";
    spec.col_shape = cols;
    spec.meaning = meaning;
    spec.images = s.n;
    spec.rows_per_image = s.p() * s.q();
    spec.rows_per_unit = s.q();
    spec.cols = s.reduction();
    return spec;
}

LayerArraySpec pooled(const ConvShape& s, std::int64_t each, const char* cols, const char* meaning) {
    LayerArraySpec spec = lowered(s, cols, meaning);
    spec.row_shape = "n out_h out_w";
    spec.rows_per_image = s.out_h() * s.out_w();
    spec.rows_per_unit = s.out_w();
    spec.cols = s.pool_h * s.pool_w * each;
    return spec;
}

LayerArraySpec spec_of(LayerArray array, const ConvShape& s) {
    switch (array) {
        case LayerArray::x: {
            const ChannelGrid grid = channel_grid(s.c);
            const auto times = [](std::int64_t count, const char* size) {
                return count == 1 ? std::string(size) : fmt::format("{} {}", count, size);
            };
            LayerArraySpec spec;
            spec.meaning = s.c == 1 ? "the input: one map"
                                    : fmt::format("the input: its {} maps, channel by channel from the left", s.c);
            spec.row_shape = "n " + times(grid.down, "h");
            spec.col_shape = times(grid.across, "w");
            spec.images = s.n;
            spec.rows_per_image = grid.down * s.h;
            spec.rows_per_unit = s.h;
            spec.cols = grid.across * s.w;
            spec.cols_per_map = s.w;
            return spec;
        }
        case LayerArray::w:
            return {array, "the filters, one to a row", "k", "c r s", Element::f32, 1, s.k, s.reduction()};
        case LayerArray::im2col:
            return lowered(s, "r s c", "every window of the input as a row (Cho & Brand, Fig. 1)");
        case LayerArray::L:
            return {array,        "the strip of the input behind each output column (Cho & Brand, Alg. 2)",
                    "n q",        "padded_h s c",
                    Element::f32, s.n,
                    s.q(),        s.padded_h() * s.s * s.c};
        case LayerArray::F_data:
            return lowered(s, "c r s slots", "the non-zero elements of each window (Xu, Alg. 1)");
        case LayerArray::K_index:
            return lowered(s, "c r s slots", "which weight each element of F_data meets (Xu, Alg. 1)");
        case LayerArray::Ptr:
            return {array,        "non-zero elements of each window, -1 for none (Xu, Alg. 1)",
                    "n p",        "q",
                    Element::i32, s.n,
                    s.p(),        s.q()};
        case LayerArray::Data:
            return pooled(s, s.reduction(), "pool_h pool_w c r s slots",
                          "the non-zero elements of each pooling window's windows (Xu, Alg. 3)");
        case LayerArray::Index:
            return pooled(s, s.reduction(), "pool_h pool_w c r s slots",
                          "which weight each element of Data meets (Xu, Alg. 3)");
        case LayerArray::Count:
            return pooled(s, 1, "pool_h pool_w", "non-zero elements of each window (Xu, Alg. 3)");
        case LayerArray::y: {
            LayerArraySpec spec = lowered(s, "k", "the convolution, NHWC: im2col matrix times filters");
            spec.cols = s.k;
            return spec;
        }
    }
    return {};
}

}  // namespace

ChannelGrid channel_grid(std::int64_t channels) {
    auto down = static_cast<std::int64_t>(std::sqrt(static_cast<double>(channels)));
    while (down > 1 && channels % down != 0) --down;
    down = std::max<std::int64_t>(1, down);
    return {down, channels / down};
}

const char* to_string(LayerArray array) {
    constexpr const char* names[] = {"x",   "w",    "im2col", "L",     "F_data", "K_index",
                                     "Ptr", "Data", "Index",  "Count", "y"};
    return names[static_cast<std::size_t>(array)];
}

LayerArraySpec layer_array(LayerArray array, const ConvShape& shape) {
    using enum LayerArray;
    validate(shape);
    if (array == Data || array == Index || array == Count) require_layout(Format::pecr, shape);
    if (array == L) require_layout(Format::mec, shape);
    if (shape.groups != 1)
        throw Error(ErrorKind::usage,
                    fmt::format("a layer's arrays are those of one group; this layer has {}", shape.groups));
    LayerArraySpec spec = spec_of(array, shape);
    spec.array = array;
    if (array == K_index || array == Index || array == Ptr || array == Count) spec.element = Element::i32;
    spec.zero_is_a_value = array == K_index || array == Index;
    spec.empty_slots = spec.zero_is_a_value || array == F_data || array == Data;
    return spec;
}

std::vector<LayerArray> layer_arrays(Format format) {
    using enum LayerArray;
    switch (format) {
        case Format::im2col:
            return {y, x, w};
        case Format::mec:
            return {im2col, L, x};
        case Format::ecr:
            return {F_data, K_index, Ptr, x};
        case Format::pecr:
            return {Data, Index, Count, x};
    }
    return {};
}

std::int64_t first_row(const LayerArraySpec& spec, const LayerPart& part) {
    return part.first_image * spec.rows_per_image;
}

LayerPart part_that_fits(const LayerArraySpec& spec, std::int64_t image, std::int64_t budget_bytes) {
    LayerPart part;
    const std::int64_t row_bytes = 4 * spec.cols, image_bytes = row_bytes * spec.rows_per_image;
    if (image_bytes > budget_bytes) {
        const std::int64_t units = std::max<std::int64_t>(1, budget_bytes / (row_bytes * spec.rows_per_unit));
        part.rows_per_image = std::min(spec.rows_per_image, units * spec.rows_per_unit);
        part.first_image = std::clamp<std::int64_t>(image, 0, spec.images - 1);
        return part;
    }
    const std::int64_t each = std::min(spec.images, std::max<std::int64_t>(1, budget_bytes / image_bytes));
    part.first_image = std::clamp<std::int64_t>(image, 0, spec.images - 1) / each * each;
    part.images = std::min(each, spec.images - part.first_image);
    part.rows_per_image = spec.rows_per_image;
    return part;
}

std::string part_words(const LayerArraySpec& spec, const LayerPart& part, std::int64_t budget_bytes) {
    const std::string budget = format_bytes(budget_bytes);
    std::string words;
    if (spec.images > part.images) {
        const std::int64_t last = part.first_image + part.images - 1;
        words = part.images == 1 ? fmt::format("Image {} of {}", part.first_image, spec.images)
                                 : fmt::format("Images {}-{} of {}", part.first_image, last, spec.images);
    }
    if (part.rows_per_image < spec.rows_per_image)
        words += fmt::format("{}the first {} of {} rows", words.empty() ? "Only " : ", ",
                             format_count(part.rows_per_image), format_count(spec.rows_per_image));
    if (!words.empty()) words += fmt::format(": the view's {} hold no more.", budget);
    return words;
}

std::string place_words(const LayerArraySpec& spec, const ConvShape& shape, const LayerPart& part, std::int64_t row,
                        std::int64_t col) {
    std::string words;
    if (spec.images > 1) words = fmt::format("image {}, ", part.first_image + row / part.rows_per_image);
    if (spec.array == LayerArray::x) {
        const std::int64_t in_image = row % part.rows_per_image, across = spec.cols / shape.w;
        return words + fmt::format("channel {}, row {}, column {}", in_image / shape.h * across + col / shape.w,
                                   in_image % shape.h, col % shape.w);
    }
    return words + row_words(spec.array, shape, row % part.rows_per_image) + ", " + col_words(spec.array, shape, col);
}

}  // namespace convscope
