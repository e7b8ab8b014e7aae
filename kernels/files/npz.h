// NumPy's .npz files: a zip archive with a .npy file for each array, stored or deflated. Without ZIP64: up to 4 GiB.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/files/npy_bytes.h"
#include "kernels/files/npy_header.h"

namespace convscope {

inline constexpr std::int64_t max_npz_bytes = std::int64_t{1} << 32;  ///< a file has fewer

class NpzFile {
public:
    /// Reads the names and sizes of its arrays. Throws Error(file) naming the file, what was found and what is
    /// accepted.
    explicit NpzFile(const std::filesystem::path&);
    /// Reads the bytes of such a file; 'name' is for the sentences.
    NpzFile(std::filesystem::path name, std::string bytes);

    std::vector<std::string> names() const;
    bool has(const std::string& array) const { return members_.contains(array); }
    /// Throws Error(file), also where the array is not there, is damaged, or says that it is larger than its bytes can
    /// be; OutOfMemory.
    NpyBytes read(const std::string& array) const;
    /// Reads an array that is one string of ASCII, as np.array("csr") and np.array(b"csr") are.
    std::string read_text(const std::string& array) const;
    /// The array as a .npy file. Throws BadNpy; OutOfMemory.
    NpyFile open(const std::string& array) const;
    /// Its header and the number of bytes behind it, whatever they are: no more is read. Throws BadNpy.
    NpyFile open_header(const std::string& array) const;

private:
    struct Member {
        bool deflated = false;
        std::uint32_t crc = 0;
        std::size_t begin = 0, stored_bytes = 0, bytes = 0;
    };
    void read_directory();
    const Member& member(const std::string& array) const;
    std::string part(std::size_t begin, std::size_t bytes) const;
    /// The first bytes; where they are all, the data have to end with them. The memory grows with what has come: the
    /// size is only what the file says.
    std::string inflate_begin(const Member&, std::size_t wanted) const;
    std::string unpack(const std::string& array) const;

    std::filesystem::path name_;
    std::unique_ptr<std::istream> file_;
    std::size_t size_ = 0;
    std::map<std::string, Member> members_;  ///< by name, without ".npy"
};

/// Arrays by name, as what their .npy files hold.
using NpzMembers = std::vector<std::pair<std::string, std::string>>;
/// The bytes of an .npz file of them, stored as np.savez stores them. They take fewer than max_npz_bytes.
std::string npz_file_bytes(const NpzMembers&);
/// The .npy file of one string.
std::string npy_file_of_text(const std::string&);

}  // namespace convscope
