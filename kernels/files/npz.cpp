#include "kernels/files/npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/printable.h"

namespace convscope {
namespace {

constexpr const char* accepted_archives = ".npz files of fewer than 4 GiB, their arrays stored or deflated";

// The format: PKWARE, APPNOTE.TXT, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.16 (its end).
constexpr std::uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::size_t local_bytes = 30, entry_bytes = 46, end_bytes = 22, longest_comment = 0xffff;

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

/// Where the end of the directory begins: a comment may follow it.
std::size_t find_end(std::string_view bytes) {
    for (std::size_t back = end_bytes; back <= std::min(bytes.size(), end_bytes + longest_comment); ++back) {
        const std::size_t at = bytes.size() - back;
        if (number(bytes, at, 4) == end_mark && number(bytes, at + 20, 2) == back - end_bytes) return at;
    }
    throw BadNpy("it is no zip archive (it has no directory at its end)");
}

std::uint32_t checksum(std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

NpzFile::NpzFile(const std::filesystem::path& path) : name_(path) {
    reading_npy(name_, accepted_archives, [&] {
        std::int64_t bytes = 0;
        file_ = open_array_file(path, bytes);
        if (bytes >= max_npz_bytes) throw BadNpy(fmt::format("it has {} bytes", bytes));
        size_ = static_cast<std::size_t>(bytes);
        read_directory();
        return true;
    });
}

NpzFile::NpzFile(std::filesystem::path name, std::string bytes) : name_(std::move(name)), size_(bytes.size()) {
    reading_npy(name_, accepted_archives, [&] {
        file_ = std::make_unique<std::istringstream>(std::move(bytes));
        read_directory();
        return true;
    });
}

std::string NpzFile::part(std::size_t begin, std::size_t bytes) const {
    if (begin > size_ || bytes > size_ - begin) throw BadNpy("it ends inside its directory");
    std::string read(bytes, '\0');
    file_->clear();
    file_->seekg(static_cast<std::streamoff>(begin));
    if (!file_->read(read.data(), static_cast<std::streamsize>(bytes))) throw BadNpy("it cannot be read to its end");
    return read;
}

void NpzFile::read_directory() {
    const std::size_t tail_bytes = std::min(size_, end_bytes + longest_comment);
    const std::string tail = part(size_ - tail_bytes, tail_bytes);
    const std::size_t end_in_tail = find_end(tail), end = size_ - tail_bytes + end_in_tail;
    const std::uint32_t entries = number(tail, end_in_tail + 10, 2);
    std::size_t at = number(tail, end_in_tail + 16, 4);
    if (at == 0xffffffff || entries == 0xffff) throw BadNpy("it is a ZIP64 archive");
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::string entry = part(at, entry_bytes);
        if (number(entry, 0, 4) != entry_mark) throw BadNpy("its directory is damaged");
        const std::uint32_t flags = number(entry, 8, 2), method = number(entry, 10, 2);
        const std::size_t name_bytes = number(entry, 28, 2);
        const std::size_t next = at + entry_bytes + name_bytes + number(entry, 30, 2) + number(entry, 32, 2);
        const std::size_t local_at = number(entry, 42, 4);
        Member member{.deflated = method == Z_DEFLATED,
                      .crc = number(entry, 16, 4),
                      .stored_bytes = number(entry, 20, 4),
                      .bytes = number(entry, 24, 4)};
        if (next > end) throw BadNpy("its directory is damaged");
        std::string array = part(at + entry_bytes, name_bytes);
        const std::string shown = printable(array);
        if (!array.ends_with(".npy")) throw BadNpy(fmt::format("its member '{}' is no .npy file", shown));
        array.resize(array.size() - 4);
        if ((flags & 1U) != 0) throw BadNpy(fmt::format("its member '{}' is encrypted", shown));
        if (method != 0 && !member.deflated)
            throw BadNpy(fmt::format("its member '{}' is compressed by method {}", shown, method));
        const std::string local = part(local_at, local_bytes);
        if (number(local, 0, 4) != local_mark) throw BadNpy(fmt::format("its member '{}' is not there", shown));
        member.begin = local_at + local_bytes + number(local, 26, 2) + number(local, 28, 2);
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

const NpzFile::Member& NpzFile::member(const std::string& array) const {
    const auto found = members_.find(array);
    if (found != members_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [name, member] : members_) names.push_back(printable(name));
    throw BadNpy(names.empty() ? fmt::format("it has no array '{}', and no other", array)
                               : fmt::format("it has no array '{}'; its arrays are {}", array, fmt::join(names, ", ")));
}

std::string NpzFile::inflate_begin(const Member& member, std::size_t wanted) const {
    constexpr std::size_t bytes_at_once = 1 << 16;
    std::string made, stored;
    std::size_t taken = 0;
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::logic_error("zlib cannot inflate");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
    const auto full = [&] { return made.size() == wanted && stream.avail_out == 0; };
    for (int status = Z_OK; status == Z_OK && !(full() && wanted < member.bytes);) {
        if (stream.avail_in == 0 && taken < member.stored_bytes) {
            stored = part(member.begin + taken, std::min(bytes_at_once, member.stored_bytes - taken));
            taken += stored.size();
            stream.next_in = reinterpret_cast<Bytef*>(stored.data());
            stream.avail_in = static_cast<uInt>(stored.size());
        }
        if (stream.avail_out == 0 && made.size() < wanted) {
            const std::size_t before = made.size();
            made.resize(std::min(wanted, std::max(bytes_at_once, 2 * before)));
            stream.next_out = reinterpret_cast<Bytef*>(made.data() + before);
            stream.avail_out = static_cast<uInt>(made.size() - before);
        }
        status = inflate(&stream, Z_NO_FLUSH);
        const bool whole = status == Z_STREAM_END && stream.avail_in == 0 && taken == member.stored_bytes;
        if (status != Z_OK && !(whole && full() && wanted == member.bytes))
            throw BadNpy("its deflated data are damaged");
    }
    return made;
}

std::string NpzFile::unpack(const std::string& array) const {
    const Member& found = member(array);
    require_host_memory(static_cast<double>(found.bytes), name_.string());
    std::string bytes = found.deflated ? inflate_begin(found, found.bytes) : part(found.begin, found.stored_bytes);
    if (checksum(bytes) != found.crc) throw BadNpy(fmt::format("its array '{}' is damaged (CRC-32)", array));
    return bytes;
}

NpyBytes NpzFile::read(const std::string& array) const {
    std::string bytes = reading_npy(name_, accepted_archives, [&] { return unpack(array); });
    return parse_npy_bytes(name_.string() + ": " + array, std::move(bytes));
}

NpyFile NpzFile::open(const std::string& array) const {
    return open_npy_bytes(unpack(array));
}

NpyFile NpzFile::open_header(const std::string& array) const {
    const Member& found = member(array);
    const std::size_t wanted = std::min(found.bytes, max_npy_header_bytes);
    return open_npy_bytes(found.deflated ? inflate_begin(found, wanted) : part(found.begin, wanted),
                          static_cast<std::int64_t>(found.bytes));
}

std::string NpzFile::read_text(const std::string& array) const {
    return reading_npy(name_, "one string of ASCII, as np.array('csr') is", [&] {
        // The header first: what is no short string may have gigabytes.
        const NpyFile begun = open_header(array);
        const std::string& descr = begun.header.descr;
        const bool wide = descr.starts_with("<U");
        const auto bad = [&] { return BadNpy(fmt::format("its array '{}' is no string", array)); };
        if ((!wide && !descr.starts_with("|S")) || !begun.header.shape.empty()) throw bad();
        constexpr std::int64_t most = 256;
        if (begun.data_bytes > most) throw bad();
        const NpyFile npy = open(array);
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
