#include "app/lessons/map_arrays.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "kernels/layers/covering_windows.h"

namespace convscope::lessons {
namespace {

constexpr std::int64_t max_elements = 64'000'000;  ///< of all arrays of a format: 256 MB
constexpr std::uint32_t empty = ~0u;               ///< an unused slot (layout_builder.h)

/// Where an array stands; x, w and y are in all formats.
std::optional<Format> format_of(const std::string& name, const ConvShape& shape) {
    if (name == "im2col") return Format::im2col;
    if (name == "L" || name == "mec") return Format::mec;
    if (name == "Data" || name == "Index" || name == "Count" || name == "conv")
        return shape.pooled() ? std::optional(Format::pecr) : std::nullopt;
    if (name == "y" && shape.pooled()) return Format::pecr;
    return Format::ecr;
}

}  // namespace

MapArrays::MapArrays(const Workload& workload, const MapIndex& map)
    : shape_(map_shape(workload.spec.shape)),
      x_(map_of(workload.x, map.image, map.channel)),
      w_(weights_of(workload, map.filter, map.channel)),
      builder_(make_host_layout_builder()) {}

double MapArrays::zeros() const {
    return static_cast<double>(std::ranges::count(x_, 0.0F)) / static_cast<double>(x_.size());
}

const MapWork& MapArrays::work() {
    if (!work_) work_ = map_work(shape_, x_);
    return *work_;
}

const MapArrays::Built& MapArrays::build(Format format) {
    Built& built = built_[static_cast<std::size_t>(format)];
    if (built.tried) return built;
    built.tried = true;
    std::vector<ArraySpec> specs{{"x", "", Element::f32, shape_.h, shape_.w},
                                 {"w", "", Element::f32, shape_.r, shape_.s}};
    for (const ArraySpec& spec : layout_arrays(format, shape_)) specs.push_back(spec);
    std::int64_t elements = 0;
    for (const ArraySpec& spec : specs) elements += spec.rows * spec.cols;
    if (elements > max_elements) return built;
    std::vector<void*> out;
    for (const ArraySpec& spec : specs)
        out.push_back(built.data.emplace_back(static_cast<std::size_t>(spec.rows * spec.cols)).data());
    builder_->build(format, shape_, x_.data(), w_.data(), out);
    built.specs = std::move(specs);
    return built;
}

MapArrays::Found MapArrays::look_up(const std::string& name) {
    const std::optional<Format> format = format_of(name, shape_);
    if (!format) return {};
    const Built& built = build(*format);
    // The lowered matrix of im2col or MEC comes first of its format's own arrays, whatever its name there.
    if (name == "im2col" || name == "mec" || name == "L")
        return built.specs.empty() ? Found{} : Found{&built.specs[2], &built.data[2]};
    for (std::size_t i = 0; i < built.specs.size(); ++i)
        if (built.specs[i].name == name) return {&built.specs[i], &built.data[i]};
    return {};
}

const ArraySpec* MapArrays::find(const std::string& name) {
    return look_up(name).spec;
}

std::optional<double> MapArrays::at(const std::string& name, std::int64_t row, std::int64_t col) {
    const auto [spec, data] = look_up(name);
    if (!spec || row < 0 || row >= spec->rows || col < 0 || col >= spec->cols) return std::nullopt;
    const std::uint32_t bits = (*data)[static_cast<std::size_t>(row * spec->cols + col)];
    if (bits == empty) return std::nullopt;
    return spec->element == Element::f32 ? static_cast<double>(std::bit_cast<float>(bits))
                                         : static_cast<double>(std::bit_cast<std::int32_t>(bits));
}

std::optional<std::pair<std::int64_t, std::int64_t>> MapArrays::place(const std::string& name, std::int64_t i) {
    const auto [spec, data] = look_up(name);
    if (!spec || i < 0) return std::nullopt;
    for (std::size_t at = 0; at < data->size(); ++at)
        if ((*data)[at] != empty && i-- == 0)
            return std::pair{static_cast<std::int64_t>(at) / spec->cols, static_cast<std::int64_t>(at) % spec->cols};
    return std::nullopt;
}

std::int64_t MapArrays::used(const std::string& name) {
    const auto [spec, data] = look_up(name);
    if (!spec) return 0;
    return static_cast<std::int64_t>(data->size()) - std::ranges::count(*data, empty);
}

std::int64_t MapArrays::copies(const std::string& matrix, std::int64_t row, std::int64_t col) const {
    const std::int64_t across = std::ssize(windows_over_col(shape_, col));
    if (matrix == "mec") return across;  // L holds whole columns of the strip
    return across * std::ssize(windows_over_row(shape_, row));
}

}  // namespace convscope::lessons
