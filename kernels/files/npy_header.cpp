#include "kernels/files/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace convscope {
namespace {

/// Reads the few forms of Python literals that NumPy writes.
class Literals {
public:
    explicit Literals(std::string_view text) : rest_(text) {}

    bool take(char wanted) {
        skip_space();
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char wanted) {
        if (!take(wanted)) throw std::runtime_error(fmt::format("has no '{}' where one belongs", wanted));
    }

    std::string quoted() {
        skip_space();
        const char quote = rest_.empty() ? ' ' : rest_.front();
        if (quote != '\'' && quote != '"') throw std::runtime_error("has no quoted name where one belongs");
        const std::size_t end = rest_.find(quote, 1);
        if (end == std::string_view::npos) throw std::runtime_error("has a quotation that does not end");
        std::string text(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return text;
    }

    bool boolean() {
        skip_space();
        for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {"False", false}})
            if (rest_.substr(0, word.size()) == word) {
                rest_.remove_prefix(word.size());
                return value;
            }
        throw std::runtime_error("has a 'fortran_order' that is neither True nor False");
    }

    NpyShape tuple() {
        NpyShape sizes;
        expect('(');
        while (!take(')')) {
            sizes.push_back(integer());
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        return sizes;
    }

    void expect_end() {
        skip_space();
        if (!rest_.empty()) throw std::runtime_error("has text after its dictionary");
    }

private:
    void skip_space() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    }

    std::int64_t integer() {
        skip_space();
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc() || value < 0)
            throw std::runtime_error("has a 'shape' with a size that is not a number of 0 to 2^63 - 1");
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }

    std::string_view rest_;
};

std::string tuple_text(const NpyShape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) text += fmt::format("{}{}", i ? ", " : "", shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

/// Reads magic, version and length; returns the dictionary's text and leaves the file at its data.
std::string read_dictionary(std::istream& file, std::int64_t file_bytes) {
    std::array<unsigned char, 8> head{};
    file.read(reinterpret_cast<char*>(head.data()), head.size());
    if (std::memcmp(head.data(), "\x93NUMPY", std::min<std::size_t>(6, static_cast<std::size_t>(file.gcount()))) != 0)
        throw BadNpy("it is not an .npy file (its first bytes are not \\x93NUMPY)");
    if (file.gcount() < 8) throw BadNpy("it ends inside its header");
    const int major = head[6], minor = head[7];
    if (major < 1 || major > 3 || minor != 0)
        throw BadNpy(fmt::format("its format version is {}.{}, not 1.0, 2.0 or 3.0", major, minor));

    std::array<unsigned char, 4> length_bytes{};
    file.read(reinterpret_cast<char*>(length_bytes.data()), major == 1 ? 2 : 4);
    std::int64_t length = 0;
    for (int i = 3; i >= 0; --i) length = length << 8 | length_bytes[static_cast<std::size_t>(i)];
    if (!file || length > file_bytes - file.tellg()) throw BadNpy("it ends inside its header");
    constexpr std::int64_t max_header = max_npy_header_bytes - 12;  // NumPy itself reads 10,000 bytes
    if (length > max_header) throw BadNpy(fmt::format("its header has {} bytes, more than {}", length, max_header));
    std::string text(static_cast<std::size_t>(length), '\0');
    if (!file.read(text.data(), length)) throw BadNpy("it ends inside its header");
    return text;
}

NpyFile open_stream(std::unique_ptr<std::istream> file, std::int64_t file_bytes) {
    NpyFile npy;
    const std::string text = read_dictionary(*file, file_bytes);
    try {
        npy.header = parse_npy_dictionary(text);
    } catch (const std::runtime_error& error) {
        throw BadNpy(std::string("its header ") + error.what());
    }
    npy.data_bytes = file_bytes - file->tellg();
    npy.file = std::move(file);
    return npy;
}

}  // namespace

std::unique_ptr<std::istream> open_array_file(const std::filesystem::path& path, std::int64_t& bytes) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw BadNpy("there is no such file");
    if (!std::filesystem::is_regular_file(status)) throw BadNpy("it is not a regular file");
    bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
    errno = 0;
    auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
    if (!*file) throw BadNpy(fmt::format("it cannot be opened ({})", std::strerror(errno)));
    return file;
}

NpyFile open_npy(const std::filesystem::path& path) {
    std::int64_t bytes = 0;
    auto file = open_array_file(path, bytes);
    return open_stream(std::move(file), bytes);
}

NpyFile open_npy_bytes(std::string begin, std::optional<std::int64_t> size) {
    const std::int64_t bytes = size.value_or(static_cast<std::int64_t>(begin.size()));
    return open_stream(std::make_unique<std::istringstream>(std::move(begin)), bytes);
}

void require_data(const NpyFile& npy, std::int64_t wanted) {
    if (npy.data_bytes != wanted)
        throw BadNpy(fmt::format("{} bytes of data follow its header, where its shape {} takes {}", npy.data_bytes,
                                 to_string(npy.header.shape), wanted));
}

NpyHeader parse_npy_dictionary(std::string_view text) {
    Literals literals(text);
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    literals.expect('{');
    while (!literals.take('}')) {
        const std::string key = literals.quoted();
        literals.expect(':');
        if (key == "descr") {
            // A list here describes a structured array: fields with names of their own.
            if (literals.take('[')) throw std::runtime_error("describes a structured array");
            header.descr = literals.quoted();
            has_descr = true;
        } else if (key == "fortran_order") {
            header.fortran_order = literals.boolean();
            has_order = true;
        } else if (key == "shape") {
            header.shape = literals.tuple();
            has_shape = true;
        } else {
            throw std::runtime_error(fmt::format("has the unknown key '{}'", key));
        }
        if (!literals.take(',')) {
            literals.expect('}');
            break;
        }
    }
    literals.expect_end();
    if (!has_descr || !has_order || !has_shape)
        throw std::runtime_error("lacks one of 'descr', 'fortran_order' and 'shape'");
    return header;
}

std::string make_npy_header(const std::string& descr, const NpyShape& shape, std::size_t min_bytes) {
    constexpr std::size_t prefix = 10;  // magic string, version, length
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, tuple_text(shape));
    const std::size_t bytes = std::max(min_bytes, (prefix + text.size() + 1 + 63) / 64 * 64);
    text.append(bytes - prefix - text.size() - 1, ' ');
    text += '\n';
    const std::size_t length = text.size();
    std::string head("\x93NUMPY\x01\x00", 8);
    head += static_cast<char>(length & 0xff);
    head += static_cast<char>(length >> 8);
    return head + text;
}

}  // namespace convscope
