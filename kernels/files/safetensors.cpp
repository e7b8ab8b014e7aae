#include "kernels/files/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "kernels/core/host_memory.h"
#include "kernels/core/printable.h"
#include "kernels/files/npy_elements.h"
#include "kernels/files/npy_header.h"

namespace convscope {
namespace {

using Json = nlohmann::json;

/// The numbers of one type. They lie as this machine has them, the lowest byte first.
struct NumberType {
    const char* name;
    std::int64_t bytes;
    double (*number)(const char*);
};

template <class Number>
double number_at(const char* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return static_cast<double>(number);
}

double half_at(const char* bytes) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes, sizeof half);
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double size = exponent == 0    ? std::ldexp(fraction, -24)
                        : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                         : std::ldexp(1024 + fraction, exponent - 25);
    return (half & 0x8000) != 0 ? -size : size;
}

double bfloat_at(const char* bytes) {
    std::uint16_t high = 0;
    std::memcpy(&high, bytes, sizeof high);
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(high) << 16));
}

constexpr NumberType number_types[] = {{"F64", 8, number_at<double>},
                                       {"F32", 4, number_at<float>},
                                       {"F16", 2, half_at},
                                       {"BF16", 2, bfloat_at},
                                       {"I64", 8, number_at<std::int64_t>},
                                       {"U64", 8, number_at<std::uint64_t>},
                                       {"I32", 4, number_at<std::int32_t>},
                                       {"U32", 4, number_at<std::uint32_t>},
                                       {"I16", 2, number_at<std::int16_t>},
                                       {"U16", 2, number_at<std::uint16_t>},
                                       {"I8", 1, number_at<std::int8_t>},
                                       {"U8", 1, number_at<std::uint8_t>},
                                       {"BOOL", 1, number_at<std::uint8_t>}};

const NumberType* find_type(const std::string& name) {
    const auto* const found =
        std::ranges::find(number_types, name, [](const NumberType& each) { return std::string(each.name); });
    return found == std::end(number_types) ? nullptr : found;
}

/// A list of whole numbers from 0 on; nothing else.
std::optional<std::vector<std::int64_t>> sizes_in(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (const Json& each : *found) {
        if (!each.is_number_unsigned() ||
            each.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return std::nullopt;
        sizes.push_back(each.get<std::int64_t>());
    }
    return sizes;
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : name_(path.string()) {
    constexpr std::int64_t length_bytes = 8, max_header = 1 << 24;
    std::int64_t bytes = 0;
    file_ = open_array_file(path, bytes);
    std::uint64_t length = 0;
    char head[length_bytes] = {};
    if (!file_->read(head, length_bytes)) throw BadNpy("it ends inside its header");
    for (int i = length_bytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(head[i]);
    if (length > static_cast<std::uint64_t>(bytes - length_bytes))
        throw BadNpy(fmt::format("it says that its header has {} bytes, and {} follow", length, bytes - length_bytes));
    if (length > max_header) throw BadNpy(fmt::format("its header has {} bytes, more than {}", length, max_header));
    std::string text(static_cast<std::size_t>(length), '\0');
    if (!file_->read(text.data(), static_cast<std::streamsize>(length))) throw BadNpy("it ends inside its header");
    data_begin_ = length_bytes + static_cast<std::int64_t>(length);
    read_header(text, bytes - data_begin_);
}

void SafetensorsFile::read_header(const std::string& text, std::int64_t data_bytes) {
    const Json header = Json::parse(text, nullptr, false);
    if (!header.is_object()) throw BadNpy("its header is no JSON object");
    for (const auto& [name, tensor] : header.items()) {
        if (name == "__metadata__") continue;
        const std::string shown = printable(name, 200);
        const auto type = tensor.is_object() ? tensor.find("dtype") : tensor.end();
        if (!tensor.is_object() || type == tensor.end() || !type->is_string())
            throw BadNpy(fmt::format("its tensor '{}' has no dtype", shown));
        const auto shape = sizes_in(tensor, "shape"), offsets = sizes_in(tensor, "data_offsets");
        if (!shape) throw BadNpy(fmt::format("its tensor '{}' has no shape of whole numbers", shown));
        if (!offsets || offsets->size() != 2 || offsets->front() > offsets->back() || offsets->back() > data_bytes)
            throw BadNpy(
                fmt::format("its tensor '{}' has no data_offsets within the {} bytes of data", shown, data_bytes));
        Entry entry{type->get<std::string>(), *shape, offsets->front(), offsets->back()};
        if (const NumberType* const known = find_type(entry.type)) {
            std::int64_t wanted = known->bytes;
            for (const std::int64_t size : entry.shape) {
                if (size > 0 && wanted > std::numeric_limits<std::int64_t>::max() / size)
                    throw BadNpy(fmt::format("its tensor '{}' has the shape {}", shown, to_string(entry.shape)));
                wanted *= size;
            }
            if (wanted != entry.end - entry.begin)
                throw BadNpy(fmt::format("its tensor '{}' has {} bytes of data, where its shape {} takes {}", shown,
                                         entry.end - entry.begin, to_string(entry.shape), wanted));
        }
        entries_.emplace(name, std::move(entry));
    }
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;
    for (const auto& [name, entry] : entries_) parts.emplace_back(entry.begin, entry.end);
    std::ranges::sort(parts);
    std::int64_t filled = 0;
    for (const auto& [begin, end] : parts) {
        if (begin != filled)
            throw BadNpy(fmt::format("its data have {} at byte {}", begin < filled ? "two tensors" : "no tensor",
                                     std::min(begin, filled)));
        filled = end;
    }
    if (filled != data_bytes) throw BadNpy(fmt::format("its data have no tensor at byte {}", filled));
}

std::vector<std::string> SafetensorsFile::names() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) names.push_back(name);
    return names;
}

const SafetensorsFile::Entry& SafetensorsFile::readable(const std::string& name) const {
    const Entry& entry = entries_.at(name);
    if (!find_type(entry.type))
        throw BadNpy(fmt::format("its tensor '{}' is of {}", printable(name, 200), printable(entry.type, 20)));
    count_elements(entry.shape);
    return entry;
}

NpyArray SafetensorsFile::read(const std::string& name) {
    constexpr std::int64_t elements_at_once = 1 << 16;
    const Entry& entry = readable(name);
    const NumberType* const type = find_type(entry.type);
    const std::int64_t elements = count_elements(entry.shape);
    require_host_memory(4.0 * static_cast<double>(elements), name_);
    NpyArray array{entry.shape, std::vector<float>(static_cast<std::size_t>(elements))};
    file_->clear();
    file_->seekg(data_begin_ + entry.begin);
    std::vector<char> chunk(static_cast<std::size_t>(type->bytes * std::min(elements, elements_at_once)));
    for (std::int64_t done = 0; done < elements;) {
        const std::int64_t count = std::min(elements_at_once, elements - done);
        if (!file_->read(chunk.data(), count * type->bytes)) throw BadNpy("it cannot be read to its end");
        for (std::int64_t i = 0; i < count; ++i) {
            const double number = type->number(chunk.data() + i * type->bytes);
            if (exceeds_float(number))
                throw BadNpy(fmt::format("its element {} is beyond the range of float32", number));
            array.data[static_cast<std::size_t>(done + i)] = static_cast<float>(number);
        }
        done += count;
    }
    return array;
}

}  // namespace convscope
