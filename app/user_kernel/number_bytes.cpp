#include "app/user_kernel/number_bytes.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/core/error.h"
#include "kernels/ptx/run/half.h"

namespace convscope::app {
namespace {

/// A whole number of 64 bits, signed or not.
struct WholeNumber {
    std::uint64_t bits = 0;
    bool negative = false;

    double value() const {
        return negative ? static_cast<double>(static_cast<std::int64_t>(bits)) : static_cast<double>(bits);
    }
    std::string text() const {
        return negative ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
    }
};

/// Expressions are evaluated in floating point, which has 53 bits; a number that stands there has all of its own.
WholeNumber evaluate_whole(const std::string& what, const std::string& text, const ptx::Names& names) {
    const auto is_all_of_it = [&](auto& number) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return error == std::errc{} && end == text.data() + text.size();
    };
    std::uint64_t bits = 0;
    if (is_all_of_it(bits)) return {bits};
    std::int64_t number = 0;
    if (!is_all_of_it(number)) number = ptx::evaluate(text, names, what);
    return {static_cast<std::uint64_t>(number), number < 0};
}

}  // namespace

std::vector<std::byte> bytes_of_number(const std::string& what, const std::string& cuda_type, const ElementType& type,
                                       const std::string& text, const ptx::Names& names) {
    const auto bytes = [](const auto& value) {
        std::vector<std::byte> all(sizeof value);
        std::memcpy(all.data(), &value, sizeof value);
        return all;
    };
    if (type.numpy[0] == 'f') {
        std::size_t end = 0;
        double value = 0;
        try {
            value = std::stod(text, &end);
        } catch (const std::exception&) {
        }
        if (end == 0 || end != text.size()) value = static_cast<double>(ptx::evaluate(text, names, what));
        if (type.numpy == "f8") return bytes(value);
        if (type.numpy == "f4" && std::isfinite(value) && std::fabs(value) > std::numeric_limits<float>::max())
            throw Error(ErrorKind::usage,
                        fmt::format("{}: {} does not fit into a parameter of type {}", what, text, cuda_type));
        if (type.numpy == "f4") return bytes(static_cast<float>(value));
        return bytes(ptx::f16_of_float(static_cast<float>(value)));
    }
    const unsigned size = static_cast<unsigned>(type.numpy[1] - '0');
    const bool sign = type.numpy[0] == 'i';
    const WholeNumber number = text == "true"    ? WholeNumber{1}
                               : text == "false" ? WholeNumber{}
                                                 : evaluate_whole(what, text, names);
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - 8 * size + (sign ? 1 : 0));
    if (number.negative ? !sign || ~number.bits > most : number.bits > most)
        throw Error(ErrorKind::usage,
                    fmt::format("{}: {} does not fit into a parameter of type {}", what, number.text(), cuda_type));
    std::vector<std::byte> all = bytes(number.bits);
    all.resize(size);
    return all;
}

std::string number_text(const std::string& numpy, const std::byte* at) {
    const auto bytes = static_cast<unsigned>(numpy[1] - '0');
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, bytes);
    const auto real = [](double value) { return std::isnan(value) ? "nan" : fmt::format("{:.4g}", value); };
    if (numpy == "f4") return real(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (numpy == "f8") return real(std::bit_cast<double>(bits));
    if (numpy == "f2") return real(ptx::float_of_f16(static_cast<std::uint16_t>(bits)));
    const unsigned drop = 64 - 8 * bytes;
    return numpy[0] == 'i' ? std::to_string(static_cast<std::int64_t>(bits << drop) >> drop) : std::to_string(bits);
}

double whole_value(const std::string& what, const std::string& text, const ptx::Names& names) {
    return evaluate_whole(what, text, names).value();
}

}  // namespace convscope::app
