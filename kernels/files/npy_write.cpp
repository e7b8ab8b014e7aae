#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernels/files/npy.h"
#include "kernels/files/npy_header.h"
#include "kernels/files/text_file.h"

namespace convscope {
namespace {

std::string descr(NpyType type) {
    const char order = std::endian::native == std::endian::little ? '<' : '>';
    constexpr const char* kinds[] = {"f4", "i4", "i8", "u4", "u2", "u1"};
    const char* kind = kinds[static_cast<std::size_t>(type)];
    return (kind[1] == '1' ? '|' : order) + std::string(kind);
}

std::size_t element_bytes(NpyType type) {
    constexpr std::size_t bytes[] = {4, 4, 8, 4, 2, 1};
    return bytes[static_cast<std::size_t>(type)];
}

constexpr NpyType type_of(float) {
    return NpyType::f32;
}
constexpr NpyType type_of(std::int32_t) {
    return NpyType::i32;
}
constexpr NpyType type_of(std::int64_t) {
    return NpyType::i64;
}
constexpr NpyType type_of(std::uint32_t) {
    return NpyType::u32;
}
constexpr NpyType type_of(std::uint16_t) {
    return NpyType::u16;
}
constexpr NpyType type_of(std::uint8_t) {
    return NpyType::u8;
}

}  // namespace

NpyWriter::NpyWriter(std::filesystem::path path, NpyType type, NpyShape row_shape)
    : path_(std::move(path)), type_(type), row_shape_(std::move(row_shape)) {
    for (std::int64_t size : row_shape_) row_elements_ *= size;
    // Room for any number of rows, so that finish() can write the final shape over this one.
    rows_ = std::numeric_limits<std::int64_t>::max();
    std::error_code none;
    if (std::filesystem::is_fifo(path_, none))
        fail_on_file(path_, "is a pipe, and the header of a .npy file is written last");
    if (!is_special_file(path_)) new_file_.emplace(path_);
    errno = 0;
    file_.open(new_file_ ? new_file_->place() : path_, std::ios::binary | std::ios::trunc);
    if (!file_) fail_on_write(path_);
    write_header();
    rows_ = 0;
}

void NpyWriter::write_header() {
    NpyShape shape{rows_};
    shape.insert(shape.end(), row_shape_.begin(), row_shape_.end());
    const std::string header = make_npy_header(descr(type_), shape, header_bytes_);
    header_bytes_ = header.size();
    // It waits in the stream's buffer: what cannot be written shows in append() or finish().
    file_.write(header.data(), static_cast<std::streamsize>(header.size()));
}

void NpyWriter::append(std::span<const float> values) {
    append_bytes(values.data(), values.size(), NpyType::f32);
}

void NpyWriter::append(std::span<const std::int32_t> values) {
    append_bytes(values.data(), values.size(), NpyType::i32);
}

void NpyWriter::append(std::span<const std::int64_t> values) {
    append_bytes(values.data(), values.size(), NpyType::i64);
}

void NpyWriter::append(std::span<const std::uint32_t> values) {
    append_bytes(values.data(), values.size(), NpyType::u32);
}

void NpyWriter::append(std::span<const std::uint16_t> values) {
    append_bytes(values.data(), values.size(), NpyType::u16);
}

void NpyWriter::append(std::span<const std::uint8_t> values) {
    append_bytes(values.data(), values.size(), NpyType::u8);
}

void NpyWriter::append_bytes(const void* data, std::size_t elements, NpyType type) {
    if (type != type_) throw std::logic_error("NpyWriter: appended elements of another type");
    const auto row = static_cast<std::size_t>(row_elements_);
    if (elements == 0) return;
    if (row == 0 || elements % row != 0) throw std::logic_error("NpyWriter: appended a part of a row");
    errno = 0;
    if (!file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(elements * element_bytes(type))))
        fail_on_write(path_);
    rows_ += static_cast<std::int64_t>(elements / row);
}

void NpyWriter::finish() {
    errno = 0;
    if (!file_.seekp(0)) fail_on_write(path_);
    write_header();
    file_.close();
    if (!file_) fail_on_write(path_);
    if (new_file_) new_file_->put();
}

template <class Element>
void write_npy(const std::filesystem::path& path, std::span<const Element> values, const NpyShape& shape) {
    if (shape.empty()) throw std::logic_error("write_npy: an array needs at least one dimension");
    std::int64_t elements = 1;
    for (std::int64_t size : shape) elements *= size;
    if (elements != static_cast<std::int64_t>(values.size()))
        throw std::logic_error("write_npy: the shape and the number of elements differ");
    NpyWriter writer(path, type_of(Element{}), NpyShape(shape.begin() + 1, shape.end()));
    writer.append(values);
    writer.finish();
}

template void write_npy(const std::filesystem::path&, std::span<const float>, const NpyShape&);
template void write_npy(const std::filesystem::path&, std::span<const std::int32_t>, const NpyShape&);
template void write_npy(const std::filesystem::path&, std::span<const std::int64_t>, const NpyShape&);
template void write_npy(const std::filesystem::path&, std::span<const std::uint32_t>, const NpyShape&);
template void write_npy(const std::filesystem::path&, std::span<const std::uint16_t>, const NpyShape&);
template void write_npy(const std::filesystem::path&, std::span<const std::uint8_t>, const NpyShape&);

}  // namespace convscope
