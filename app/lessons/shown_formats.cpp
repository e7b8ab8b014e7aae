#include "app/lessons/shown_formats.h"

#include <algorithm>
#include <utility>

#include "app/session/layout_extras.h"
#include "kernels/formats/format_bytes.h"

namespace convscope::lessons {

ShownFormats::ShownFormats(std::shared_ptr<const Workload> workload, MatrixOf of, std::int64_t image)
    : workload_(std::move(workload)),
      of_(of),
      image_(image),
      matrix_(make_matrix(of, *workload_, image, app::most_of_matrix)),
      whole_(matrix_size(of, workload_->spec.shape, true)) {}

const FormatArrays& ShownFormats::built(const std::string& format) {
    const auto found = built_.find(format);
    if (found != built_.end()) return found->second;
    return built_.emplace(format, build_format(find_sparse_format(format), matrix_, false)).first->second;
}

std::int64_t ShownFormats::bytes(const std::string& format) {
    return format == "dense" ? 4 * matrix_.rows * matrix_.cols : built(format).bytes();
}

std::optional<std::int64_t> ShownFormats::whole_bytes(const std::string& format) {
    if (!counts_whole()) return std::nullopt;
    if (format == "dense") return 4 * whole_.rows * whole_.cols;
    const auto found = whole_bytes_.find(format);
    if (found != whole_bytes_.end()) return found->second;
    if (!non_zeros_) non_zeros_ = find_non_zeros(of_, *workload_, image_);
    return whole_bytes_[format] = count_bytes(find_sparse_format(format), *non_zeros_);
}

std::optional<double> ShownFormats::saves_at(const std::string& format) {
    const auto found = saves_at_.find(format);
    if (found != saves_at_.end()) return found->second;
    return saves_at_[format] = break_even_zeros(find_sparse_format(format), whole_.rows, whole_.cols);
}

const FormatArray* ShownFormats::array(const std::string& name) {
    const std::size_t dot = name.find('.');
    const std::vector<FormatArray>& arrays = built(name.substr(0, dot)).arrays;
    const auto found = std::ranges::find(arrays, name.substr(std::min(dot, name.size() - 1) + 1), &FormatArray::name);
    return found == arrays.end() ? nullptr : &*found;
}

const std::vector<std::string>& format_array_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const SparseFormat& format : all_sparse_formats())
            for (const FormatArray& array : build_format(format, {1, 1, {1.0F}}, false).arrays)
                list.push_back(format.name + "." + array.name);
        return list;
    }();
    return names;
}

}  // namespace convscope::lessons
