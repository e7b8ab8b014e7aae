#include "kernels/formats/format_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <limits>
#include <type_traits>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/printable.h"
#include "kernels/files/npy_elements.h"

namespace convscope {
namespace {

FormatLevel level(LevelKind kind, FormatAxis of, const char* position = "", const char* index = "") {
    FormatLevel made;
    made.kind = kind;
    made.of = of;
    made.position = position;
    made.index = index;
    return made;
}

SparseFormat scipy(const char* name, FormatBuilder builder, std::vector<FormatLevel> levels) {
    SparseFormat made;
    made.name = name;
    made.builder = builder;
    made.levels = std::move(levels);
    made.values = "data";
    return made;
}

/// SciPy's formats as ours are described, under SciPy's names of the arrays.
std::vector<SparseFormat> make_scipy_formats() {
    using enum FormatAxis;
    using enum LevelKind;
    const auto lists = [](FormatAxis of) { return level(compressed, of, "indptr", "indices"); };
    FormatLevel each_row = level(compressed, row, "", "row");
    each_row.unique = false;
    return {scipy("csr", FormatBuilder::levels, {level(dense, row), lists(col)}),
            scipy("csc", FormatBuilder::levels, {level(dense, col), lists(row)}),
            scipy("coo", FormatBuilder::levels, {each_row, level(singleton, col, "", "col")}),
            scipy("bsr", FormatBuilder::levels,
                  {level(dense, row_block), lists(col_block), level(dense, row_in_block), level(dense, col_in_block)}),
            scipy("dia", FormatBuilder::dia, {})};
}

const std::vector<SparseFormat>& scipy_formats() {
    static const std::vector<SparseFormat> formats = make_scipy_formats();
    return formats;
}

bool same_levels(const SparseFormat& a, const SparseFormat& b) {
    return a.builder == b.builder &&
           std::ranges::equal(a.levels, b.levels, [](const FormatLevel& left, const FormatLevel& right) {
               return left.kind == right.kind && left.of == right.of && left.unique == right.unique &&
                      left.position.empty() == right.position.empty();
           });
}

/// SciPy's, of the same levels; none where it has no such format.
const SparseFormat* scipy_format(const SparseFormat& format) {
    const auto found =
        std::ranges::find_if(scipy_formats(), [&](const SparseFormat& each) { return same_levels(each, format); });
    return found == scipy_formats().end() ? nullptr : &*found;
}

[[noreturn]] void reject(const std::filesystem::path& path, const std::string& found) {
    // A layer's x in a .npy has other dimensions.
    const bool npz = path.extension() == ".npz";
    throw Error(ErrorKind::file,
                fmt::format("{}: {}; accepted are .npz files as layout or SciPy's save_npz writes them{}",
                            path.string(), found, npz ? "" : ", and .npy files of two dimensions"));
}

template <class Element>
Element element_at(const NpyBytes& array, std::int64_t at) {
    Element element;
    std::memcpy(&element, array.data.data() + static_cast<std::size_t>(at) * sizeof element, sizeof element);
    return element;
}

std::int64_t elements_of(const NpyBytes& array) {
    return static_cast<std::int64_t>(array.data.size() / array.element_bytes());
}

/// Calls take(number) for each element: a float, a double or an integer.
template <class Take>
void each_number(const NpyBytes& array, Take take) {
    const auto each = [&]<class Element>(Element) {
        for (std::int64_t at = 0; at < elements_of(array); ++at) take(element_at<Element>(array, at));
    };
    if (array.type == "f4") return each(float{});
    if (array.type == "f8") return each(double{});
    const bool is_signed = array.type[0] == 'i';
    switch (array.element_bytes()) {
        case 1:
            return is_signed ? each(std::int8_t{}) : each(std::uint8_t{});
        case 2:
            return is_signed ? each(std::int16_t{}) : each(std::uint16_t{});
        case 4:
            return is_signed ? each(std::int32_t{}) : each(std::uint32_t{});
        default:
            return is_signed ? each(std::int64_t{}) : each(std::uint64_t{});
    }
}

bool is_whole(const NpyBytes& array) {
    return array.type[0] == 'i' || array.type[0] == 'u';
}

void require_size(const std::filesystem::path& path, std::int64_t rows, std::int64_t cols) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (rows < 1 || cols < 1 || rows > most / cols)
        reject(path, fmt::format("its matrix is {} \u00d7 {}, and one of 1 to {} elements is read", rows, cols, most));
}

/// Bits of a float32, or an index of up to 31 bits.
std::vector<std::uint32_t> words_of(const std::filesystem::path& path, const std::string& name, const NpyBytes& array,
                                    bool values) {
    if (array.type == "f2") reject(path, fmt::format("its array '{}' is of float16", name));
    if (!values && !is_whole(array)) reject(path, fmt::format("its array '{}' is not of integers", name));
    std::vector<std::uint32_t> words;
    require_host_memory(4.0 * static_cast<double>(elements_of(array)), path.string());
    words.reserve(static_cast<std::size_t>(elements_of(array)));
    each_number(array, [&](auto number) {
        if (values) {
            if (exceeds_float(static_cast<double>(number)))
                reject(path, fmt::format("its array '{}' has {}, beyond the range of float32", name, number));
            words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(number)));
        } else if constexpr (std::is_integral_v<decltype(number)>) {
            if (!std::in_range<std::int32_t>(number))
                reject(path, fmt::format("its array '{}' has {}, more than 31 bits", name, number));
            words.push_back(static_cast<std::uint32_t>(number));
        }
    });
    return words;
}

NpyShape read_shape(const std::filesystem::path& path, const NpzFile& file) {
    // The header first: what is no shape may have gigabytes.
    try {
        const NpyFile begun = file.open_header("shape");
        constexpr std::int64_t most = 2 * sizeof(std::int64_t);
        if (begun.header.shape != NpyShape{2} || begun.data_bytes > most)
            throw BadNpy("its array 'shape' is not of two integers");
    } catch (const BadNpy& bad) {
        reject(path, bad.what());
    }
    const NpyBytes array = file.read("shape");
    if (!is_whole(array)) reject(path, "its array 'shape' is not of two integers");
    NpyShape shape;
    each_number(array, [&](auto number) { shape.push_back(static_cast<std::int64_t>(number)); });
    require_size(path, shape[0], shape[1]);
    return shape;
}

/// "float32" as NpyBytes has it.
const char* npy_type(FormatType type) {
    constexpr const char* types[] = {"f4", "i4", "u4", "u2", "u1"};
    return types[static_cast<std::size_t>(type)];
}

/// The arrays of a format from those of the file. 'any_type': SciPy's indices have 32 or 64 bits, its values any
/// number.
SparseMatrix read_arrays(const std::filesystem::path& path, const NpzFile& file, const SparseFormat& format,
                         const NpyShape& size, bool any_type) {
    // The arrays' names and meanings are the same for each size.
    FormatArrays arrays = build_from_entries(format, {1, 1, {{0, 0, 1.0F}}}, false);
    arrays.rows = size[0];
    arrays.cols = size[1];
    arrays.entries.clear();
    for (FormatArray& array : arrays.arrays) {
        const NpyBytes found = file.read(array.name);
        if (found.shape.size() != array.shape.size())
            reject(path, fmt::format("its array '{}' has {} dimensions, not {}", array.name, found.shape.size(),
                                     array.shape.size()));
        if (!any_type && found.type != npy_type(array.type))
            reject(path,
                   fmt::format("its array '{}' is of '{}', not '{}'", array.name, found.type, npy_type(array.type)));
        array.shape = found.shape;
        // Bits and metadata are words of their own; what counts or leads somewhere has 31 bits.
        if (array.role == FormatRole::bits || array.role == FormatRole::metadata) {
            array.words.clear();
            each_number(found, [&](auto number) { array.words.push_back(static_cast<std::uint32_t>(number)); });
        } else {
            array.words = words_of(path, array.name, found, array.role == FormatRole::values);
        }
    }
    return read_format(arrays);
}

/// Element j of a diagonal is in column j.
SparseMatrix read_scipy_dia(const std::filesystem::path& path, const NpzFile& file, const NpyShape& size) {
    const NpyBytes data = file.read("data"), found = file.read("offsets");
    const std::vector<std::uint32_t> offsets = words_of(path, "offsets", found, false);
    if (data.shape.size() != 2 || found.shape.size() != 1 || data.shape[0] != found.shape[0])
        reject(path, fmt::format("its array 'data' is {} for {} offsets", to_string(data.shape), offsets.size()));
    const std::vector<std::uint32_t> values = words_of(path, "data", data, true);
    SparseMatrix matrix{size[0], size[1], {}};
    for (std::size_t at = 0; at < values.size(); ++at) {
        const std::int64_t length = data.shape[1], col = static_cast<std::int64_t>(at) % length;
        const std::int64_t row = col - std::bit_cast<std::int32_t>(offsets[at / static_cast<std::size_t>(length)]);
        const auto value = std::bit_cast<float>(values[at]);
        if (value != 0 && row >= 0 && row < size[0] && col < size[1])
            matrix.entries.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(col), value});
    }
    return put_in_order(std::move(matrix));
}

SparseMatrix read_scipy(const std::filesystem::path& path, const NpzFile& file, SparseFormat format,
                        const NpyShape& size) {
    if (format.builder == FormatBuilder::dia) return read_scipy_dia(path, file, size);
    if (format.levels.size() == 4) {
        const NpyBytes blocks = file.read("data");
        if (blocks.shape.size() != 3 || blocks.shape[1] < 1 || blocks.shape[2] < 1 || size[0] % blocks.shape[1] != 0 ||
            size[1] % blocks.shape[2] != 0)
            reject(path, fmt::format("its array 'data' is {}, no blocks of which {} \u00d7 {} is made",
                                     to_string(blocks.shape), size[0], size[1]));
        format.block_h = blocks.shape[1];
        format.block_w = blocks.shape[2];
    }
    return read_arrays(path, file, format, size, true);
}

/// The format by which the file's arrays are read: SciPy's, or one of ours.
struct FileFormat {
    const SparseFormat* format = nullptr;
    bool scipy = false;
};

FileFormat find_format(const std::filesystem::path& path, const NpzFile& file) {
    if (!file.has("format")) reject(path, "it has no array 'format'");
    const std::string name = file.read_text("format");
    const auto of_scipy = std::ranges::find(scipy_formats(), name, &SparseFormat::name);
    if (of_scipy != scipy_formats().end() && file.has("data")) return {&*of_scipy, true};
    const auto& all = all_sparse_formats();
    if (const auto own = std::ranges::find(all, name, &SparseFormat::name); own != all.end()) return {&*own, false};
    const auto& unread = unread_sparse_formats();
    if (const auto wrong = std::ranges::find(unread, name, &UnreadFormat::name); wrong != unread.end())
        throw Error(ErrorKind::file, wrong->error);
    reject(path,
           fmt::format("its format is '{}'; there are {}", printable(name), fmt::join(sparse_format_names(), ", ")));
}

MatrixFile read_dense(const std::filesystem::path& path) {
    const NpyBytes array = read_npy_bytes(path);
    if (const std::size_t dims = array.shape.size(); dims != 2)
        reject(path, fmt::format("it has {} dimension{}", dims, dims == 1 ? "" : "s"));
    require_size(path, array.shape[0], array.shape[1]);
    FormatMatrix matrix{array.shape[0], array.shape[1], {}};
    for (const std::uint32_t word : words_of(path, "dense", array, true))
        matrix.values.push_back(std::bit_cast<float>(word));
    return {"dense", make_sparse(matrix)};
}

template <class Element>
NpyBytes bytes_of(const char* type, const NpyShape& shape, const std::vector<std::uint32_t>& words) {
    NpyBytes array{type, shape, std::vector<std::byte>(words.size() * sizeof(Element))};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto element = static_cast<Element>(words[i]);
        std::memcpy(array.data.data() + i * sizeof element, &element, sizeof element);
    }
    return array;
}

std::string member_of(const FormatArray& array) {
    const char* type = npy_type(array.type);
    if (array.type == FormatType::u16) return npy_file_bytes(bytes_of<std::uint16_t>(type, array.shape, array.words));
    if (array.type == FormatType::u8) return npy_file_bytes(bytes_of<std::uint8_t>(type, array.shape, array.words));
    return npy_file_bytes(bytes_of<std::uint32_t>(type, array.shape, array.words));
}

/// Rows by columns, from each column's element on the row that the diagonal has there.
FormatArray by_column(const FormatArrays& made, const FormatArray& offsets, const FormatArray& values) {
    FormatArray turned{"data", FormatRole::values, 0, FormatType::f32, {offsets.elements(), made.cols}, {}, {}};
    for (std::int64_t diagonal = 0; diagonal < offsets.elements(); ++diagonal)
        for (std::int64_t col = 0; col < made.cols; ++col) {
            const std::int64_t row = col - offsets.integer(diagonal);
            const bool inside = row >= 0 && row < made.rows;
            turned.words.push_back(inside ? values.words[static_cast<std::size_t>(diagonal * made.rows + row)] : 0);
        }
    return turned;
}

}  // namespace

bool scipy_reads(const FormatArrays& made) {
    return scipy_format(*made.format) && made.rows % made.format->block_h == 0 && made.cols % made.format->block_w == 0;
}

std::string matrix_npz_bytes(const FormatArrays& made) {
    const SparseFormat* theirs = scipy_reads(made) ? scipy_format(*made.format) : nullptr;
    NpzMembers members;
    members.emplace_back("format", npy_file_of_text(theirs ? theirs->name : made.format->name));
    NpyBytes shape{"i8", {2}, std::vector<std::byte>(2 * sizeof(std::int64_t))};
    std::memcpy(shape.data.data(), &made.rows, sizeof made.rows);
    std::memcpy(shape.data.data() + sizeof made.rows, &made.cols, sizeof made.cols);
    members.emplace_back("shape", npy_file_bytes(shape));
    if (theirs && theirs->builder == FormatBuilder::dia) {
        members.emplace_back("offsets", member_of(made.array(FormatRole::diagonal)));
        members.emplace_back(
            "data", member_of(by_column(made, made.array(FormatRole::diagonal), made.array(FormatRole::values))));
        return npz_file_bytes(members);
    }
    const auto name = [&](const FormatArray& array) {
        if (!theirs) return array.name;
        if (array.role == FormatRole::values) return theirs->values;
        const FormatLevel& of = theirs->levels[array.level];
        return array.role == FormatRole::position ? of.position : of.index;
    };
    for (const FormatArray& array : made.arrays) members.emplace_back(name(array), member_of(array));
    return npz_file_bytes(members);
}

bool is_matrix_npz(const NpzFile& file) {
    return file.has("format") && file.has("shape");
}

NpyShape read_matrix_shape(const std::filesystem::path& path, const NpzFile& file) {
    find_format(path, file);
    return read_shape(path, file);
}

MatrixFile read_matrix_npz(const std::filesystem::path& path, const NpzFile& file) {
    const auto [format, scipy] = find_format(path, file);
    const NpyShape size = read_shape(path, file);
    try {
        return {format->name,
                scipy ? read_scipy(path, file, *format, size) : read_arrays(path, file, *format, size, false)};
    } catch (const BadFormat& bad) {
        reject(path, fmt::format("it is no matrix in {}: {}", format->name, bad.what()));
    }
}

MatrixFile read_matrix_file(const std::filesystem::path& path) {
    std::string first(6, '\0');
    std::error_code none;
    if (std::filesystem::is_regular_file(path, none)) {
        std::ifstream file(path, std::ios::binary);
        if (file && file.peek() == std::ifstream::traits_type::eof()) reject(path, "it is empty");
        file.read(first.data(), 6);
    }
    // What is named .npy and is none is said of a .npy.
    if (first == "\x93NUMPY" || path.extension() == ".npy") return read_dense(path);
    return read_matrix_npz(path, NpzFile(path));
}

}  // namespace convscope
