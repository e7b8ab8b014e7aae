#include "app/user_kernel/difference.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>

#include "app/user_kernel/generated_array.h"
#include "kernels/ptx/run/half.h"

namespace convscope::app {
namespace {

double real_at(const NpyBytes& array, std::size_t i) {
    const std::byte* at = array.data.data() + i * array.element_bytes();
    if (array.type == "f8") {
        double value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    if (array.type == "f4") {
        float value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    std::uint16_t half;
    std::memcpy(&half, at, sizeof half);
    return ptx::float_of_f16(half);
}

std::string whole_at(const NpyBytes& array, std::size_t i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, array.data.data() + i * array.element_bytes(), array.element_bytes());
    const unsigned drop = 64 - 8 * static_cast<unsigned>(array.element_bytes());
    return array.type[0] == 'i' ? std::to_string(static_cast<std::int64_t>(bits << drop) >> drop)
                                : std::to_string(bits);
}

/// "y[1,0,2]"
std::string element_name(const std::string& name, const NpyShape& shape, std::size_t i) {
    std::string index;
    for (std::size_t d = shape.size(); d-- > 0;) {
        const auto size = static_cast<std::size_t>(shape[d]);
        index = std::to_string(i % size) + (index.empty() ? "" : ",") + index;
        i /= size;
    }
    return fmt::format("{}[{}]", name, index);
}

std::string count_wrong(const std::string& name, const NpyBytes& expected, std::size_t elements,
                        const std::function<bool(std::size_t)>& same,
                        const std::function<std::string(std::size_t)>& values) {
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = elements; i-- > 0;)
        if (!same(i)) {
            ++wrong;
            first = i;
        }
    if (wrong == 0) return {};
    return fmt::format("{} {}; {} of {} elements differ", element_name(name, expected.shape, first), values(first),
                       wrong, elements);
}

/// Sizes of 1 and flat arrays aside.
bool same_shape(NpyShape one, NpyShape other) {
    const auto elements = [](const NpyShape& shape) {
        return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    };
    const std::int64_t size = elements(one);
    if (size != elements(other)) return false;
    for (NpyShape* shape : {&one, &other}) std::erase(*shape, 1);
    return one == other || one.size() < 2 || other.size() < 2;
}

}  // namespace

std::string difference_to(const std::string& name, const NpyBytes& got, const NpyBytes& expected) {
    const bool reals = got.type[0] == 'f' && expected.type[0] == 'f';
    if (got.type != expected.type && !reals)
        return fmt::format("{} has elements of type {}, and {} are expected", name, type_name(got.type),
                           type_name(expected.type));
    if (!same_shape(got.shape, expected.shape))
        return fmt::format("{} has the shape {}, and {} is expected", name, to_string(got.shape),
                           to_string(expected.shape));
    const std::size_t elements = got.data.size() / got.element_bytes();
    if (got.type[0] != 'f')
        return count_wrong(
            name, expected, elements,
            [&](std::size_t i) {
                return std::memcmp(&got.data[i * got.element_bytes()], &expected.data[i * got.element_bytes()],
                                   got.element_bytes()) == 0;
            },
            [&](std::size_t i) {
                return fmt::format("is {}, and {} is expected", whole_at(got, i), whole_at(expected, i));
            });
    double largest = 0;
    for (std::size_t i = 0; i < elements; ++i)
        if (const double value = std::fabs(real_at(expected, i)); std::isfinite(value))
            largest = std::fmax(largest, value);
    const double bound = largest * (got.type == "f2" ? 2e-3 : 1e-5);
    return count_wrong(
        name, expected, elements,
        [&](std::size_t i) {
            const double a = real_at(got, i), b = real_at(expected, i);
            return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= bound;
        },
        [&](std::size_t i) {
            const double a = real_at(got, i), b = real_at(expected, i);
            const std::string shown = fmt::format("{:.7g}", a), wanted = fmt::format("{:.7g}", b);
            return shown != wanted ? fmt::format("is {}, and {} is expected", shown, wanted)
                                   : fmt::format("is {}, and {} is expected", a, b);
        });
}

}  // namespace convscope::app
