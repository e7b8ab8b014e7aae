// An array of floats from a file of any kind that has them: .npy, .npz or .safetensors.
#pragma once

#include <filesystem>
#include <string>

#include "kernels/files/npy.h"

namespace convscope {

/// The array of a .npy; of a .npz or .safetensors its only one, or of "FILE.npz:NAME" the one of that name. A .npz of a
/// sparse matrix, as SciPy's save_npz and layout write it, gives the matrix with its zeros. Throws
/// Error(file) that names the file, what was found and what is accepted, and lists the names where one must be given;
/// OutOfMemory.
NpyArray read_array(const std::filesystem::path&);
/// Its shape alone, of 2 to 4 sizes. No data are read.
NpyShape read_array_shape(const std::filesystem::path&);

/// The file of "FILE.npz:NAME"; what names no array comes back as it is.
std::filesystem::path file_of_array(const std::filesystem::path&);
/// Whether the name is that of such a file.
bool is_array_file(const std::filesystem::path&);

}  // namespace convscope
