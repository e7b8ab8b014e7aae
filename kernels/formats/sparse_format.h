// Sparse formats, each described by a TOML file of presets/formats: as levels, one below the other, in the manner of
// the tensor compilers (Chou, Kjolstad and Amarasinghe, Format Abstraction for Sparse Tensor Algebra Compilers, 2018),
// or by the name of a builder of its own where levels cannot say it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace convscope {

/// How a level keeps the coordinates of one axis below each position of the level above it.
enum class LevelKind {
    dense,       ///< every coordinate, none of them stored
    compressed,  ///< those with non-zeros, stored; a position array says where each parent's begin
    singleton,   ///< one for each position above, stored
    padded,      ///< as many slots for each parent as the fullest one needs, at least one; -1 where unused
    bitmap,      ///< a bit for each coordinate; the bits set before a word are counted, so a popcount finds an entry
    run_length,  ///< zeros between an entry and the one before it
};

/// The axis that a level's coordinate counts. Rows are one axis, or blocks and rows within them; columns likewise;
/// 'cell' is row * columns + column.
enum class FormatAxis { row, col, row_block, col_block, row_in_block, col_in_block, cell };

struct FormatLevel {
    LevelKind kind = LevelKind::dense;
    FormatAxis of = FormatAxis::row;
    bool unique = true;          ///< of compressed: false keeps a coordinate for each entry below it, as COO does
    std::int64_t max_run = 255;  ///< of run length: a longer run is cut by a zero that is stored
    /// Names of the arrays: where a parent's entries begin (a bitmap's counts), and the coordinates (bits, runs).
    std::string position, index;
};

/// The builder that lays the arrays out.
enum class FormatBuilder {
    levels,
    sell,      ///< SELL-C-sigma: rows sorted by length within windows, in slices as wide as their longest row
    dia,       ///< diagonals with a non-zero, each as long as the matrix is high
    two_four,  ///< two of every four columns, with two bits for each value's place
};

struct SparseFormat {
    std::string name;   ///< "csr"
    std::string title;  ///< "CSR"
    std::string text;   ///< what it is, one or two sentences
    std::string read;   ///< how a row is read from the arrays, and what they cannot leave out; empty: not said
    FormatBuilder builder = FormatBuilder::levels;
    std::vector<FormatLevel> levels;
    std::int64_t block_h = 1, block_w = 1;  ///< of levels of blocks
    std::int64_t slice = 0, sort = 0;       ///< of sell: rows of a slice (C), of a window that is sorted (sigma)
    std::string values = "values";          ///< name of the array of values
    std::int64_t order = 0;                 ///< where lists show it; then by name
    std::filesystem::path file;

    std::string about() const { return read.empty() ? text : text + ' ' + read; }
};

/// Coordinates that an axis has in a matrix of this size.
std::int64_t axis_extent(const SparseFormat&, FormatAxis, std::int64_t rows, std::int64_t cols);

/// Throws Error(file), "FILE:LINE:COLUMN: sentence", where it is not TOML, a key is unknown, missing or of another
/// type, or the levels do not cover rows and columns once each.
SparseFormat load_sparse_format(const std::filesystem::path&);

/// A file of preset_folder()/formats that is wrong.
struct UnreadFormat {
    std::string name;   ///< that it gives its format; the file's without its ending where that does not read
    std::string error;  ///< "FILE:LINE:COLUMN: sentence"
};

/// Those of preset_folder()/formats, in the order in which lists show them; without those of wrong files.
const std::vector<SparseFormat>& all_sparse_formats();
const std::vector<UnreadFormat>& unread_sparse_formats();
std::vector<std::string> sparse_format_names();
/// Throws Error(file) with the sentence of a file that is wrong, else Error(not_found) that names the nearest of all
/// formats and of 'others', which the caller takes too.
const SparseFormat& find_sparse_format(const std::string& name, const std::vector<std::string>& others = {});

/// "dense row, compressed column"; of a builder of its own: what it is.
std::string describe_levels(const SparseFormat&);

}  // namespace convscope
