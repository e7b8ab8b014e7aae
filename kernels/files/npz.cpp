#include "kernels/files/npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/printable.h"
#include "kernels/files/npy_header.h"
#include "kernels/files/text_file.h"

namespace convscope {
namespace {

constexpr const char* accepted_archives = ".npz files of fewer than 4 GiB, their arrays stored or deflated";

// The format: PKWARE, APPNOTE.TXT, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.16 (its end).
constexpr std::uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::size_t local_bytes = 30, entry_bytes = 46, end_bytes = 22;

/// A number of 2 or 4 bytes, the lowest first.
std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t size) {
    if (at > bytes.size() || size > bytes.size() - at) throw BadNpy("it ends inside its directory");
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

void put(std::string& bytes, std::uint32_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

/// Where the end of the directory begins: a comment of up to 64 KiB may follow it.
std::size_t find_end(std::string_view bytes) {
    constexpr std::size_t longest_comment = 0xffff;
    for (std::size_t back = end_bytes; back <= std::min(bytes.size(), end_bytes + longest_comment); ++back) {
        const std::size_t at = bytes.size() - back;
        if (number(bytes, at, 4) == end_mark && number(bytes, at + 20, 2) == back - end_bytes) return at;
    }
    throw BadNpy("it is no zip archive (it has no directory at its end)");
}

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Inflates raw deflated data to 'size' bytes. The memory grows with what has come: the size is only what the file
/// says.
std::string inflated(std::string_view stored, std::size_t size) {
    constexpr std::size_t first_bytes = 1 << 16;
    std::string made(std::min(size, first_bytes), '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::logic_error("zlib cannot inflate");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data()));
    stream.avail_in = static_cast<uInt>(stored.size());
    stream.next_out = reinterpret_cast<Bytef*>(made.data());
    stream.avail_out = static_cast<uInt>(made.size());
    int status = inflate(&stream, Z_NO_FLUSH);
    while (status == Z_OK && stream.avail_out == 0 && made.size() < size) {
        const std::size_t before = made.size();
        made.resize(std::min(size, 2 * before));
        stream.next_out = reinterpret_cast<Bytef*>(made.data() + before);
        stream.avail_out = static_cast<uInt>(made.size() - before);
        status = inflate(&stream, Z_NO_FLUSH);
    }
    const bool whole = status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0 && made.size() == size;
    inflateEnd(&stream);
    if (!whole) throw BadNpy("its deflated data are damaged");
    return made;
}

std::string whole_file(const std::filesystem::path& path) {
    std::error_code none;
    if (const auto bytes = std::filesystem::file_size(path, none); !none)
        require_host_memory(static_cast<double>(bytes), path.string());
    return read_text_file(path, static_cast<std::size_t>(max_npz_bytes - 1));
}

}  // namespace

NpzFile::NpzFile(const std::filesystem::path& path) : NpzFile(path, whole_file(path)) {}

NpzFile::NpzFile(std::filesystem::path name, std::string bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {
    reading_npy(name_, accepted_archives, [&] {
        read_directory();
        return true;
    });
}

void NpzFile::read_directory() {
    const std::size_t end = find_end(bytes_);
    const std::uint32_t entries = number(bytes_, end + 10, 2);
    std::size_t at = number(bytes_, end + 16, 4);
    if (at == 0xffffffff || entries == 0xffff) throw BadNpy("it is a ZIP64 archive");
    const std::string_view bytes(bytes_);
    for (std::uint32_t i = 0; i < entries; ++i) {
        if (number(bytes, at, 4) != entry_mark) throw BadNpy("its directory is damaged");
        const std::uint32_t flags = number(bytes, at + 8, 2), method = number(bytes, at + 10, 2);
        const std::size_t name_bytes = number(bytes, at + 28, 2);
        const std::size_t next = at + entry_bytes + name_bytes + number(bytes, at + 30, 2) + number(bytes, at + 32, 2);
        const std::size_t local = number(bytes, at + 42, 4);
        Member member{.deflated = method == Z_DEFLATED,
                      .crc = number(bytes, at + 16, 4),
                      .stored_bytes = number(bytes, at + 20, 4),
                      .bytes = number(bytes, at + 24, 4)};
        if (next > end) throw BadNpy("its directory is damaged");
        std::string array(bytes.substr(at + entry_bytes, name_bytes));
        const std::string shown = printable(array);
        if (!array.ends_with(".npy")) throw BadNpy(fmt::format("its member '{}' is no .npy file", shown));
        array.resize(array.size() - 4);
        if ((flags & 1U) != 0) throw BadNpy(fmt::format("its member '{}' is encrypted", shown));
        if (method != 0 && !member.deflated)
            throw BadNpy(fmt::format("its member '{}' is compressed by method {}", shown, method));
        if (number(bytes, local, 4) != local_mark) throw BadNpy(fmt::format("its member '{}' is not there", shown));
        member.begin = local + local_bytes + number(bytes, local + 26, 2) + number(bytes, local + 28, 2);
        if (member.begin > end || member.stored_bytes > end - member.begin)
            throw BadNpy(fmt::format("its member '{}' reaches into the directory", shown));
        // Deflate makes at most 1032 bytes of one.
        constexpr std::size_t max_compression = 1032;
        if (member.deflated ? member.bytes / max_compression > member.stored_bytes
                            : member.bytes != member.stored_bytes)
            throw BadNpy(fmt::format("its member '{}' has {} bytes for the {} that it says", shown, member.stored_bytes,
                                     member.bytes));
        if (!members_.emplace(std::move(array), member).second)
            throw BadNpy(fmt::format("it has two members '{}'", shown));
        at = next;
    }
}

std::vector<std::string> NpzFile::names() const {
    std::vector<std::string> names;
    for (const auto& [name, member] : members_) names.push_back(name);
    return names;
}

std::string NpzFile::unpack(const std::string& array) const {
    const auto found = members_.find(array);
    if (found == members_.end()) {
        std::vector<std::string> names;
        for (const auto& [name, member] : members_) names.push_back(printable(name));
        throw BadNpy(names.empty()
                         ? fmt::format("it has no array '{}', and no other", array)
                         : fmt::format("it has no array '{}'; its arrays are {}", array, fmt::join(names, ", ")));
    }
    const Member& member = found->second;
    const std::string_view stored = std::string_view(bytes_).substr(member.begin, member.stored_bytes);
    require_host_memory(static_cast<double>(member.bytes), name_.string());
    std::string bytes = member.deflated ? inflated(stored, member.bytes) : std::string(stored);
    if (checksum(bytes) != member.crc) throw BadNpy(fmt::format("its array '{}' is damaged (CRC-32)", array));
    return bytes;
}

NpyBytes NpzFile::read(const std::string& array) const {
    std::string bytes = reading_npy(name_, accepted_archives, [&] { return unpack(array); });
    return parse_npy_bytes(name_.string() + ": " + array, std::move(bytes));
}

std::string NpzFile::read_text(const std::string& array) const {
    return reading_npy(name_, "one string of ASCII, as np.array('csr') is", [&] {
        const NpyFile npy = open_npy_bytes(unpack(array));
        const std::string& descr = npy.header.descr;
        const bool wide = descr.starts_with("<U");
        const auto bad = [&] { return BadNpy(fmt::format("its array '{}' is no string", array)); };
        if ((!wide && !descr.starts_with("|S")) || !npy.header.shape.empty()) throw bad();
        constexpr std::int64_t most = 256;
        if (npy.data_bytes > most) throw bad();
        std::string data(static_cast<std::size_t>(npy.data_bytes), '\0'), text;
        npy.file->read(data.data(), npy.data_bytes);
        for (std::size_t i = 0; i < data.size(); ++i) {
            const bool letter = (!wide || i % 4 == 0) && data[i] > 0;
            if (letter) text += data[i];
            // The bytes of a letter above the first, and all after the text's end, are zeros.
            if (!letter && data[i] != 0) throw bad();
        }
        return text;
    });
}

std::string npz_file_bytes(const NpzMembers& members) {
    std::string file, directory;
    for (const auto& [name, bytes] : members) {
        const std::string member = name + ".npy";
        std::string about;          // what both headers say
        put(about, 20, 2);          // version 2.0 reads it
        put(about, 0, 4);           // no flags, stored
        put(about, 0x00210000, 4);  // 1 January 1980: the same arrays are the same file
        put(about, checksum(bytes), 4);
        put(about, static_cast<std::uint32_t>(bytes.size()), 4);
        put(about, static_cast<std::uint32_t>(bytes.size()), 4);
        put(about, static_cast<std::uint32_t>(member.size()), 2);
        put(about, 0, 2);  // nothing extra
        put(directory, entry_mark, 4);
        put(directory, 20, 2);
        directory += about;
        put(directory, 0, 4);  // no comment, disk 0
        put(directory, 0, 2);
        put(directory, 0, 4);
        put(directory, static_cast<std::uint32_t>(file.size()), 4);
        directory += member;
        put(file, local_mark, 4);
        file += about;
        file += member;
        file += bytes;
        if (static_cast<std::int64_t>(file.size() + directory.size() + end_bytes) >= max_npz_bytes)
            throw std::logic_error("npz_file_bytes: too large for an archive without ZIP64");
    }
    const std::size_t begin = file.size();
    file += directory;
    put(file, end_mark, 4);
    put(file, 0, 4);
    put(file, static_cast<std::uint32_t>(members.size()), 2);
    put(file, static_cast<std::uint32_t>(members.size()), 2);
    put(file, static_cast<std::uint32_t>(directory.size()), 4);
    put(file, static_cast<std::uint32_t>(begin), 4);
    put(file, 0, 2);
    return file;
}

std::string npy_file_of_text(const std::string& text) {
    return make_npy_header(fmt::format("|S{}", text.size()), {}) + text;
}

}  // namespace convscope
