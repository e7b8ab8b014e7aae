#include "kernels/onnx/wire_format.h"

#include <fmt/format.h>

#include <bit>

namespace convscope {
namespace {

std::uint64_t take_varint(std::string_view& left) {
    constexpr int max_bits = 64, bits_of_each = 7;
    std::uint64_t value = 0;
    for (int shift = 0; shift < max_bits; shift += bits_of_each) {
        if (left.empty()) throw BadMessage("it ends within a number");
        const auto byte = static_cast<unsigned char>(left.front());
        left.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80U) return value;
    }
    throw BadMessage("it has a number of more than 64 bits");
}

std::string_view take_bytes(std::string_view& left, std::uint64_t count) {
    if (count > left.size())
        throw BadMessage(fmt::format("it ends within a field of {} bytes, {} of which are there", count, left.size()));
    const std::string_view taken = left.substr(0, static_cast<std::size_t>(count));
    left.remove_prefix(taken.size());
    return taken;
}

/// Little-endian, whatever this machine is.
std::uint64_t take_fixed(std::string_view& left, std::size_t bytes) {
    const std::string_view taken = take_bytes(left, bytes);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(taken[i])} << (8 * i);
    return value;
}

void require(const WireField& field, WireField::Type type) {
    if (field.type != type) throw BadMessage(fmt::format("its field {} is of another type", field.number));
}

}  // namespace

bool WireReader::next(WireField& field) {
    if (left_.empty()) return false;
    const std::uint64_t key = take_varint(left_);
    field.number = key >> 3U;
    field.type = static_cast<WireField::Type>(key & 7U);
    field.bits = 0;
    field.bytes = {};
    switch (field.type) {
        case WireField::Type::varint:
            field.bits = take_varint(left_);
            return true;
        case WireField::Type::fixed64:
            field.bits = take_fixed(left_, sizeof(std::uint64_t));
            return true;
        case WireField::Type::fixed32:
            field.bits = take_fixed(left_, sizeof(std::uint32_t));
            return true;
        case WireField::Type::bytes:
            field.bytes = take_bytes(left_, take_varint(left_));
            return true;
    }
    throw BadMessage(fmt::format("it has a field of the unknown type {}", key & 7U));
}

std::int64_t WireField::integer() const {
    require(*this, Type::varint);
    return static_cast<std::int64_t>(bits);
}

float WireField::real() const {
    require(*this, Type::fixed32);
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

std::string_view WireField::text() const {
    require(*this, Type::bytes);
    return bytes;
}

void WireField::append_to(std::vector<std::int64_t>& values) const {
    if (type != Type::bytes) return values.push_back(integer());
    for (std::string_view left = bytes; !left.empty();) values.push_back(static_cast<std::int64_t>(take_varint(left)));
}

void WireField::append_to(std::vector<float>& values) const {
    if (type != Type::bytes) return values.push_back(real());
    for (std::string_view left = bytes; !left.empty();)
        values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(take_fixed(left, sizeof(float)))));
}

void WireField::append_to(std::vector<double>& values) const {
    if (type == Type::fixed64) return values.push_back(std::bit_cast<double>(bits));
    require(*this, Type::bytes);
    for (std::string_view left = bytes; !left.empty();)
        values.push_back(std::bit_cast<double>(take_fixed(left, sizeof(double))));
}

}  // namespace convscope
