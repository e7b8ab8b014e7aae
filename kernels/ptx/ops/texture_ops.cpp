// tex, tld4, suld.b and sust.b: PTX ISA, 'Texture Instructions' and 'Surface Instructions', with objects whose handles
// are in registers. Without mipmaps every level is the one that there is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/half.h"
#include "kernels/ptx/run/lane_access.h"
#include "kernels/ptx/run/texture.h"

namespace convscope::ptx {
namespace {

using Coordinates = std::array<std::int64_t, 3>;  // of an element

struct Texel {
    std::array<std::uint32_t, 4> channels{};  ///< as a kernel gets them
    unsigned undefined = 0;                   ///< those that nobody has written, a bit each
};

/// The object of a lane's handle; null, and a finding, where the handle is invalid.
const Texture* object_of(Warp& warp, const Op& op, unsigned lane, bool surface) {
    const std::uint64_t handle = warp.values<std::uint64_t>(op.a)[lane];
    BlockRun& block = warp.block();
    if (const auto* const textures = block.launch().request.textures) {
        const auto found = textures->find(handle);
        if (found != textures->end() && found->second.is_surface == surface) return &found->second;
    }
    block.report({.kind = FindingKind::out_of_bounds,
                  .found = block.location(warp, lane, op.line),
                  .element = {},
                  .what = fmt::format("{} {:#x}, which is no {} object, or no longer", surface ? "uses" : "reads",
                                      handle, surface ? "surface" : "texture"),
                  .other = {},
                  .other_action = {}});
    return nullptr;
}

void report_dimensions(Warp& warp, const Op& op, unsigned lane, const char* what, const Texture& object) {
    warp.block().report({.kind = FindingKind::out_of_bounds,
                         .found = warp.block().location(warp, lane, op.line),
                         .element = {},
                         .what = fmt::format("{} a {} of {} dimensions by {} coordinates", what,
                                             object.is_surface ? "surface" : "texture", object.dimensions, op.elements),
                         .other = {},
                         .other_action = {}});
}

/// Where an element along an axis is read; none: it is the border's.
std::optional<std::int64_t> element_inside(std::int64_t i, std::int64_t size, Texture::Address outside) {
    if (i >= 0 && i < size) return i;
    switch (outside) {
        case Texture::Address::wrap:
            return ((i % size) + size) % size;
        case Texture::Address::mirror: {
            const std::int64_t at = ((i % (2 * size)) + 2 * size) % (2 * size);
            return at < size ? at : 2 * size - 1 - at;
        }
        case Texture::Address::border:
            return std::nullopt;
        default:
            return std::clamp<std::int64_t>(i, 0, size - 1);
    }
}

/// Coordinates of a kernel may be anything, NaN too.
std::int64_t whole_coordinate(float floored) {
    constexpr float limit = 1e15f;
    return std::isnan(floored) ? 0 : static_cast<std::int64_t>(std::clamp(floored, -limit, limit));
}

/// A channel in memory, as a kernel gets it.
std::uint32_t channel_of(const Texture& texture, const std::byte* from) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, from, texture.channel_bytes);
    const unsigned width = 8 * texture.channel_bytes;
    if (texture.format == Texture::Format::real)
        return width == 16 ? std::bit_cast<std::uint32_t>(float_of_f16(static_cast<std::uint16_t>(bits))) : bits;
    const bool is_signed = texture.format == Texture::Format::signed_integer;
    const std::int64_t value =
        is_signed ? static_cast<std::int32_t>(bits << (32 - width)) >> (32 - width) : static_cast<std::int64_t>(bits);
    if (!texture.unit_reads) return static_cast<std::uint32_t>(value);
    const auto most = static_cast<float>((std::int64_t{1} << (is_signed ? width - 1 : width)) - 1);
    return std::bit_cast<std::uint32_t>(std::max(static_cast<float>(value) / most, -1.f));
}

/// Reads elements of a texture for one instruction.
class TexelReader {
public:
    TexelReader(Warp& warp, const Op& op) : warp_(warp), op_(op) {}

    /// With what lies outside according to the texture.
    Texel read(const Texture& texture, unsigned lane, const Coordinates& at) {
        Coordinates in{};
        for (unsigned axis = 0; axis < texture.dimensions; ++axis) {
            const auto place = element_inside(at[axis], texture.size[axis], texture.outside[axis]);
            if (!place) return border_of(texture);
            in[axis] = *place;
        }
        const std::uint64_t address = texture.address + texture.plane_bytes * static_cast<std::uint64_t>(in[2]) +
                                      texture.row_bytes * static_cast<std::uint64_t>(in[1]) +
                                      texture.element_bytes() * static_cast<std::uint64_t>(in[0]);
        const bool real = texture.format == Texture::Format::real || texture.unit_reads;
        Texel texel{{0, 0, 0, real ? std::bit_cast<std::uint32_t>(1.f) : 1}};
        LaneAccess access(warp_, op_, texture.element_bytes(), AccessKind::read);
        access.follow_unwritten();
        const std::byte* const memory = access.reach(lane, address);
        if (!memory) return texel;
        for (unsigned i = 0; i < texture.channels; ++i)
            texel.channels[i] = channel_of(texture, memory + i * texture.channel_bytes);
        if (const std::uint32_t bytes = access.unwritten(lane)) [[unlikely]] {
            unwritten_ = address + static_cast<unsigned>(std::countr_zero(bytes));
            for (unsigned i = 0; i < texture.channels; ++i)
                if (bytes >> i * texture.channel_bytes & ((1u << texture.channel_bytes) - 1))
                    texel.undefined |= 1u << i;
        }
        return texel;
    }

    /// The latest texel's first byte that nobody has written.
    std::uint64_t unwritten() const { return unwritten_; }

private:
    /// The border's bits are those of the elements, whole numbers, too.
    static Texel border_of(const Texture& texture) {
        Texel texel;
        std::ranges::transform(texture.border, texel.channels.begin(),
                               [](float each) { return std::bit_cast<std::uint32_t>(each); });
        return texel;
    }

    Warp& warp_;
    const Op& op_;
    std::uint64_t unwritten_ = 0;
};

/// Along an axis the two neighbours of a place, and the weight of the second: a number of 9 bits, 8 behind the point.
struct Neighbours {
    std::int64_t first;
    float weight;
};
Neighbours neighbours_of(float place) {
    const float from_centre = place - 0.5f, below = std::floor(from_centre);
    const float weight = std::floor((from_centre - below) * 256 + 0.5f) / 256;
    return {whole_coordinate(below), std::isnan(weight) ? 0 : weight};
}

Texel sampled(TexelReader& reader, const Texture& texture, unsigned lane, const std::array<float, 3>& places) {
    if (!texture.linear) {
        Coordinates at{};
        for (unsigned axis = 0; axis < texture.dimensions; ++axis)
            at[axis] = whole_coordinate(std::floor(places[axis]));
        return reader.read(texture, lane, at);
    }
    Neighbours along[3]{};
    for (unsigned axis = 0; axis < texture.dimensions; ++axis) along[axis] = neighbours_of(places[axis]);
    Texel result;
    std::array<float, 4> sum{};
    for (unsigned corner = 0; corner < 1u << texture.dimensions; ++corner) {
        float weight = 1;
        Coordinates at{};
        for (unsigned axis = 0; axis < texture.dimensions; ++axis) {
            const bool second = corner >> axis & 1;
            weight *= second ? along[axis].weight : 1 - along[axis].weight;
            at[axis] = along[axis].first + second;
        }
        if (weight == 0) continue;  // what is not seen counts for nothing, an infinity neither
        const Texel texel = reader.read(texture, lane, at);
        for (unsigned i = 0; i < 4; ++i) sum[i] += weight * std::bit_cast<float>(texel.channels[i]);
        result.undefined |= texel.undefined;
    }
    for (unsigned i = 0; i < 4; ++i) result.channels[i] = std::bit_cast<std::uint32_t>(sum[i]);
    return result;
}

/// One channel of the four elements around a place, in the order of a texture gather.
Texel gathered(TexelReader& reader, const Texture& texture, unsigned lane, const std::array<float, 3>& places,
               unsigned channel) {
    const std::int64_t x = neighbours_of(places[0]).first, y = neighbours_of(places[1]).first;
    const Coordinates around[] = {{x, y + 1, 0}, {x + 1, y + 1, 0}, {x + 1, y, 0}, {x, y, 0}};
    Texel result;
    for (unsigned i = 0; i < 4; ++i) {
        const Texel texel = reader.read(texture, lane, around[i]);
        result.channels[i] = texel.channels[channel];
        result.undefined |= (texel.undefined >> channel & 1) << i;
    }
    return result;
}

enum class Boundary : std::uint8_t { trap, clamp, zero };
constexpr std::uint8_t no_gather = 4;

/// op.a: handles. Program::operands: four registers of the result, the coordinates. op.elements: dimensions. op.bits:
/// coordinates are whole numbers. op.variant: the channel of a gather.
void read_texture(Warp& warp, const Op& op) {
    const std::uint32_t *to = &warp.program().operands[op.extra_operands], *from = to + 4;
    TexelReader reader(warp, op);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        const Texture* const texture = object_of(warp, op, lane, false);
        Texel texel;
        if (texture && texture->dimensions != op.elements) {
            report_dimensions(warp, op, lane, "reads", *texture);
        } else if (texture && op.bits) {
            const std::int64_t at = warp.values<std::int32_t>(from[0])[lane];
            if (at >= 0 && at < texture->size[0]) texel = reader.read(*texture, lane, {at, 0, 0});
        } else if (texture) {
            std::array<float, 3> places{};
            for (unsigned axis = 0; axis < op.elements; ++axis) {
                places[axis] = warp.values<float>(from[axis])[lane];
                if (texture->unit_coordinates) places[axis] *= static_cast<float>(texture->size[axis]);
            }
            texel = op.variant == no_gather ? sampled(reader, *texture, lane, places)
                                            : gathered(reader, *texture, lane, places, op.variant);
        }
        for (unsigned i = 0; i < 4; ++i) warp.values<std::uint32_t>(to[i])[lane] = texel.channels[i];
        if (texel.undefined == 0) continue;
        std::uint32_t bytes = 0;
        for (unsigned i = 0; i < 4; ++i) bytes |= (texel.undefined >> i & 1) * 15u << 4 * i;
        const auto before = static_cast<unsigned>(std::countr_zero(bytes));
        warp.note_undefined(op, lane, reader.unwritten() - before, bytes, {to, 4}, 4);
    }
}

/// Where a surface's bytes at these coordinates are; x counts bytes. None: they are outside of it.
std::optional<std::uint64_t> place_in(const Texture& surface, Coordinates at, unsigned bytes, Boundary boundary) {
    const Coordinates limits{surface.size[0] * surface.element_bytes() - bytes, surface.size[1] - 1,
                             surface.size[2] - 1};
    for (unsigned axis = 0; axis < 3; ++axis) {
        if (boundary == Boundary::clamp) at[axis] = std::clamp<std::int64_t>(at[axis], 0, limits[axis]);
        if (at[axis] < 0 || at[axis] > limits[axis]) return std::nullopt;
    }
    return surface.address + surface.plane_bytes * static_cast<std::uint64_t>(at[2]) +
           surface.row_bytes * static_cast<std::uint64_t>(at[1]) + static_cast<std::uint64_t>(at[0]);
}

/// op.a: handles. Program::operands: how many values, their registers' bytes, the registers, the coordinates; op.bytes:
/// a value's. op.elements: dimensions. op.variant: what happens outside.
template <AccessKind Kind>
void access_surface(Warp& warp, const Op& op) {
    const std::uint32_t* const operands = &warp.program().operands[op.extra_operands];
    const std::uint32_t count = operands[0], register_bytes = operands[1];
    const std::uint32_t *registers = operands + 2, *from = registers + count;
    const unsigned bytes = count * op.bytes;
    const auto boundary = static_cast<Boundary>(op.variant);
    LaneAccess access(warp, op, bytes, Kind);
    if (Kind == AccessKind::read) access.follow_unwritten();
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(warp.mask >> lane & 1)) continue;
        std::byte content[16] = {};
        std::optional<std::uint64_t> address;
        const auto value = [&](std::uint32_t i) {
            return warp.values<std::byte>(registers[i]) + std::size_t{register_bytes} * lane;
        };
        for (std::uint32_t i = 0; i < count && Kind == AccessKind::write; ++i)
            std::memcpy(content + i * op.bytes, value(i), op.bytes);
        const Texture* const surface = object_of(warp, op, lane, true);
        if (surface && surface->dimensions != op.elements) {
            report_dimensions(warp, op, lane, verb(Kind), *surface);
        } else if (surface) {
            Coordinates at{};
            for (unsigned axis = 0; axis < op.elements; ++axis) at[axis] = warp.values<std::int32_t>(from[axis])[lane];
            address = place_in(*surface, at, bytes, boundary);
            if (!address && boundary == Boundary::trap)
                warp.block().report(
                    {.kind = FindingKind::out_of_bounds,
                     .found = warp.block().location(warp, lane, op.line),
                     .element = {},
                     .what =
                         fmt::format("{} a surface of {} x {} x {} elements of {} bytes at byte {} of row {}, plane {}",
                                     verb(Kind), surface->size[0], surface->size[1], surface->size[2],
                                     surface->element_bytes(), at[0], at[1], at[2]),
                     .other = {},
                     .other_action = {}});
            std::byte* const memory = address ? access.reach(lane, *address) : nullptr;
            if (memory && Kind == AccessKind::read) std::memcpy(content, memory, bytes);
            if (memory && Kind == AccessKind::write) std::memcpy(memory, content, bytes);
        }
        for (std::uint32_t i = 0; i < count && Kind == AccessKind::read; ++i) {
            std::memset(value(i), 0, register_bytes);
            std::memcpy(value(i), content + i * op.bytes, op.bytes);
        }
        if (const std::uint32_t unwritten = access.unwritten(lane)) [[unlikely]]
            warp.note_undefined(op, lane, *address, unwritten, {registers, count}, op.bytes);
    }
}

/// [handle, {coordinates}]
bool take_place(Decoder& decoder, const Operand& operand, Type type, Op& op, std::vector<std::uint32_t>& operands) {
    if (operand.kind != Operand::Kind::address || operand.parts.size() != 2) return false;
    decoder.note_textures();
    if (operand.parts[0].kind != Operand::Kind::reg)
        decoder.fail("texture references are not supported; texture objects are");
    op.a = decoder.source(operand.parts[0], Type::b64);
    const std::vector<Operand>& coordinates = operand.parts[1].parts;
    if (coordinates.size() < op.elements) return false;
    for (unsigned axis = 0; axis < op.elements; ++axis) operands.push_back(decoder.source(coordinates[axis], type));
    return true;
}

bool take_dimensions(InstructionDecoder& instr, Op& op) {
    const int which = instr.take_one({"1d", "2d", "3d"});
    op.elements = static_cast<std::uint8_t>(which + 1);
    return which >= 0;
}

bool decode_tex(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    op.kind = Kind::load;
    op.bytes = 4;
    op.variant = no_gather;
    const bool gathers = instr.instruction.opcode == "tld4";
    if (gathers) {
        const int channel = instr.take_one({"r", "g", "b", "a"});
        if (channel < 0) return false;
        op.variant = static_cast<std::uint8_t>(channel);
    }
    const int level = instr.take_one({"level", "grad"});
    if (!take_dimensions(instr, op) || !instr.take("v4") || (gathers && op.elements != 2)) return false;
    const Type result = instr.take_type(), coordinate = instr.take_type();
    const std::size_t operands = level < 0 ? 2 : level == 0 ? 3 : 4;
    if (bytes_of(result) != 4 || (coordinate != Type::f32 && coordinate != Type::s32)) return false;
    if (instr.operands() != operands || instr.operand(0).parts.size() != 4) return false;
    op.bits = coordinate == Type::s32;
    if (op.bits && op.elements != 1) return false;
    std::vector<std::uint32_t> registers;
    for (const Operand& part : instr.operand(0).parts) registers.push_back(decoder.result(part, Type::b32));
    if (!take_place(decoder, instr.operand(1), Type::b32, op, registers)) return false;
    op.extra_operands = decoder.add_operands(registers);
    op.run = read_texture;
    return true;
}

bool decode_surface(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const bool stores = instr.instruction.opcode == "sust";
    op.kind = stores ? Kind::store : Kind::load;
    if (!instr.take("b") || !take_dimensions(instr, op)) return false;
    const unsigned count = instr.take("v2") ? 2 : instr.take("v4") ? 4 : 1;
    const Type type = instr.take_type();
    const int boundary = instr.take_one({"trap", "clamp", "zero"});
    if (boundary < 0 || type == Type::none || instr.operands() != 2) return false;
    op.variant = static_cast<std::uint8_t>(boundary);
    op.bytes = static_cast<std::uint8_t>(bytes_of(type));
    const Operand& values = instr.operand(stores ? 1 : 0);
    const std::vector<Operand> parts =
        values.kind == Operand::Kind::vector ? values.parts : std::vector<Operand>{values};
    if (parts.size() != count || count * op.bytes > 16) return false;
    const Type in_register = op.bytes == 1 ? Type::b16 : type;
    std::vector<std::uint32_t> operands{count, bytes_of(in_register)};
    for (const Operand& part : parts)
        operands.push_back(stores ? decoder.source(part, in_register) : decoder.result(part, in_register));
    if (!take_place(decoder, instr.operand(stores ? 0 : 1), Type::b32, op, operands)) return false;
    op.extra_operands = decoder.add_operands(operands);
    op.run = stores ? access_surface<AccessKind::write> : access_surface<AccessKind::read>;
    return true;
}

constexpr OpcodeRow rows_of_textures[] = {
    {"tex", decode_tex}, {"tld4", decode_tex}, {"suld", decode_surface}, {"sust", decode_surface}};

}  // namespace

std::span<const OpcodeRow> texture_opcodes() {
    return rows_of_textures;
}

}  // namespace convscope::ptx
