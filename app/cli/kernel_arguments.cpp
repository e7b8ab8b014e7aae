#include "app/cli/kernel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "app/request/text.h"
#include "kernels/core/error.h"
#include "kernels/core/host_memory.h"
#include "kernels/core/nearest_names.h"

namespace convscope::cli {
namespace {

/// A type of CUDA C++ as NumPy has it.
struct TypeRow {
    const char *name, *numpy;
    unsigned lanes = 1;  ///< of a vector
};
constexpr TypeRow type_rows[] = {{"float", "f4"},         {"double", "f8"},        {"half", "f2"},
                                 {"__half", "f2"},        {"int", "i4"},           {"signed", "i4"},
                                 {"int32_t", "i4"},       {"unsigned", "u4"},      {"unsigned int", "u4"},
                                 {"uint32_t", "u4"},      {"long long", "i8"},     {"long", "i8"},
                                 {"int64_t", "i8"},       {"long long int", "i8"}, {"unsigned long long", "u8"},
                                 {"unsigned long", "u8"}, {"size_t", "u8"},        {"uint64_t", "u8"},
                                 {"short", "i2"},         {"int16_t", "i2"},       {"unsigned short", "u2"},
                                 {"uint16_t", "u2"},      {"char", "i1"},          {"signed char", "i1"},
                                 {"int8_t", "i1"},        {"unsigned char", "u1"}, {"uint8_t", "u1"},
                                 {"bool", "b1"},          {"float2", "f4", 2},     {"float4", "f4", 4},
                                 {"int2", "i4", 2},       {"int4", "i4", 4},       {"half2", "f2", 2},
                                 {"__half2", "f2", 2},    {"double2", "f8", 2}};

const TypeRow* type_row(const std::string& type) {
    const auto found = std::ranges::find(type_rows, type, &TypeRow::name);
    return found == std::end(type_rows) ? nullptr : &*found;
}

/// float32 and the like, as --out has them.
constexpr std::pair<const char*, const char*> array_types[] = {
    {"float32", "f4"}, {"float64", "f8"}, {"float16", "f2"}, {"int32", "i4"},  {"int64", "i8"}, {"int16", "i2"},
    {"int8", "i1"},    {"uint32", "u4"},  {"uint64", "u8"},  {"uint16", "u2"}, {"uint8", "u1"}, {"bool", "b1"}};

/// What parameters are called, beside the names of the field.
constexpr std::pair<const char*, const char*> array_aliases[] = {{"input", "x"},  {"in", "x"},     {"weights", "w"},
                                                                 {"weight", "w"}, {"filter", "w"}, {"filters", "w"},
                                                                 {"output", "y"}, {"out", "y"}};
constexpr std::pair<const char*, const char*> value_aliases[] = {{"height", "h"}, {"width", "w"},   {"channels", "c"},
                                                                 {"batch", "n"},  {"filters", "k"}, {"padding", "pad"}};

template <std::size_t N>
std::string alias(const std::pair<const char*, const char*> (&aliases)[N], const std::string& name) {
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const auto& [from, to] : aliases)
        if (lower == from) return to;
    return lower;
}

[[noreturn]] void reject(const std::string& sentence) {
    throw Error(ErrorKind::usage, sentence);
}

NpyBytes array_of(const Tensor& tensor) {
    NpyBytes array{"f4", {tensor.n, tensor.c, tensor.h, tensor.w}, {}};
    array.data.resize(tensor.data.size() * sizeof(float));
    std::memcpy(array.data.data(), tensor.data.data(), array.data.size());
    return array;
}

/// Every byte 0xff: NaN, or -1.
KernelArray poisoned(const std::string& what, const std::string& type, NpyShape shape) {
    KernelArray made{{type, std::move(shape), {}}, false};
    double bytes = static_cast<double>(made.array.element_bytes());
    for (const std::int64_t size : made.array.shape) bytes *= static_cast<double>(size);
    require_host_memory(bytes, what);
    made.array.data.assign(static_cast<std::size_t>(bytes), std::byte{0xff});
    return made;
}

/// DIMxDIM...[:TYPE]
KernelArray read_out(const std::string& name, const std::string& text, const ptx::Names& names) {
    const std::vector<std::string> parts = split(text, ':');
    std::string type = "f4";
    if (parts.size() == 2) {
        const auto known =
            std::ranges::find(array_types, parts[1], [](const auto& row) { return std::string(row.first); });
        if (known == std::end(array_types))
            reject(
                fmt::format("--out {}: '{}' is not accepted; give float32, float64, float16, int8 to int64, uint8 to "
                            "uint64 or bool",
                            name, parts[1]));
        type = known->second;
    }
    NpyShape shape;
    double elements = 1;
    for (const std::string& size : split(parts[0], 'x')) {
        shape.push_back(ptx::evaluate(size, names, "--out " + name));
        if (shape.back() < 1)
            reject(fmt::format("--out {}: the size '{}' is not accepted; give 1 or more", name, size));
        elements *= static_cast<double>(shape.back());
    }
    if (parts.size() > 2 || elements > 1e15)
        reject(fmt::format("--out {}: '{}' is not accepted; give DIMxDIM...[:TYPE]", name, text));
    return poisoned("--out " + name, type, shape);
}

/// The bytes of a number in a parameter of this type.
std::vector<std::byte> bytes_of_number(const std::string& what, const TypeRow& type, const std::string& text,
                                       const ptx::Names& names) {
    const auto bytes = [](const auto& value) {
        std::vector<std::byte> all(sizeof value);
        std::memcpy(all.data(), &value, sizeof value);
        return all;
    };
    const std::string numpy = type.numpy;
    if (numpy[0] == 'f') {
        std::size_t end = 0;
        double value = 0;
        try {
            value = std::stod(text, &end);
        } catch (const std::exception&) {
        }
        if (end == 0 || end != text.size()) value = static_cast<double>(ptx::evaluate(text, names, what));
        if (numpy == "f8") return bytes(value);
        if (numpy == "f4") return bytes(static_cast<float>(value));
        reject(fmt::format("{}: a value of type {} cannot be given", what, type.name));
    }
    const std::int64_t value = text == "true" ? 1 : text == "false" ? 0 : ptx::evaluate(text, names, what);
    const unsigned size = static_cast<unsigned>(numpy[1] - '0');
    const bool sign = numpy[0] == 'i';
    const double above = std::ldexp(1.0, static_cast<int>(8 * size) - (sign ? 1 : 0)),
                 number = static_cast<double>(value);
    if (number >= above || number < (sign ? -above : 0))
        reject(fmt::format("{}: {} does not fit into a parameter of type {}", what, value, type.name));
    std::vector<std::byte> all = bytes(value);
    all.resize(size);
    return all;
}

class Maker {
public:
    Maker(const ptx::KernelText& text, const FlagValues& flags, const Workload* workload, const ptx::Names& names)
        : text_(text),
          given_(named_values(flags, "--arg")),
          out_(named_values(flags, "--out")),
          workload_(workload),
          names_(names) {}

    KernelArguments make() {
        require_known("--arg", given_);
        require_known("--out", out_);
        for (const ptx::ParameterText& parameter : text_.parameters) {
            if (parameter.pointer)
                add_array(parameter);
            else
                add_value(parameter);
        }
        std::size_t i = 0;
        for (const ptx::ParameterText& parameter : text_.parameters) {
            ptx::Argument& argument = made_.list[i++];
            if (!parameter.pointer) continue;
            KernelArray& array = made_.arrays.at(parameter.name);
            const TypeRow* type = type_row(parameter.type);
            argument.array = ptx::ArrayArgument{
                .name = parameter.name,
                .data = array.array.data,
                .element_bytes = static_cast<unsigned>(array.array.element_bytes()) * (type ? type->lanes : 1),
                .written = array.written,
                .writable = !parameter.constant};
        }
        return std::move(made_);
    }

private:
    void require_known(const char* flag, const std::map<std::string, std::string>& given) const {
        std::vector<std::string> known;
        for (const ptx::ParameterText& parameter : text_.parameters) known.push_back(parameter.name);
        for (const auto& [name, value] : given)
            if (std::ranges::find(known, name) == known.end())
                reject(fmt::format("{} {}: the kernel {} has no such parameter; it has {}", flag, name, text_.name,
                                   fmt::join(known, ", ")));
    }

    void add_array(const ptx::ParameterText& parameter) {
        made_.list.emplace_back();
        KernelArray& array = made_.arrays[parameter.name];
        const std::string field = alias(array_aliases, parameter.name);
        if (given_.contains(parameter.name) && out_.contains(parameter.name))
            reject(fmt::format("'{}' is given by --arg and by --out; give one of them", parameter.name));
        if (const auto file = given_.find(parameter.name); file != given_.end()) {
            array.array = read_npy_bytes(file->second);
        } else if (const auto out = out_.find(parameter.name); out != out_.end()) {
            array = read_out(parameter.name, out->second, names_);
        } else if (workload_ && field == "x") {
            array.array = array_of(workload_->x);
        } else if (workload_ && field == "w") {
            array.array = array_of(workload_->w);
        } else if (workload_ && field == "y") {
            const ConvShape& shape = workload_->spec.shape;
            array = poisoned("y", "f4", {shape.n, shape.k, shape.out_h(), shape.out_w()});
        } else {
            reject(fmt::format("the kernel {} takes an array '{}': give --arg {}=FILE.npy, or --out {}=SIZExSIZE",
                               text_.name, parameter.name, parameter.name, parameter.name));
        }
        const TypeRow* type = type_row(parameter.type);
        if (type && array.array.type != type->numpy)
            reject(fmt::format("'{}' is an array of {}, and the elements given are of type {}", parameter.name,
                               parameter.type, array.array.type));
        if (!workload_) return;
        if (field == "x") made_.input = of_layer(parameter.name, array.array, workload_->spec.shape.x_elements());
        if (field == "w") made_.weights = of_layer(parameter.name, array.array, workload_->spec.shape.w_elements());
        if (field == "y") made_.output = of_layer(parameter.name, array.array, workload_->spec.shape.y_elements());
    }

    /// The name, of an array that is as the layer's is: y is checked against the layer of these x and w.
    static std::string of_layer(const std::string& name, const NpyBytes& array, std::int64_t elements) {
        if (array.type != "f4" || static_cast<std::int64_t>(array.data.size()) != 4 * elements)
            reject(fmt::format("'{}' is the layer's, of {} elements of float32; given are {} bytes of {}", name,
                               elements, array.data.size(), array.type));
        return name;
    }

    void add_value(const ptx::ParameterText& parameter) {
        const TypeRow* type = type_row(parameter.type);
        const std::string what = "the argument " + parameter.name;
        if (!type || type->lanes > 1)
            reject(fmt::format("'{}' is of type {}, which cannot be given", parameter.name, parameter.type));
        const std::string field = alias(value_aliases, parameter.name);
        ptx::Argument argument;
        if (const auto given = given_.find(parameter.name); given != given_.end())
            argument.value = bytes_of_number(what, *type, given->second, names_);
        else if (const auto call = text_.call.find(parameter.name);
                 call != text_.call.end() && call->second.size() == 1)
            argument.value = bytes_of_number(what, *type, call->second.front(), names_);
        else if (const auto known = names_.find(field); known != names_.end())
            argument.value = bytes_of_number(what, *type, fmt::format("{}", known->second), names_);
        else
            reject(fmt::format("the kernel {} takes a value '{}': give --arg {}=VALUE", text_.name, parameter.name,
                               parameter.name));
        made_.list.push_back(std::move(argument));
    }

    const ptx::KernelText& text_;
    const std::map<std::string, std::string> given_, out_;
    const Workload* const workload_;
    const ptx::Names& names_;
    KernelArguments made_;
};

}  // namespace

std::map<std::string, std::string> named_values(const FlagValues& flags, const std::string& flag) {
    std::map<std::string, std::string> values;
    for (const std::string& text : flags.all(flag)) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            reject(fmt::format("{}: '{}' is not accepted; give NAME=VALUE", flag, text));
        if (!values.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
            reject(fmt::format("{}: {} is given twice", flag, text.substr(0, equals)));
    }
    return values;
}

KernelArguments make_arguments(const ptx::Program& program, const ptx::KernelText& text, const FlagValues& flags,
                               const Workload* workload, const ptx::Names& names) {
    if (text.parameters.size() != program.parameters.size())
        reject(fmt::format("the parameters of {} cannot be told from its source at line {}", text.name, text.line));
    return Maker(text, flags, workload, names).make();
}

}  // namespace convscope::cli
