#include "kernels/formats/array_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "kernels/core/host_memory.h"
#include "kernels/core/printable.h"
#include "kernels/files/npy_elements.h"
#include "kernels/files/npy_header.h"
#include "kernels/files/npz.h"
#include "kernels/files/safetensors.h"
#include "kernels/formats/format_file.h"

namespace convscope {
namespace {

constexpr const char* npz_ending = ".npz";
constexpr const char* safetensors_ending = ".safetensors";
constexpr const char* accepted_in_npz =
    "float32 and float64 arrays of 2 to 4 dimensions, and a matrix as SciPy's save_npz writes it";
constexpr const char* accepted_in_safetensors =
    "tensors of 2 to 4 dimensions of F64, F32, F16, BF16, I8 to I64, U8 to U64 or BOOL";

struct ArrayPath {
    std::filesystem::path file;
    std::string name;  ///< of the array; empty: none is given
};

ArrayPath parse(const std::filesystem::path& path) {
    const std::string text = path.string();
    for (const char* ending : {npz_ending, safetensors_ending}) {
        const std::string before_name = std::string(ending) + ":";
        if (const std::size_t at = text.find(before_name); at != std::string::npos)
            return {text.substr(0, at + before_name.size() - 1), text.substr(at + before_name.size())};
    }
    return {path, {}};
}

/// The array that is named, or the only one.
std::string choose(const ArrayPath& path, const std::vector<std::string>& names) {
    if (path.name.empty() && names.size() == 1) return names.front();
    if (std::ranges::find(names, path.name) != names.end()) return path.name;
    constexpr std::size_t most = 20;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) shown.push_back(printable(names[i], 200));
    if (names.empty()) throw BadNpy("it has no array");
    const std::string list = fmt::format("{}{}", fmt::join(shown, ", "),
                                         names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
    if (path.name.empty())
        throw BadNpy(fmt::format("it has {} arrays, and FILE:NAME names one; they are {}", names.size(), list));
    throw BadNpy(fmt::format("it has no array '{}'; its arrays are {}", printable(path.name, 200), list));
}

/// A name chooses an array as it lies there.
bool is_matrix(const ArrayPath& path, const NpzFile& file) {
    return path.name.empty() && is_matrix_npz(file);
}

NpyArray dense_array(const std::filesystem::path& path, const SparseMatrix& matrix) {
    require_host_memory(4.0 * static_cast<double>(matrix.rows * matrix.cols), path.string());
    return {{matrix.rows, matrix.cols}, make_dense(matrix).values};
}

}  // namespace

NpyArray read_array(const std::filesystem::path& path) {
    const ArrayPath array = parse(path);
    if (array.file.extension() == npz_ending)
        return reading_npy(array.file, accepted_in_npz, [&] {
            const NpzFile file(array.file);
            if (is_matrix(array, file)) return dense_array(array.file, read_matrix_npz(array.file, file).matrix);
            return read_floats(file.open(choose(array, file.names())), array.file);
        });
    if (array.file.extension() != safetensors_ending) return read_npy(path);
    return reading_npy(array.file, accepted_in_safetensors, [&] {
        SafetensorsFile file(array.file);
        return file.read(choose(array, file.names()));
    });
}

NpyShape read_array_shape(const std::filesystem::path& path) {
    const ArrayPath array = parse(path);
    if (array.file.extension() == npz_ending)
        return reading_npy(array.file, accepted_in_npz, [&] {
            const NpzFile file(array.file);
            if (is_matrix(array, file)) return read_matrix_shape(array.file, file);
            const NpyFile npy = file.open_header(choose(array, file.names()));
            require_floats(npy);
            return npy.header.shape;
        });
    if (array.file.extension() != safetensors_ending) return read_npy_shape(path);
    return reading_npy(array.file, accepted_in_safetensors, [&] {
        const SafetensorsFile file(array.file);
        return file.shape(choose(array, file.names()));
    });
}

std::filesystem::path file_of_array(const std::filesystem::path& path) {
    return parse(path).file;
}

bool is_array_file(const std::filesystem::path& path) {
    const std::filesystem::path ending = parse(path).file.extension();
    return ending == ".npy" || ending == npz_ending || ending == safetensors_ending;
}

}  // namespace convscope
