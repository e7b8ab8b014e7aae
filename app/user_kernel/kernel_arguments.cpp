#include "app/user_kernel/kernel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "app/user_kernel/argument_name.h"
#include "app/user_kernel/number_bytes.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/files/npy_elements.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/ptx/text/expression.h"

namespace convscope::app {
namespace {

/// "8,8" of "8x8", as sizes are printed; empty where it is something else.
std::string with_commas(const std::string& text) {
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    const bool sizes = !text.empty() && is_digit(text.front()) && is_digit(text.back()) &&
                       text.find('x') != std::string::npos &&
                       text.find_first_not_of("0123456789x") == std::string::npos;
    return sizes ? replaced(text, "x", ",") : "";
}

/// Other names of parameters, besides the field's.
constexpr std::pair<const char*, const char*> array_aliases[] = {{"input", "x"},  {"in", "x"},     {"weights", "w"},
                                                                 {"weight", "w"}, {"filter", "w"}, {"filters", "w"},
                                                                 {"output", "y"}, {"out", "y"}};
constexpr std::pair<const char*, const char*> value_aliases[] = {{"height", "h"}, {"width", "w"},   {"channels", "c"},
                                                                 {"batch", "n"},  {"filters", "k"}, {"padding", "pad"}};

template <std::size_t N>
std::string alias(const std::pair<const char*, const char*> (&aliases)[N], const std::string& name) {
    const std::string lowered = lower_case(name);
    for (const auto& [from, to] : aliases)
        if (lowered == from) return to;
    return lowered;
}

[[noreturn]] void reject_argument(const std::string& sentence) {
    throw Error(ErrorKind::usage, sentence);
}

/// 'what': of which argument, for the rejection of one that no float is near.
NpyBytes rounded_to_float(const std::string& what, const NpyBytes& doubles) {
    NpyBytes floats{"f4", doubles.shape, std::vector<std::byte>(doubles.data.size() / 2)};
    for (std::size_t i = 0; i < floats.data.size() / sizeof(float); ++i) {
        double value;
        std::memcpy(&value, &doubles.data[i * sizeof value], sizeof value);
        if (exceeds_float(value))
            reject_argument(
                fmt::format("{}: its element {} is beyond the range of float, which the kernel takes; give "
                            "smaller numbers, or a double* in the kernel",
                            what, value));
        const auto rounded = static_cast<float>(value);
        std::memcpy(&floats.data[i * sizeof rounded], &rounded, sizeof rounded);
    }
    return floats;
}

NpyBytes array_of(const Tensor& tensor) {
    NpyBytes array{"f4", {tensor.n, tensor.c, tensor.h, tensor.w}, {}};
    array.data.resize(tensor.data.size() * sizeof(float));
    std::memcpy(array.data.data(), tensor.data.data(), array.data.size());
    return array;
}

/// Whether it is a tensor map, which the kernel takes by value.
bool is_tensor(const ptx::ParameterText& parameter) {
    return !parameter.pointer && !parameter.member && parameter.type == "CUtensorMap";
}
bool is_array(const ptx::ParameterText& parameter) {
    return parameter.pointer || is_tensor(parameter);
}

/// Numbers that the kernel takes by value under one name: of an array inside of a structure, of a vector.
bool has_several(const ptx::ParameterText& parameter) {
    const auto type = element_type(parameter.type);
    return (parameter.member && !parameter.member->shape.empty()) || (type && type->lanes > 1);
}

/// In the place of a structure, or of an array inside of one: all of it.
constexpr const char* zero = "0";
constexpr const char* null_pointer = "nullptr";

/// Whether two members lie on one another, as in a union.
bool overlap(const ptx::ParameterText& a, const ptx::ParameterText& b) {
    const auto begin = [](const ptx::MemberPlace& place) { return 8 * place.offset + place.first_bit; };
    const auto end = [&](const ptx::MemberPlace& place) {
        return begin(place) + (place.bits > 0 ? place.bits : 8 * place.bytes);
    };
    return a.member && b.member && a.parameter == b.parameter && begin(*a.member) < end(*b.member) &&
           begin(*b.member) < end(*a.member);
}

class Maker {
public:
    Maker(const UserKernel& kernel, const KernelCall& call, const Workload* layer, const std::stop_token& stop)
        : text_(kernel.text), module_(kernel.module), symbol_(kernel.symbol), call_(call), layer_(layer), stop_(stop) {
        if (!call.architecture.empty()) room_ = unlimited_room;  // a GPU's memory says
        if (layer_) names_ = ptx::names_of(layer_->spec.shape);
        for (const auto& [name, value] : whole_defines(call)) names_.emplace(name, static_cast<double>(value));
        for (const auto& [name, value] : text_.constants)
            if (!has_parameter(name)) names_.emplace(name, static_cast<double>(value));
    }

    KernelArguments make() {
        require_known();
        for (const std::string_view name : {"grid", "block", "shared"}) made_.states.push_back(state_of_launch(name));
        if (const ArgumentState cluster = state_of_launch("cluster");
            cluster.origin != Origin::nowhere && !has_parameter(cluster.name))
            made_.states.push_back(cluster);
        const std::size_t first = made_.states.size();  // of the parameters
        for (const ptx::ParameterText& parameter : text_.parameters) made_.states.push_back(state_of(parameter));
        take_defaults(first);
        for (const auto& [name, type] : text_.variables) {
            ArgumentState state = state_of_launch(name);
            if (state.origin == Origin::nowhere || has_parameter(name)) continue;
            state.array = true;
            state.type = type + "[]";
            made_.states.push_back(std::move(state));
            made_.variables[name] = {};
        }
        // Values first: sizes may be written with them.
        for (std::size_t i = 0; i < text_.parameters.size(); ++i)
            if (!is_array(text_.parameters[i]))
                guarded(first + i, [&](auto& state) { note_value(text_.parameters[i], state); });
        // Bytes that nobody gives are zero: those without a name, and those between members.
        for (const std::uint32_t index : module_.find(symbol_)->parameters)
            made_.list.emplace_back().value.resize(module_.variables[index].bytes);
        for (std::size_t i = 0; i < text_.parameters.size(); ++i) {
            const ptx::ParameterText& parameter = text_.parameters[i];
            if (unused_.contains(i)) continue;
            guarded(first + i, [&](auto& state) {
                if (is_tensor(parameter))
                    add_tensor(parameter, state);
                else if (parameter.pointer)
                    add_array(parameter, state);
                else
                    put_value(parameter, state);
            });
        }
        for (std::size_t i = first + text_.parameters.size(); i < made_.states.size(); ++i)
            guarded(i, [&](const auto& state) { add_variable(state); });
        for (const auto& [name, element] : elements_) {
            ArgumentState state = state_of_launch(name);
            state.type = text_.parameters[element.parameter].type;
            made_.states.push_back(std::move(state));
        }
        for (const auto& [name, type] : text_.variables)
            if (!made_.variables.contains(name) && !has_parameter(name)) add_initial(name, type);
        point_to_arrays();
        guarded(1, [&](auto& state) {
            made_.block = extent(state);
            // Expressions over these fit whatever block is tried.
            names_.emplace("block_x", made_.block.x);
            names_.emplace("block_y", made_.block.y);
            names_.emplace("block_z", made_.block.z);
        });
        guarded(0, [&](auto& state) { made_.grid = extent(state); });
        guarded(2, [&](auto& state) { made_.shared_bytes = shared_bytes(state); });
        if (first > 3) guarded(3, [&](auto& state) { made_.cluster = extent(state); });
        return std::move(made_);
    }

private:
    template <class Do>
    void guarded(std::size_t i, const Do& make) {
        ArgumentState& state = made_.states[i];
        try {
            make(state);
        } catch (const Error& error) {
            state.reason = error.what();
            state.kind = error.kind();
        }
    }

    bool has_parameter(const std::string& name) const {
        return std::ranges::find(text_.parameters, name, &ptx::ParameterText::name) != text_.parameters.end();
    }

    void require_known() {
        for (const auto& [name, value] : call_.given)
            if (!takes_argument(text_, name)) reject_argument(why_not_taken(text_, name));
        for (const auto& [name, value] : call_.given)
            if (const auto element = element_named(text_, name)) elements_[name] = *element;
        for (const auto& [name, value] : text_.call)
            if (const auto element = element_named(text_, name)) elements_[name] = *element;
        for (const auto& [name, type] : text_.structures)
            if (const ArgumentState state = state_of_launch(name);
                state.origin != Origin::nowhere && trimmed(state.text) != zero)
                reject_argument(
                    fmt::format("'{0}' is a structure ({1}): give its members, {2}=... and so on, or {0}=0, "
                                "which makes zero what is given no value of its own",
                                name, type, first_member(name)));
    }

    std::string first_member(const std::string& structure) const {
        for (const ptx::ParameterText& parameter : text_.parameters)
            if (parameter.name.starts_with(structure + ".") || parameter.name.starts_with(structure + "["))
                return parameter.name;
        return structure;
    }

    /// Members that nobody gives get the structure's zero, or nothing where another member of a union is given.
    void take_defaults(std::size_t first) {
        const std::size_t count = text_.parameters.size();
        const auto is_given = [&](std::size_t i) {
            return made_.states[first + i].origin != Origin::nowhere || has_elements(i);
        };
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < count; ++i)
            if (text_.parameters[i].member && made_.states[first + i].origin == Origin::nowhere) left.push_back(i);
        for (const std::size_t i : left)
            for (std::size_t other = 0; other < count && !has_elements(i); ++other)
                if (overlap(text_.parameters[i], text_.parameters[other]) && is_given(other)) unused_.insert(i);
        for (const std::size_t i : left) {
            if (unused_.contains(i)) continue;
            ArgumentState& state = made_.states[first + i];
            for (const std::string& structure : structures_around(text_, text_.parameters[i].name)) {
                const ArgumentState all = state_of_launch(structure);
                if (all.origin == Origin::nowhere) continue;
                state.origin = all.origin;
                state.text = text_.parameters[i].pointer ? null_pointer : zero;
                if (!has_elements(i)) unused_.insert(i);
                break;
            }
        }
    }

    /// Whether elements of this parameter are given one by one.
    bool has_elements(std::size_t parameter) const {
        return std::ranges::any_of(elements_, [&](const auto& each) { return each.second.parameter == parameter; });
    }

    /// Given, or in the comment.
    void find_text(ArgumentState& state) const {
        const auto in_comment = text_.call.find(state.name);
        if (in_comment != text_.call.end()) {
            state.origin = Origin::comment;
            state.text = state.otherwise = fmt::format("{}", fmt::join(in_comment->second, ", "));
        }
        if (const auto given = call_.given.find(state.name); given != call_.given.end()) {
            state.origin = Origin::given;
            state.text = given->second;
        }
    }

    ArgumentState state_of_launch(std::string_view name) const {
        ArgumentState state;
        state.name = name;
        find_text(state);
        return state;
    }

    ArgumentState state_of(const ptx::ParameterText& parameter) const {
        ArgumentState state;
        state.name = parameter.name;
        state.array = is_array(parameter);
        state.type =
            fmt::format("{}{}{}", parameter.constant ? "const " : "", parameter.type, parameter.pointer ? "*" : "");
        if (parameter.member)
            for (const std::int64_t extent : parameter.member->shape) state.type += fmt::format("[{}]", extent);
        find_text(state);
        if (state.otherwise.empty() && layer_ && has_in_layer(parameter)) {
            state.otherwise = "of the layer";
            if (state.origin == Origin::nowhere) state.origin = Origin::layer;
        }
        return state;
    }

    bool has_in_layer(const ptx::ParameterText& parameter) const {
        if (has_several(parameter) || (parameter.member && parameter.pointer)) return false;
        if (!parameter.pointer) return names_.contains(alias(value_aliases, own_name(parameter.name)));
        const std::string field = alias(array_aliases, parameter.name);
        return field == "x" || field == "w" || field == "y";
    }

    /// A whole number has a name in the expressions of the others, unless the layer has one of this name.
    void note_value(const ptx::ParameterText& parameter, const ArgumentState& state) {
        const auto type = element_type(parameter.type);
        if (!type || type->numpy[0] == 'f' || state.text.empty() || state.text == "true" || state.text == "false" ||
            has_several(parameter))
            return;
        const double value = whole_value("the argument " + parameter.name, state.text, names_);
        if (layer_)
            names_.emplace(parameter.name, value);
        else
            names_[parameter.name] = value;
    }

    /// Rejects one number for a value that differs by direction, or by side, in the layer.
    void require_one_number(const std::string& parameter, const std::string& name) const {
        const ConvShape& shape = layer_->spec.shape;
        for (const ShapeKey& key : shape_keys) {
            const std::string text = text_of(key, shape);
            if (key.name != name || text.find('x') == std::string::npos) continue;
            std::string fields = fmt::format("{} and {}", field_of(key.first).name, field_of(key.second).name);
            if (key.first_extra && shape.padded_by_side())
                fields = fmt::format("{}, {}, {} and {}", field_of(key.first).name, field_of(key.second).name,
                                     field_of(key.first_extra).name, field_of(key.second_extra).name);
            reject_argument(
                fmt::format("'{}' is one number, and the layer's {} is {}: let the kernel take {}, or give "
                            "--arg {}=VALUE",
                            parameter, name, text, fields, parameter));
        }
    }

    void put_value(const ptx::ParameterText& parameter, ArgumentState& state) {
        std::vector<std::byte> bytes = value_bytes(parameter, state);
        std::vector<std::byte>& value = made_.list[parameter.parameter].value;
        if (!parameter.member) {
            value = std::move(bytes);
            return;
        }
        for (std::size_t i = 0; i < text_.parameters.size(); ++i)
            if (const ptx::ParameterText& other = text_.parameters[i];
                &other != &parameter && !unused_.contains(i) && overlap(parameter, other))
                reject_argument(fmt::format("'{}' and '{}' lie on one another, as in a union: give one of them",
                                            parameter.name, other.name));
        if (parameter.member->bits > 0) bytes = shifted_bits(parameter, std::move(bytes), state.text);
        for (std::size_t i = 0; i < parameter.member->bytes && i < bytes.size(); ++i)
            value[parameter.member->offset + i] |= bytes[i];
    }

    /// As a bit-field has them, from its first byte on.
    static std::vector<std::byte> shifted_bits(const ptx::ParameterText& parameter, std::vector<std::byte> bytes,
                                               const std::string& text) {
        const ptx::MemberPlace& place = *parameter.member;
        const std::size_t above = 8 * (sizeof(std::uint64_t) - bytes.size());
        bytes.resize(sizeof(std::uint64_t));
        std::uint64_t number = 0;
        std::memcpy(&number, bytes.data(), sizeof number);
        const auto with_sign = static_cast<std::int64_t>(number << above) >> above;
        const auto type = element_type(parameter.type);
        const std::uint64_t mask = ~std::uint64_t{0} >> (64 - place.bits);
        const bool fits = type && type->numpy[0] == 'i'
                              ? with_sign >> (place.bits - 1) == 0 || with_sign >> (place.bits - 1) == -1
                              : number <= mask;
        if (!fits)
            reject_argument(
                fmt::format("the argument {}: {} does not fit into {} bits", parameter.name, text, place.bits));
        number = (number & mask) << place.first_bit;
        std::memcpy(bytes.data(), &number, sizeof number);
        return bytes;
    }

    std::vector<std::byte> value_bytes(const ptx::ParameterText& parameter, ArgumentState& state) {
        auto type = element_type(parameter.type);
        if (!type) type = type_of_value(parameter);
        const bool fits = type && (!parameter.member || parameter.member->bits > 0 ||
                                   bytes_of_one(*parameter.member) == bytes_of_type(*type));
        if (!fits)
            reject_argument(fmt::format("'{}' is of type {}, which cannot be given", parameter.name, parameter.type));
        if (has_several(parameter)) return several_bytes(parameter, state, *type);
        if (state.origin == Origin::nowhere)
            reject_argument(
                fmt::format("the kernel {0} takes a value '{1}': give --arg {1}=VALUE, or '{1} = VALUE' in "
                            "the comment before it",
                            text_.name, parameter.name));
        if (state.origin == Origin::layer) {
            const std::string name = alias(value_aliases, own_name(parameter.name));
            require_one_number(parameter.name, name);
            state.text = fmt::format("{}", names_.at(name));
        }
        return bytes_of_number("the argument " + parameter.name, parameter.type, *type, state.text, names_);
    }

    /// "1, 2, 3", an array, or its elements one by one.
    std::vector<std::byte> several_bytes(const ptx::ParameterText& parameter, const ArgumentState& state,
                                         const ElementType& type) {
        const std::size_t size = bytes_of_type(type);
        const std::size_t count = parameter.member ? parameter.member->bytes / size : 1;
        if (state.origin == Origin::nowhere && elements_of(parameter).empty())
            reject_argument(
                fmt::format("the kernel {0} takes {2} values '{1}': give --arg {1}=VALUE,VALUE,..., or '{1} = (VALUE, "
                            "VALUE, ...)' in the comment before it{3}",
                            text_.name, parameter.name, count * type.lanes,
                            count > 1 ? ", or an array, as in iota(" + std::to_string(count) + ")" : ""));
        std::vector<std::byte> bytes;
        if (state.origin != Origin::nowhere && state.text != zero)
            bytes = bytes_of_several(parameter, state.name, state.text, state.origin, type, count);
        bytes.resize(count * size);
        std::vector<bool> given(count, state.origin != Origin::nowhere);
        for (const auto& [name, index] : elements_of(parameter)) {
            const ArgumentState element = state_of_launch(name);
            const std::vector<std::byte> one = bytes_of_several(parameter, name, element.text, element.origin, type, 1);
            std::ranges::copy(one, bytes.begin() + static_cast<std::ptrdiff_t>(index * size));
            given[index] = true;
        }
        if (const auto missing = std::ranges::find(given, false); missing != given.end())
            reject_argument(
                fmt::format("'{0}' has {1} elements, and the one at {2} has no value: give it, or all by "
                            "--arg {0}=...",
                            parameter.name, count, missing - given.begin()));
        return bytes;
    }

    /// Those that are given one by one: their names, and which of the array's they are.
    std::map<std::string, std::size_t> elements_of(const ptx::ParameterText& parameter) const {
        std::map<std::string, std::size_t> indices;
        for (const auto& [name, element] : elements_)
            if (&text_.parameters[element.parameter] == &parameter) indices[name] = element.index;
        return indices;
    }

    /// The bytes of 'count' elements, from a list of all numbers or from an array.
    std::vector<std::byte> bytes_of_several(const ptx::ParameterText& parameter, const std::string& name,
                                            std::string text, Origin origin, const ElementType& type,
                                            std::size_t count) {
        text = without_parentheses(text);
        if (!is_array_text(text)) return bytes_of_list(parameter.type, name, text, type, count);
        KernelArray array = array_from(text, type, name, origin);
        require_type(name, parameter.type, array.array);
        if (!array.written) reject_argument(fmt::format("the argument {}: out(SIZE) has no values", name));
        const std::size_t got = array.array.data.size() / static_cast<std::size_t>(type.numpy[1] - '0');
        if (got != count * type.lanes) reject_count(parameter.type, name, text, count * type.lanes, got);
        return std::move(array.array.data);
    }

    /// "1, 2, 3" of "(1, 2, 3)".
    static std::string without_parentheses(const std::string& text) {
        const std::string all = trimmed(text);
        const bool around = all.starts_with('(') && all.ends_with(')') && split_list(all).size() == 1;
        return around ? all.substr(1, all.size() - 2) : all;
    }

    /// A file or a generated array, and not numbers.
    static bool is_array_text(const std::string& text) {
        return split_list(text).size() == 1 && (text.ends_with(".npy") || text.find('(') != std::string::npos);
    }

    /// "1, 2, 3": all numbers of 'count' elements.
    std::vector<std::byte> bytes_of_list(const std::string& cuda_type, const std::string& name, const std::string& text,
                                         const ElementType& type, std::size_t count) const {
        const std::vector<std::string> numbers = split_list(text);
        if (numbers.size() != count * type.lanes)
            reject_count(cuda_type, name, text, count * type.lanes, numbers.size());
        std::vector<std::byte> bytes;
        for (const std::string& number : numbers)
            std::ranges::move(bytes_of_number("the argument " + name, cuda_type, type, trimmed(number), names_),
                              std::back_inserter(bytes));
        return bytes;
    }

    [[noreturn]] static void reject_count(const std::string& cuda_type, const std::string& name,
                                          const std::string& text, std::size_t wanted, std::size_t got) {
        reject_argument(fmt::format("'{}' is {} values of {}, and '{}' has {}", name, wanted, cuda_type, text, got));
    }

    static std::size_t bytes_of_type(const ElementType& type) {
        return static_cast<std::size_t>(type.numpy[1] - '0') * type.lanes;
    }

    static std::uint64_t bytes_of_one(const ptx::MemberPlace& place) {
        std::uint64_t bytes = place.bits > 0 ? sizeof(int) : place.bytes;
        for (const std::int64_t extent : place.shape) bytes /= static_cast<std::uint64_t>(extent);
        return bytes;
    }

    /// An enumeration's, as the compiler has it: structures are arrays of bytes there.
    std::optional<ElementType> type_of_value(const ptx::ParameterText& parameter) const {
        if (parameter.member) {
            const std::uint64_t bytes = bytes_of_one(*parameter.member);
            return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8
                       ? std::optional(ElementType{fmt::format("i{}", bytes)})
                       : std::nullopt;
        }
        const ptx::Function& function = *module_.find(symbol_);
        const ptx::Variable& value = module_.variables[function.parameters[parameter.parameter]];
        if (value.type == ptx::Type::b8 || value.bytes != ptx::bytes_of(value.type) || ptx::is_real(value.type))
            return std::nullopt;
        return ElementType{fmt::format("i{}", value.bytes)};
    }

    /// Makes the array that 'text' describes, or reads the file that it names.
    KernelArray array_from(const std::string& text, const ElementType& element, const std::string& name,
                           Origin origin) {
        const std::string what = "the argument " + name;
        if (auto made = generated_array(text, element, names_, what, name, room_, stop_)) {
            room_ -= static_cast<double>(made->array.data.size());
            return std::move(*made);
        }
        const std::filesystem::path path = text;
        if (path.extension() != ".npy")
            reject_argument(
                fmt::format("{}: '{}' is not accepted; give a .npy file, or out(SIZE), random(SIZE), "
                            "sparse(SIZE), ascending(SIZE), iota(SIZE), zeros(SIZE) or ones(SIZE)",
                            what, text));
        // A file that the comment names lies next to the kernel.
        const std::filesystem::path file = origin == Origin::comment ? call_.file.parent_path() / path : path;
        KernelArray array{.array = read_npy_bytes(file), .file = file};
        if (element.numpy == "f4" && array.array.type == "f8") {
            array.array = rounded_to_float(what, array.array);
            made_.notes.push_back(fmt::format("{}: the elements of type float64 are rounded to float", what));
        }
        return array;
    }

    /// "tensor(random(64, 128, float16), 64, 64, swizzle128)": an array, and the sizes of a box in its order.
    void add_tensor(const ptx::ParameterText& parameter, const ArgumentState& state) {
        const std::string text = trimmed(state.text), word = "tensor(";
        if (!text.starts_with(word) || !text.ends_with(")"))
            reject_argument(
                fmt::format("'{0}' is a tensor map: give '{0} = tensor(ARRAY, SIZE, ..., swizzle128)', the sizes of "
                            "its box in the array's order",
                            parameter.name));
        std::vector<std::string> parts = split_list(text.substr(word.size(), text.size() - word.size() - 1));
        for (std::string& part : parts) part = trimmed(part);
        ptx::TensorBox& tensor = tensors_[parameter.name];
        const std::string what = "the argument " + parameter.name, swizzle = "swizzle";
        if (parts.size() > 1 && parts.back().starts_with(swizzle)) {
            tensor.swizzle = static_cast<unsigned>(ptx::evaluate(parts.back().substr(swizzle.size()), names_, what));
            parts.pop_back();
        }
        KernelArray array = array_from(parts.front(), {"f4"}, parameter.name, state.origin);
        tensor.sizes.assign(array.array.shape.rbegin(), array.array.shape.rend());
        for (std::size_t i = parts.size() - 1; i > 0; --i) tensor.box.push_back(ptx::evaluate(parts[i], names_, what));
        if (const std::string reason = tensor.reason(static_cast<unsigned>(array.array.element_bytes()));
            !reason.empty())
            reject_argument(fmt::format("{}: no tensor map can be made of {}", what, reason));
        made_.arrays[parameter.name] = std::move(array);
    }

    static void require_type(const std::string& name, const std::string& cuda_type, const NpyBytes& array) {
        const auto type = element_type(cuda_type);
        if (type && array.type != type->numpy)
            reject_argument(fmt::format("'{}' is an array of {}, and the elements given are of type {}", name,
                                        cuda_type, type_name(array.type)));
    }

    /// Adds a variable as the host would copy it to a symbol.
    void add_variable(const ArgumentState& state) {
        const std::string& cuda_type = text_.variables.at(state.name);
        const ElementType type = element_type(cuda_type).value_or(ElementType{});
        const std::uint64_t bytes = module_.find_variable(state.name)->bytes;
        KernelArray& array = made_.arrays[state.name];
        const std::string text = without_parentheses(state.text);
        if (type.numpy.empty() || is_array_text(text)) {
            array = array_from(text, type, state.name, state.origin);
        } else {
            const std::size_t count = bytes / bytes_of_type(type);
            array.array = {type.numpy,
                           {static_cast<std::int64_t>(count * type.lanes)},
                           bytes_of_list(cuda_type, state.name, text, type, count)};
        }
        require_type(state.name, cuda_type, array.array);
        if (!array.written || array.array.data.size() != bytes)
            reject_argument(fmt::format("'{}' is a variable of {} bytes, and '{}' has {}; out(SIZE) has no values",
                                        state.name, bytes, state.text, array.array.data.size()));
    }

    /// As the file says; on the simulated GPU, where it costs nothing, what the kernel leaves there is kept.
    void add_initial(const std::string& name, const std::string& cuda_type) {
        constexpr std::uint64_t max_bytes = 1 << 24;
        const auto type = element_type(cuda_type);
        const ptx::Variable& variable = *module_.find_variable(name);
        if (text_.unset.contains(name) && variable.initial.empty()) made_.unset.insert(name);
        if (!type || variable.space != ptx::Space::global || variable.bytes > max_bytes || !call_.architecture.empty())
            return;
        NpyBytes& array = made_.arrays[name].array;
        array = {type->numpy, {}, variable.initial};
        array.data.resize(variable.bytes);
        array.shape = {static_cast<std::int64_t>(variable.bytes / array.element_bytes())};
        made_.variables[name] = {};
    }

    void add_array(const ptx::ParameterText& parameter, ArgumentState& state) {
        if (state.text == null_pointer) return;
        KernelArray& array = made_.arrays[parameter.name];
        const auto type = element_type(parameter.type);
        const std::string field = alias(array_aliases, parameter.name);
        const std::string what = "the argument " + parameter.name;
        if (state.origin == Origin::nowhere)
            reject_argument(fmt::format(
                "the kernel {} takes an array '{}'{} --arg {}=FILE.npy, or --out {}=SIZExSIZE", text_.name,
                parameter.name,
                layer_ ? ", and a layer has x, w and y: name it as one of these, or give 'convscope kernel'" : ": give",
                parameter.name, parameter.name));
        if (parameter.type.ends_with('*') || parameter.type.ends_with(')'))  // to pointers, to functions
            reject_argument(fmt::format("'{}' is of type {}*, which cannot be given", parameter.name, parameter.type));
        if (state.origin == Origin::layer) {
            const ConvShape& shape = layer_->spec.shape;
            if (field == "y")
                array = unwritten_array("y", "f4", {shape.n, shape.k, shape.out_h(), shape.out_w()});
            else
                array.array = array_of(field == "x" ? layer_->x : layer_->w);
            state.text = fmt::format("{}, {}", field, to_string(array.array.shape));
        } else {
            array = array_from(state.text, type.value_or(ElementType{}), parameter.name, state.origin);
        }
        require_type(parameter.name, parameter.type, array.array);
        if (!layer_ || parameter.member) return;
        if (field == "x") made_.input = of_layer(parameter.name, array.array, layer_->spec.shape.x_elements());
        if (field == "w") made_.weights = of_layer(parameter.name, array.array, layer_->spec.shape.w_elements());
        if (field == "y") made_.output = of_layer(parameter.name, array.array, layer_->spec.shape.y_elements());
    }

    /// The name, of an array that is as the layer's is: y is checked against the layer of these x and w.
    static std::string of_layer(const std::string& name, const NpyBytes& array, std::int64_t elements) {
        if (array.type != "f4" || static_cast<std::int64_t>(array.data.size()) != 4 * elements)
            reject_argument(fmt::format("'{}' is the layer's, of {} elements of float32; given are {} bytes of {}",
                                        name, elements, array.data.size(), type_name(array.type)));
        return name;
    }

    /// Where everything stands at last: the arrays do not move any more.
    void point_to_arrays() {
        for (auto& [name, bytes] : made_.variables) bytes = made_.arrays[name].array.data;
        for (const ptx::ParameterText& parameter : text_.parameters) {
            const auto made = made_.arrays.find(parameter.name);
            if (!is_array(parameter) || made == made_.arrays.end()) continue;
            KernelArray& array = made->second;
            if (array.array.type.empty()) continue;  // for a reason that is known
            const auto type = element_type(parameter.type);
            ptx::Argument& argument = made_.list[parameter.parameter];
            if (is_tensor(parameter)) argument.tensor = tensors_[parameter.name];
            ptx::ArrayArgument given{
                .name = parameter.name,
                .data = array.array.data,
                .element_bytes = static_cast<unsigned>(array.array.element_bytes()) * (type ? type->lanes : 1),
                .written = array.written,
                .writable = !parameter.constant || is_tensor(parameter)};
            if (parameter.member)
                argument.members.push_back({parameter.member->offset, std::move(given)});
            else
                argument.array = std::move(given);
        }
    }

    Dim3 extent(const ArgumentState& state) const {
        const std::string& what = state.name;
        if (state.origin == Origin::nowhere)
            reject_argument(
                fmt::format("the {} is not known: give --{} X,Y,Z, or a comment before {}, '// convscope: "
                            "grid = (...), block = (...)'",
                            what, what, text_.name));
        if (const std::string commas = with_commas(state.text); !commas.empty())
            reject_argument(
                fmt::format("{}: '{}' is not accepted; sizes are separated by commas: {}", what, state.text, commas));
        std::vector<std::int64_t> values;
        for (const std::string& each : split_list(state.text)) values.push_back(ptx::evaluate(each, names_, what));
        if (values.size() > 3)
            reject_argument(fmt::format("the {} has {} sizes; accepted are 1 to 3", what, values.size()));
        return {values[0], values.size() > 1 ? values[1] : 1, values.size() > 2 ? values[2] : 1};
    }

    std::uint64_t shared_bytes(const ArgumentState& state) const {
        if (state.origin == Origin::nowhere) return 0;
        const std::int64_t bytes = ptx::evaluate(state.text, names_, "shared");
        if (bytes < 0) reject_argument(fmt::format("shared: {} bytes is not accepted; give 0 or more", bytes));
        return static_cast<std::uint64_t>(bytes);
    }

    const ptx::KernelText& text_;
    const ptx::Module& module_;
    const std::string& symbol_;
    const KernelCall& call_;
    const Workload* const layer_;
    const std::stop_token& stop_;
    double room_ = max_simulated_bytes;  ///< for the arrays that are yet to be made
    ptx::Names names_;
    KernelArguments made_;
    std::map<std::string, ptx::TensorBox> tensors_;  ///< by the parameter's name
    std::map<std::string, MemberElement> elements_;  ///< that are given by their names: "p.w[3]"
    std::set<std::size_t> unused_;                   ///< indices of parameters that are given no value, and need none
};

}  // namespace

void KernelArguments::take_launch(const Dim3& of_grid, const Dim3& of_block, const std::optional<Dim3>& of_cluster,
                                  std::uint64_t dynamic_bytes, Origin origin) {
    grid = of_grid;
    block = of_block;
    cluster = of_cluster;
    shared_bytes = dynamic_bytes;
    const auto state = [&](const char* name, std::string text) {
        states.push_back({name, {}, false, origin, std::move(text), {}, {}});
    };
    state("grid", to_string(grid));
    state("block", to_string(block));
    if (cluster) state("cluster", to_string(*cluster));
    state("shared", fmt::format("{} bytes", shared_bytes));
}

const ArgumentState* KernelArguments::rejected() const {
    // A parameter's reason before the launch's, which may be written with it.
    for (const bool of_launch : {false, true})
        for (const ArgumentState& state : states)
            if (state.type.empty() == of_launch && !state.reason.empty()) return &state;
    return nullptr;
}

bool is_convolution(const ptx::KernelText& text) {
    std::string found;
    for (const ptx::ParameterText& parameter : text.parameters)
        if (parameter.pointer && !parameter.member) found += alias(array_aliases, parameter.name) + ' ';
    found = " " + found;
    return found.find(" x ") != std::string::npos && found.find(" w ") != std::string::npos &&
           found.find(" y ") != std::string::npos;
}

KernelArguments make_arguments(const UserKernel& kernel, const KernelCall& call, const Workload* layer,
                               const std::stop_token& stop) {
    return Maker(kernel, call, layer, stop).make();
}

}  // namespace convscope::app
