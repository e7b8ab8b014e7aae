// The matrix of the Formats page in the sparse formats, built when an expression first asks for one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/formats/format_arrays.h"
#include "kernels/layers/format_matrix.h"
#include "kernels/layers/workload.h"

namespace convscope::lessons {

/// A text asks in every frame for what is counted on the interface's thread.
inline constexpr std::int64_t max_counted = 1 << 22;
/// A bisection counts the whole matrix some thirty times.
inline constexpr std::int64_t max_bisected = 1 << 16;

class ShownFormats {
public:
    /// As much of one image's matrix as the page shows.
    ShownFormats(std::shared_ptr<const Workload>, MatrixOf, std::int64_t image);

    /// Bytes of a format, or of the "dense" matrix. Throws Error(not_found) for another name, as all do here.
    std::int64_t bytes(const std::string& format);
    /// The whole matrix has at most max_counted elements.
    bool counts_whole() const { return whole_.rows <= max_counted / whole_.cols; }
    /// The same of max_bisected.
    bool bisects_whole() const { return whole_.rows <= max_bisected / whole_.cols; }
    /// Bytes of the whole matrix in a format. Unset where that is too large to be counted, or the format cannot hold
    /// it.
    std::optional<std::int64_t> whole_bytes(const std::string& format);
    /// The share of zeros, 0 to 1, from which on a matrix of the whole's size is smaller than dense; unset where it
    /// never is. bisects_whole() must hold.
    std::optional<double> saves_at(const std::string& format);
    /// "csr.row_ptr"; null where the format has no such array.
    const FormatArray* array(const std::string& name);

private:
    const FormatArrays& built(const std::string& format);

    std::shared_ptr<const Workload> workload_;
    MatrixOf of_;
    std::int64_t image_;
    FormatMatrix matrix_;
    MatrixSize whole_;
    std::optional<NonZeros> non_zeros_;  ///< of the whole matrix, once its bytes are asked for
    std::map<std::string, FormatArrays> built_;
    std::map<std::string, std::optional<std::int64_t>> whole_bytes_;
    std::map<std::string, std::optional<double>> saves_at_;  ///< a text asks in every frame, and a bisection answers
};

/// "csr.row_ptr" and so on, of all formats.
const std::vector<std::string>& format_array_names();

}  // namespace convscope::lessons
