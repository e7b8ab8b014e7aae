#include "kernels/ptx/text/parameter_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/ptx/text/debug_info.h"
#include "kernels/ptx/text/module.h"

namespace convscope::ptx {
namespace {

using Tag = DebugEntry::Tag;

/// "unsigned char" of a number's encoding (DW_ATE) and size; its own name where it is no number of CUDA.
std::string number_type(const DebugEntry& entry) {
    constexpr std::uint64_t boolean = 2, real = 4, with_sign = 5, character = 6, without_sign = 7, byte = 8, utf = 16;
    const auto of_size = [&](std::initializer_list<const char*> names) -> std::string {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (entry.bytes == std::uint64_t{1} << i) return names.begin()[i];
        return entry.name;
    };
    switch (entry.encoding) {
        case boolean:
            return "bool";
        case real:
            return of_size({"", "half", "float", "double"});
        case with_sign:
        case character:
            return of_size({"char", "short", "int", "long long"});
        case without_sign:
        case byte:
        case utf:
            return of_size({"unsigned char", "unsigned short", "unsigned int", "unsigned long long"});
        default:
            return entry.name;
    }
}

/// The type behind names, const and volatile.
struct PlainType {
    const DebugEntry* entry = nullptr;  ///< null: void
    std::string name;                   ///< the entry's, or what the source calls it
    bool constant = false;
};

class MemberFinder {
public:
    MemberFinder(const std::vector<DebugEntry>& entries, const WholeBytes& whole_bytes)
        : entries_(entries), whole_bytes_(whole_bytes) {}

    /// False where what the entry says is no parameter of so many bytes.
    bool add(const DebugEntry& parameter, std::size_t index, std::uint64_t bytes) {
        if (parameter.name.empty()) return true;
        index_ = index;
        end_ = bytes;
        const PlainType type = plain(parameter.type);
        if (is_structure(type)) return add_structure(parameter.name, type, 0, found_.parameters);
        found_.parameters.push_back(described(parameter.name, type));
        return true;
    }

    ParameterMembers take() { return std::move(found_); }

private:
    using Members = std::vector<ParameterText>;
    static constexpr int max_depth = 64;  ///< names that stand for one another, structures in one another

    PlainType plain(std::optional<std::uint64_t> at) const {
        PlainType type;
        for (int i = 0; i < max_depth && at; ++i, at = entries_[*at].type) {
            const DebugEntry& entry = entries_[*at];
            type.constant |= entry.tag == Tag::constant;
            if (entry.tag == Tag::constant || entry.tag == Tag::is_volatile || entry.tag == Tag::restricted) continue;
            if (entry.tag == Tag::type_name) {
                if (type.name.empty() || whole_bytes_(entry.name) > 0) type.name = entry.name;
                continue;
            }
            type.entry = &entry;
            type.name = name_of_entry(entry, type.name);
            return type;
        }
        type.name = "void";
        return type;
    }

    /// 'alias' is what the source calls it, if anything.
    std::string name_of_entry(const DebugEntry& entry, const std::string& alias) const {
        if (entry.tag == Tag::number) return number_type(entry);
        if (entry.tag == Tag::function_type) return "void()";
        const bool made_up = entry.name.empty() || entry.name.starts_with("_Z") || entry.name.starts_with("__C");
        const std::string& name = made_up ? alias : entry.name;
        if (!is_structure(entry)) return name;
        for (const std::string& each : {name, alias})
            if (entry.bytes > 0 && whole_bytes_(each) == entry.bytes && is_of_cuda(entry)) return each;
        return whole_bytes_(name) > 0 ? "struct " + name : name;  // one of the file's own that is called float4
    }

    /// CUDA's vectors, halves and tensor maps are known by the name of their first member.
    bool is_of_cuda(const DebugEntry& entry) const {
        for (const std::size_t child : entry.children)
            if (const DebugEntry& member = entries_[child]; member.tag == Tag::member && !member.declared)
                return member.name == "x" || member.name == "__x" || member.name == "opaque";
        return false;
    }

    static bool is_structure(const DebugEntry& entry) {
        return entry.tag == Tag::structure || entry.tag == Tag::class_type || entry.tag == Tag::union_type;
    }
    bool is_structure(const PlainType& type) const {
        return type.entry && is_structure(*type.entry) && whole_bytes_(type.name) == 0;
    }
    static bool is_pointer(const PlainType& type) {
        return type.entry &&
               (type.entry->tag == Tag::pointer || type.entry->tag == Tag::reference || type.entry->tag == Tag::moved);
    }

    std::string name_of(const PlainType& type, int depth = 0) const {
        if (!is_pointer(type) || depth > max_depth) return type.name.empty() ? "struct" : type.name;
        return name_of(plain(type.entry->type), depth + 1) + "*";
    }

    /// A number, a vector or a pointer.
    ParameterText described(const std::string& name, const PlainType& type) const {
        const PlainType to = is_pointer(type) ? plain(type.entry->type) : type;
        return {name, name_of(to), is_pointer(type), is_pointer(type) && to.constant, index_};
    }

    std::uint64_t bytes_of(const PlainType& type) const {
        return is_pointer(type) ? 8 : type.entry ? type.entry->bytes : 0;
    }

    bool fits(std::uint64_t offset, std::uint64_t bytes) const { return offset <= end_ && bytes <= end_ - offset; }

    // These give false for what cannot be: the file may say anything in its asm statements.

    bool add_structure(const std::string& name, const PlainType& type, std::uint64_t offset, Members& to,
                       int depth = 0) {
        if (!fits(offset, type.entry->bytes)) return false;
        found_.structures[name] = name_of(type);
        return add_members(name, *type.entry, offset, to, depth);
    }

    bool add_members(const std::string& name, const DebugEntry& structure, std::uint64_t offset, Members& to,
                     int depth) {
        if (depth > max_depth) return false;
        Members own, inherited;
        for (const std::size_t child : structure.children) {
            if (++looked_at_ > max_looked_at) return false;
            const DebugEntry& member = entries_[child];
            // nvcc has a base class as a member "__b_4Base", and a pointer to virtual functions as "__vptr".
            const bool is_base = member.tag == Tag::inheritance || member.name.starts_with("__b_");
            const bool is_virtual = member.name.starts_with("_vptr") || member.name == "__vptr";
            if ((!is_base && member.tag != Tag::member) || member.declared || member.artificial || is_virtual) continue;
            const PlainType type = plain(member.type);
            const std::uint64_t at = offset + member.offset;
            if (!is_base && !member.name.empty()) {
                if (!add_value(name + "." + member.name, type, at, member, own, depth + 1)) return false;
            } else if (is_structure(type)) {
                // A base's members are the structure's own, and so are those of a structure or union without a name.
                Members members;
                if (!add_members(name, *type.entry, at, members, depth + 1)) return false;
                Members& all = is_base ? inherited : own;
                if (is_base) qualify_hidden(members, structure, name, type.name);
                std::ranges::move(members, std::back_inserter(all));
            }
        }
        std::ranges::move(inherited, std::back_inserter(to));
        std::ranges::move(own, std::back_inserter(to));
        return to.size() <= max_members;
    }

    /// "p.Base.n", where the structure has an "n" of its own.
    void qualify_hidden(Members& members, const DebugEntry& structure, const std::string& name,
                        const std::string& base) const {
        const auto is_own = [&](const std::string& member) {
            return std::ranges::any_of(structure.children, [&](std::size_t child) {
                return entries_[child].tag == Tag::member && !entries_[child].declared &&
                       entries_[child].name == member;
            });
        };
        for (ParameterText& member : members) {
            const std::size_t begin = name.size() + 1, end = member.name.find_first_of(".[", begin);
            if (is_own(member.name.substr(begin, end - begin))) member.name.insert(begin, base + ".");
        }
    }

    bool add_value(const std::string& name, PlainType type, std::uint64_t offset, const DebugEntry& member, Members& to,
                   int depth) {
        if (is_structure(type)) return add_structure(name, type, offset, to, depth);
        std::vector<std::int64_t> shape;
        std::uint64_t elements = 1;
        for (int i = 0; type.entry && type.entry->tag == Tag::array; ++i) {
            if (i > max_depth) return false;
            for (const std::size_t child : type.entry->children) {
                const std::uint64_t count = entries_[child].count.value_or(0);
                if (count > max_members || (elements *= count) > max_members) return false;
                shape.push_back(static_cast<std::int64_t>(count));
            }
            type = plain(type.entry->type);
        }
        const std::uint64_t bytes = bytes_of(type);
        if (!fits(offset, bytes * elements)) return false;
        if (!shape.empty() && (is_structure(type) || is_pointer(type))) {
            std::string& type_text = found_.structures[name] = name_of(type);
            for (const std::int64_t extent : shape) type_text += fmt::format("[{}]", extent);
            for (std::uint64_t i = 0; i < elements; ++i)
                if (++looked_at_ > max_looked_at ||
                    !add_value(name + index_text(shape, i), type, offset + i * bytes, {}, to, depth + 1))
                    return false;
            return true;
        }
        if (elements == 0) return true;
        ParameterText& added = to.emplace_back(described(name, type));
        added.member = MemberPlace{offset, bytes * elements, std::move(shape)};
        return member.bits == 0 || place_bits(*added.member, member, offset);
    }

    static std::string index_text(const std::vector<std::int64_t>& shape, std::uint64_t i) {
        std::string text;
        for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
            text.insert(0, fmt::format("[{}]", i % static_cast<std::uint64_t>(*extent)));
            i /= static_cast<std::uint64_t>(*extent);
        }
        return text;
    }

    bool place_bits(MemberPlace& place, const DebugEntry& member, std::uint64_t offset) {
        if (member.bits > 64) return false;
        const std::uint64_t storage = member.bytes > 0 ? member.bytes : place.bytes;
        const std::uint64_t above = member.bits_above.value_or(0);
        // Counted from the highest bit of what it is stored in, on a machine whose lowest byte is the first.
        const std::uint64_t first = member.bits_before ? 8 * (offset - member.offset) + *member.bits_before
                                                       : 8 * (offset + storage) - above - member.bits;
        place.offset = first / 8;
        place.first_bit = static_cast<unsigned>(first % 8);
        place.bits = static_cast<unsigned>(member.bits);
        place.bytes = (place.first_bit + member.bits + 7) / 8;
        return place.first_bit + member.bits <= 64 && fits(place.offset, place.bytes);
    }

    static constexpr std::size_t max_members = 1 << 15;  ///< more than a kernel's parameters have bytes

    static constexpr std::size_t max_looked_at = 1 << 20;  ///< structures of no bytes may hold one another

    const std::vector<DebugEntry>& entries_;
    const WholeBytes& whole_bytes_;
    ParameterMembers found_;
    std::size_t looked_at_ = 0;  ///< members
    std::size_t index_ = 0;
    std::uint64_t end_ = 0;  ///< bytes of the parameter
};

const DebugEntry* find_kernel(const std::vector<DebugEntry>& entries, const std::string& symbol) {
    const std::string plain = plain_name(symbol);
    const DebugEntry* alike = nullptr;
    for (const DebugEntry& entry : entries) {
        const std::string& name = entry.linkage_name.empty() ? entry.name : entry.linkage_name;
        if (entry.tag != Tag::function || entry.declared) continue;
        if (name == symbol) return &entry;
        // A namespace without a name is called otherwise in each compilation.
        if (!alike && plain_name(name) == plain) alike = &entry;
    }
    return alike;
}

}  // namespace

std::optional<ParameterMembers> parameter_members(std::string_view ptx, const std::string& symbol,
                                                  const std::vector<std::uint64_t>& bytes,
                                                  const WholeBytes& whole_bytes) {
    const std::vector<DebugEntry> entries = read_debug_info(ptx);
    const DebugEntry* kernel = find_kernel(entries, symbol);
    if (!kernel) return std::nullopt;
    MemberFinder finder(entries, whole_bytes);
    std::size_t index = 0;
    for (const std::size_t child : kernel->children) {
        if (entries[child].tag != Tag::parameter) continue;
        if (index == bytes.size() || !finder.add(entries[child], index, bytes[index])) return std::nullopt;
        ++index;
    }
    if (index != bytes.size()) return std::nullopt;
    return finder.take();
}

}  // namespace convscope::ptx
