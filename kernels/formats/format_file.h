// A matrix in a file: .npz in any of our formats, as SciPy's save_npz writes it, or a dense .npy.
#pragma once

#include <filesystem>
#include <string>

#include "kernels/files/npz.h"
#include "kernels/formats/format_arrays.h"

namespace convscope {

struct MatrixFile {
    std::string format;  ///< as the file names it: "csr"; "dense" of a .npy
    SparseMatrix matrix;
};

/// Reads .npz: an array 'format' with a format's name, 'shape', and the format's arrays by their names; or, of csr,
/// csc, coo, bsr and dia, those of SciPy's save_npz. Reads .npy: two dimensions. Which of them it is, its first bytes
/// say. Values are rounded to float32, and added where two have the same place. Throws Error(file) naming the file,
/// what was found and what is accepted; memory in proportion to the file.
MatrixFile read_matrix_file(const std::filesystem::path&);
/// The same of an .npz file; 'path' is for the sentences.
MatrixFile read_matrix_npz(const std::filesystem::path& path, const NpzFile&);
/// Its rows and columns alone, where it names a format that there is.
NpyShape read_matrix_shape(const std::filesystem::path& path, const NpzFile&);
/// Whether its arrays are those of a matrix, by their names.
bool is_matrix_npz(const NpzFile&);

/// The bytes of a .npz file of these arrays: as SciPy's load_npz reads it where scipy_reads() says so, else under the
/// format's own names. They take fewer than max_npz_bytes.
std::string matrix_npz_bytes(const FormatArrays&);
/// CSR, CSC, COO, DIA, and BSR of whole blocks; by its levels, whatever the format is called.
bool scipy_reads(const FormatArrays&);

}  // namespace convscope
