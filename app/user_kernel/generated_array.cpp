#include "app/user_kernel/generated_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>
#include <sstream>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/random.h"
#include "kernels/core/text.h"
#include "kernels/ptx/run/half.h"

namespace convscope::app {
namespace {

constexpr std::pair<const char*, const char*> type_rows[] = {
    {"float", "f4"},   {"double", "f8"},   {"half", "f2"},    {"__half", "f2"},  {"int32_t", "i4"},
    {"uint", "u4"},    {"uint32_t", "u4"}, {"int64_t", "i8"}, {"size_t", "u8"},  {"uint64_t", "u8"},
    {"int16_t", "i2"}, {"uint16_t", "u2"}, {"int8_t", "i1"},  {"uint8_t", "u1"}, {"bool", "b1"}};
// A vector's name is one of these and its length: float4.
constexpr std::pair<const char*, const char*> vector_rows[] = {
    {"float", "f4"},    {"double", "f8"},    {"half", "f2"},  {"__half", "f2"}, {"int", "i4"},
    {"uint", "u4"},     {"char", "i1"},      {"uchar", "u1"}, {"short", "i2"},  {"ushort", "u2"},
    {"longlong", "i8"}, {"ulonglong", "u8"}, {"long", "i8"},  {"ulong", "u8"}};

template <std::size_t N>
std::string type_in(const std::pair<const char*, const char*> (&rows)[N], const std::string& cuda) {
    for (const auto& [name, numpy] : rows)
        if (cuda == name) return numpy;
    return {};
}

/// "u8" of "unsigned long long int", its words in any order; nothing of what other words are in.
std::string whole_type(const std::string& cuda) {
    std::istringstream words(cuda);
    std::map<std::string, int> count;
    for (std::string word; words >> word;) ++count[word];
    const bool sign = !count.contains("unsigned"), is_char = count.contains("char"), is_short = count.contains("short"),
               is_long = count.contains("long");
    for (const char* word : {"signed", "unsigned", "char", "short", "long", "int"}) count.erase(word);
    if (cuda.empty() || !count.empty() || is_char + is_short + is_long > 1) return {};
    return (sign ? "i" : "u") + std::string(is_char ? "1" : is_short ? "2" : is_long ? "8" : "4");
}

constexpr std::pair<const char*, const char*> array_types[] = {
    {"float32", "f4"}, {"float64", "f8"}, {"float16", "f2"}, {"int32", "i4"},  {"int64", "i8"}, {"int16", "i2"},
    {"int8", "i1"},    {"uint32", "u4"},  {"uint64", "u8"},  {"uint16", "u2"}, {"uint8", "u1"}, {"bool", "b1"}};

constexpr const char* words[] = {"out", "zeros", "ones", "iota", "random", "sparse", "ascending"};

constexpr std::int64_t zeros_of_ten = 7;
constexpr double max_step = 9;  ///< of ascending

[[noreturn]] void reject(const std::string& sentence) {
    throw Error(ErrorKind::usage, sentence);
}

/// By the parameter's name (FNV-1a): two arrays of equal values would hide operands that are mixed up.
std::uint64_t seed_of(const std::string& parameter) {
    std::uint64_t seed = 0xcbf29ce484222325;
    for (const char c : parameter) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return seed;
}

double value_at(const std::string& word, std::uint64_t seed, std::int64_t i, bool whole) {
    const auto place = static_cast<std::uint64_t>(i);
    const Random values(seed, Stream::x_values), zeros(seed, Stream::zeros);
    if (word == "ones") return 1;
    if (word == "iota") return static_cast<double>(i);
    if (word == "zeros" || (word == "sparse" && zeros.at(place) % 10 < zeros_of_ten)) return 0;
    if (whole) return static_cast<double>(values.at(place) % (word == "sparse" ? 99 : 100) + (word == "sparse"));
    return static_cast<double>(values.nonzero_at(place));
}

struct Half {
    std::uint16_t bits;
    explicit Half(double value) : bits(ptx::f16_of_float(static_cast<float>(value))) {}
};

template <class T>
void put(NpyBytes& array, const std::string& word, std::uint64_t seed, const std::stop_token& stop) {
    constexpr std::size_t between_looks = 1 << 20;
    const std::size_t count = array.data.size() / sizeof(T);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % between_looks == 0 && stop.stop_requested()) throw Error(ErrorKind::failed, "the run was stopped");
        const auto place = static_cast<std::int64_t>(i);
        if (word == "ascending" && i > 0) sum += std::fmod(value_at("random", seed, place, true), max_step + 1);
        const double value = word == "ascending" ? sum : value_at(word, seed, place, array.type[0] != 'f');
        // Beyond a small integer iota() begins again.
        const auto converted = [](double number) {
            if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::int64_t>(number));
            return static_cast<T>(number);
        };
        const T element = array.type == "b1" ? static_cast<T>(value != 0) : converted(value);
        std::memcpy(array.data.data() + i * sizeof(T), &element, sizeof element);
    }
}

/// "int12": a type that there is not, and no name of a size.
bool looks_like_type(const std::string& text) {
    for (const std::string_view word : {"float", "int", "uint"})
        if (text.starts_with(word) && (text.size() == word.size() || digits_only(text.substr(word.size()))))
            return true;
    return false;
}

void fill(NpyBytes& array, const std::string& word, std::uint64_t seed, const std::stop_token& stop) {
    const std::string& type = array.type;
    if (word == "zeros") return std::fill(array.data.begin(), array.data.end(), std::byte{0});
    if (type == "f4") return put<float>(array, word, seed, stop);
    if (type == "f8") return put<double>(array, word, seed, stop);
    if (type == "f2") return put<Half>(array, word, seed, stop);
    const bool sign = type[0] == 'i';
    switch (array.element_bytes()) {
        case 1:
            return sign ? put<std::int8_t>(array, word, seed, stop) : put<std::uint8_t>(array, word, seed, stop);
        case 2:
            return sign ? put<std::int16_t>(array, word, seed, stop) : put<std::uint16_t>(array, word, seed, stop);
        case 4:
            return sign ? put<std::int32_t>(array, word, seed, stop) : put<std::uint32_t>(array, word, seed, stop);
        default:
            return sign ? put<std::int64_t>(array, word, seed, stop) : put<std::uint64_t>(array, word, seed, stop);
    }
}

}  // namespace

std::optional<ElementType> element_type(const std::string& name) {
    const std::string cuda = name.starts_with("std::") ? name.substr(5) : name;
    if (const std::string numpy = whole_type(cuda); !numpy.empty()) return ElementType{numpy, 1};
    if (const std::string numpy = type_in(type_rows, cuda); !numpy.empty()) return ElementType{numpy, 1};
    if (cuda.empty() || cuda.back() < '2' || cuda.back() > '4') return std::nullopt;
    const std::string numpy = type_in(vector_rows, cuda.substr(0, cuda.size() - 1));
    if (numpy.empty()) return std::nullopt;
    return ElementType{numpy, static_cast<unsigned>(cuda.back() - '0')};
}

std::string type_name(const std::string& numpy) {
    for (const auto& [name, type] : array_types)
        if (type == numpy) return name;
    return numpy;
}

void require_array_type(const std::string& what, const std::string& name) {
    if (type_in(array_types, name).empty())
        reject(fmt::format(
            "{}: '{}' is not accepted; give float32, float64, float16, int8 to int64, uint8 to uint64 or bool", what,
            name));
}

KernelArray unwritten_array(const std::string& what, const std::string& numpy, NpyShape shape, double room) {
    KernelArray made{{numpy, std::move(shape), {}}, false};
    double bytes = static_cast<double>(made.array.element_bytes());
    for (const std::int64_t size : made.array.shape) bytes *= static_cast<double>(size);
    if (bytes > room)
        reject(fmt::format(
            "{}: the array takes {} of memory; those that are made for the simulated GPU take up to {} together", what,
            format_bytes(bytes), format_bytes(max_simulated_bytes)));
    require_host_memory(bytes, what);
    made.array.data.assign(static_cast<std::size_t>(bytes), std::byte{0xff});  // NaN, or -1
    return made;
}

std::optional<KernelArray> generated_array(const std::string& text, const ElementType& element, const ptx::Names& names,
                                           const std::string& what, const std::string& parameter, double room,
                                           const std::stop_token& stop) {
    const std::size_t open = text.find('(');
    const std::string word = trimmed(text.substr(0, open));
    if (open == std::string::npos || std::ranges::find(words, word) == std::end(words)) return std::nullopt;
    const std::string whole = trimmed(text);
    if (whole.back() != ')') reject(fmt::format("{}: '{}' does not end with a ')'", what, text));
    std::vector<std::string> sizes = split_list(whole.substr(whole.find('(') + 1, whole.size() - whole.find('(') - 2));
    for (std::string& size : sizes) size = trimmed(size);
    std::string type = element.numpy;
    unsigned lanes = element.lanes;
    if (const std::string named = type_in(array_types, sizes.back()); !named.empty()) {
        type = named;
        lanes = 1;
        sizes.pop_back();
    }
    NpyShape shape;
    double elements = 1;
    for (const std::string& size : sizes) {
        if (looks_like_type(size)) require_array_type(what, size);
        shape.push_back(ptx::evaluate(size, names, what));
        if (shape.back() < 1) reject(fmt::format("{}: the size '{}' is {}; give 1 or more", what, size, shape.back()));
        elements *= static_cast<double>(shape.back());
    }
    if (type.empty())
        reject(fmt::format("{}: the type of its elements is not known; say it, as in {}(SIZE, uint8)", what, word));
    if (shape.empty() || elements > 1e15)
        reject(fmt::format("{}: '{}' is not accepted; give {}(SIZE, SIZE, ...), as in {}(32, 64)", what, text, word,
                           word));
    if (lanes > 1) shape.push_back(lanes);
    KernelArray made = unwritten_array(what, type, shape, room);
    if (word == "out") return made;
    fill(made.array, word, seed_of(parameter), stop);
    made.written = true;
    return made;
}

}  // namespace convscope::app
