// A matrix in a sparse format: the arrays, what each of their elements belongs to, and the way back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/formats/sparse_format.h"

namespace convscope {

/// Dense, row-major; rows and cols are at least 1.
struct FormatMatrix {
    std::int64_t rows = 0, cols = 0;
    std::vector<float> values;
    bool operator==(const FormatMatrix&) const = default;
};

struct FormatEntry {  ///< a non-zero
    std::int32_t row = 0, col = 0;
    float value = 0;
    bool operator==(const FormatEntry&) const = default;
};

/// A matrix by its non-zeros, row by row from left to right, no two in one place.
struct SparseMatrix {
    std::int64_t rows = 0, cols = 0;
    std::vector<FormatEntry> entries;
    bool operator==(const SparseMatrix&) const = default;
};
/// Its coordinate on an axis.
std::int32_t axis_coordinate(const SparseFormat&, FormatAxis, std::int64_t cols, const FormatEntry&);
/// Sorts entries in the order in which levels keep them.
void sort_by_levels(const SparseFormat&, std::int64_t cols, std::vector<FormatEntry>&);
/// Sorts the entries, adds those in one place, and drops what is 0.
SparseMatrix put_in_order(SparseMatrix);
SparseMatrix make_sparse(const FormatMatrix&);
FormatMatrix make_dense(const SparseMatrix&);

enum class FormatType { f32, i32, u32, u16, u8 };
std::int64_t size_of(FormatType);
const char* to_string(FormatType);  ///< as NumPy has it: "float32"

/// The role of an array's elements.
enum class FormatRole { position, index, bits, offsets, runs, values, permutation, slice_start, diagonal, metadata };

/// The place of an element: coordinates as far as they are known there (-1 else), and the entries below it.
struct FormatPlace {
    std::int64_t first = 0, last = 0;       ///< of FormatArrays::entries, [first, last)
    std::int32_t row = -1, col = -1;        ///< of blocks where the format has them
    std::int32_t row_in = -1, col_in = -1;  ///< within the block
    bool used = true;                       ///< false: a slot that nothing is in
};

struct FormatArray {
    std::string name;
    FormatRole role = FormatRole::values;
    std::size_t level = 0;  ///< of the description; 0 in a builder of its own
    FormatType type = FormatType::f32;
    std::vector<std::int64_t> shape;
    std::vector<std::uint32_t> words;  ///< an element each: bits of a float, or the integer
    std::vector<FormatPlace> places;   ///< an element each; empty where they were not asked for

    std::int64_t elements() const { return static_cast<std::int64_t>(words.size()); }
    std::int64_t bytes() const { return elements() * size_of(type); }
    float number(std::int64_t element) const;
    std::int32_t integer(std::int64_t element) const;
    /// "23", "-1", "0x1d"
    std::string text(std::int64_t element) const;
};

struct FormatCell {
    std::int64_t row = 0, col = 0;
    bool operator==(const FormatCell&) const = default;
};

struct FormatArrays {
    const SparseFormat* format = nullptr;  ///< outlives it
    std::int64_t rows = 0, cols = 0;
    std::vector<FormatEntry> entries;  ///< the non-zeros, in the format's order
    std::vector<FormatArray> arrays;   ///< the values are the last
    std::int64_t lost = 0;             ///< non-zeros that the arrays no longer hold

    std::int64_t bytes() const;
    std::int64_t dense_bytes() const { return 4 * rows * cols; }
    /// How many elements of the values are 0, the same in every format: unused slots, what fills a block, a diagonal or
    /// a group of four, and what cuts a long run. Indices next to them are not counted.
    std::int64_t stored_zeros() const;
    const FormatArray& array(FormatRole, std::size_t level = 0) const;
    /// Elements of the matrix that an element of an array belongs to: its own, or the non-zeros below it.
    std::vector<FormatCell> cells(const FormatArray&, std::int64_t element) const;
};

/// 'places': also what each element belongs to. A value is a zero where it compares equal to 0: -0 comes back as 0.
/// Throws Error(usage) for a matrix that is empty, or whose arrays a 31-bit index cannot address.
FormatArrays build_from_entries(const SparseFormat&, SparseMatrix, bool places = true);
FormatArrays build_format(const SparseFormat&, const FormatMatrix&, bool places = true);

/// Completes "... its arrays contradict each other: ".
struct BadFormat : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// From the arrays alone, whoever made them; FormatArrays::entries may be empty. Values in the same place are added.
/// Takes memory in proportion to the arrays. Throws BadFormat where their numbers cannot be a matrix of this size.
SparseMatrix read_format(const FormatArrays&);

/// Which of its four columns a value of 2:4 is from, 0 to 3, as the metadata say.
std::int64_t place_in_four(const FormatArrays&, std::int64_t value);

/// "row_ptr[3]", "values[1, 0]"
std::string element_name(const FormatArray&, std::int64_t element);
/// "row_ptr[3] = 7: row 3 begins at entry 7"
std::string format_sentence(const FormatArrays&, const FormatArray&, std::int64_t element);
/// A format, and the element of its values that holds an element of the matrix, where one does.
struct KeptValue {
    const FormatArrays* in = nullptr;
    std::optional<std::int64_t> element;
};
/// Where each of them keeps one and the same element of the matrix, which is 'value': "kept in CSR values[3], ELL
/// values[1, 1]", "lost in 2:4"; of a zero, "stored in BSR values[0, 0, 1]", "not stored in CSR, ELL".
std::vector<std::string> kept_sentences(const std::vector<KeptValue>&, float value);
/// The two bits of 2:4's metadata that place a value:
/// "metadata[0, 0], bits 2 and 3 = 1: values[0, 1] is of column 5, place 1 of columns 4 to 7"
std::string place_sentence(const FormatArrays&, std::int64_t value);
/// "Zeros stored: 6 of 15 values, 24 of 120 bytes, in unused slots."; empty where there are none. 'here' is put where
/// the sentence needs it if the matrix is a part of another: " here".
std::string stored_zeros_sentence(const FormatArrays&, const std::string& here = {});
/// "2:4 loses 2 of 5 non-zeros: in each row, ..."; empty where nothing is lost.
std::string loss_sentence(const SparseFormat&, std::int64_t lost, std::int64_t non_zeros, const std::string& here = {});
std::string loss_sentence(const FormatArrays&, const std::string& here = {});
/// "row_ptr 24 + col_idx 36 + values 36 = 96 B", and what is rounded up.
std::string bytes_sentence(const FormatArrays&);
/// The meaning of an array, as a phrase: "where each row's entries begin".
std::string format_meaning(const FormatArrays&, const FormatArray&);

// One for each way to lay out, for build_format() and read_format().
void build_levels(FormatArrays&, bool places);
void build_sell(FormatArrays&, bool places);
void build_dia(FormatArrays&, bool places);
void build_two_four(FormatArrays&, bool places);
std::vector<FormatEntry> read_levels(const FormatArrays&);
std::vector<FormatEntry> read_sell(const FormatArrays&);
std::vector<FormatEntry> read_dia(const FormatArrays&);
std::vector<FormatEntry> read_two_four(const FormatArrays&);

// Checks that readers make of a file's arrays. Throw BadFormat.
void require_elements(const FormatArray&, std::int64_t wanted);
/// The entry, where it lies in the matrix; a zero may also lie beyond.
void add_entry(const FormatArrays&, std::vector<FormatEntry>&, std::int64_t row, std::int64_t col, float value);

}  // namespace convscope
