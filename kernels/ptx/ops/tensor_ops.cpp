// cp.async.bulk.tensor: PTX ISA, 'Tensor copy', tiled mode. A box of a tensor and its bytes in shared memory, row by
// row, the innermost dimension first; what of the box is outside of the tensor comes as zeros, and is not written back.
#include <cstring>

#include "kernels/ptx/ops/bulk_copy.h"
#include "kernels/ptx/run/async_access.h"
#include "kernels/ptx/run/cluster_run.h"
#include "kernels/ptx/run/decode.h"
#include "kernels/ptx/run/tensor_map.h"

namespace convscope::ptx {
namespace {

constexpr unsigned box_alignment = 128;

void report_tensor(Warp& warp, const Op& op, unsigned lane, FindingKind kind, const char* what) {
    warp.block().report({.kind = kind,
                         .found = warp.block().location(warp, lane, op.line),
                         .element = {},
                         .what = what,
                         .other = {},
                         .other_action = {}});
}

/// Program::operands at op.extra_operands: the map's address, the mbarrier's (or nothing), the mask of blocks, the
/// coordinates.
enum : std::size_t {
    map_address = 0,
    told_address = address_operands,
    copies_mask = 2 * address_operands,
    coordinates = copies_mask + 1
};

/// Calls visit(byte in the box, address in the tensor, bytes) for each row, as far as it is inside of the tensor.
template <class Visit>
void each_row(const TensorMap& map, const std::int64_t* first, const Visit& visit) {
    const std::uint32_t row_bytes = map.box[0] * map.element_bytes, rows = map.box_bytes() / row_bytes;
    const std::int64_t begin = std::max<std::int64_t>(first[0], 0),
                       end = std::min<std::int64_t>(first[0] + map.box[0], map.sizes[0]);
    if (begin >= end) return;
    for (std::uint32_t row = 0; row < rows; ++row) {
        std::int64_t element = begin, stride = map.sizes[0], rest = row;
        bool inside = true;
        for (std::uint32_t i = 1; i < map.dims; ++i) {
            const std::int64_t at = first[i] + rest % map.box[i] * map.element_strides[i];
            inside &= at >= 0 && at < map.sizes[i];
            element += at * stride;
            stride *= map.sizes[i];
            rest /= map.box[i];
        }
        if (!inside) continue;
        const auto skipped = static_cast<std::uint32_t>(begin - first[0]) * map.element_bytes;
        visit(row * row_bytes + skipped, map.address + static_cast<std::uint64_t>(element) * map.element_bytes,
              static_cast<std::uint32_t>(end - begin) * map.element_bytes);
    }
}

/// A map of op.elements dimensions.
std::optional<TensorMap> map_at(Warp& warp, const Op& op, unsigned lane, std::uint64_t address) {
    const Located in = warp.block().locate(address, warp.thread(lane));
    TensorMap map;
    const std::uint64_t offset = address - in.begin;
    if (in.array && offset < in.array->bytes && in.array->bytes - offset >= sizeof map)
        std::memcpy(&map, in.array->data + offset, sizeof map);
    if (map.is_valid() && map.dims == op.elements) return map;
    report_tensor(
        warp, op, lane, FindingKind::out_of_bounds,
        map.is_valid() ? "copies of a tensor that has other dimensions" : "copies, and there is no tensor map");
    return std::nullopt;
}

/// Calls visit(lane, map, first element of the box, address in shared memory) for the active lanes.
template <class Visit>
void each_box(Warp& warp, const Op& op, const Visit& visit) {
    std::uint64_t boxes[lanes], maps[lanes];
    addresses_of(warp, op, boxes);
    const std::uint32_t* operands = &warp.program().operands[op.extra_operands];
    addresses_at(warp, operands + map_address, maps);
    const std::uint32_t here = warp.mask;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if (!(here >> lane & 1)) continue;
        const std::optional<TensorMap> map = map_at(warp, op, lane, maps[lane]);
        if (!map) continue;
        std::int64_t first[max_tensor_dims];
        for (unsigned i = 0; i < op.elements; ++i)
            first[i] = warp.values<std::int32_t>(operands[coordinates + i])[lane];
        const bool aligned = boxes[lane] % box_alignment == 0;
        if (!aligned)
            report_tensor(warp, op, lane, FindingKind::misaligned,
                          "copies a box whose place in shared memory is not a multiple of 128");
        visit(lane, *map, first, boxes[lane], aligned);
    }
}

void load_box(Warp& warp, const Op& op) {
    const std::uint32_t* operands = &warp.program().operands[op.extra_operands];
    std::uint64_t told[lanes];
    addresses_at(warp, operands + told_address, told);
    each_box(
        warp, op, [&](unsigned lane, const TensorMap& map, const std::int64_t* first, std::uint64_t to, bool aligned) {
            std::vector<std::byte> content(map.box_bytes());
            if (aligned)
                each_row(map, first, [&](std::uint32_t at, std::uint64_t from, std::uint32_t bytes) {
                    const std::byte* source = AsyncAccess(warp, op, bytes, AccessKind::read).reach(lane, from);
                    for (std::uint32_t i = 0; source && i < bytes; i += map.element_bytes)
                        std::memcpy(content.data() + (map.swizzled(to + at + i) - to), source + i, map.element_bytes);
                });
            const std::uint32_t mask =
                operands[copies_mask] == no_reg ? 0 : warp.values<std::uint16_t>(operands[copies_mask])[lane];
            start_bulk_copy(warp, op, lane, aligned, to, told[lane], mask, content);
        });
}

void store_box(Warp& warp, const Op& op) {
    each_box(warp, op,
             [&](unsigned lane, const TensorMap& map, const std::int64_t* first, std::uint64_t from, bool aligned) {
                 if (!aligned) return;
                 const std::byte* source = AsyncAccess(warp, op, map.box_bytes(), AccessKind::read).reach(lane, from);
                 each_row(map, first, [&](std::uint32_t at, std::uint64_t to, std::uint32_t bytes) {
                     std::byte* target = AsyncAccess(warp, op, bytes, AccessKind::write).reach(lane, to);
                     for (std::uint32_t i = 0; source && target && i < bytes; i += map.element_bytes)
                         std::memcpy(target + i, source + (map.swizzled(from + at + i) - from), map.element_bytes);
                 });
                 note_bulk_read(warp, op, lane);
             });
}

}  // namespace

bool decode_tensor(Decoder& decoder, InstructionDecoder& instr, Op& op) {
    const int dims = instr.take_one({"1d", "2d", "3d", "4d", "5d"});
    instr.ignore({"tile", "L2::cache_hint"});
    const bool many = instr.take("multicast::cluster"), stores = instr.take("bulk_group");
    const bool tells = instr.take("mbarrier::complete_tx::bytes");
    if (dims < 0 || stores == tells || !instr.take("global") || instr.operands() < (stores ? 2u : many ? 4u : 3u))
        return false;
    op.space = take_memory_space(instr);
    if (op.space != Space::shared) return false;
    op.elements = static_cast<std::uint8_t>(dims + 1);
    const Operand& tensor = instr.operand(stores ? 0 : 1);
    if (tensor.parts.size() != 2 || tensor.parts[1].parts.size() != op.elements) return false;
    Operand map = tensor;
    map.parts.pop_back();
    std::vector<std::uint32_t> operands;
    add_address(decoder, map, Space::generic, operands);
    if (stores)
        operands.insert(operands.end(), address_operands, no_reg);
    else
        add_address(decoder, instr.operand(2), Space::shared, operands);
    operands.push_back(many ? decoder.source(instr.operand(3), Type::b16) : no_reg);
    for (const Operand& coordinate : tensor.parts[1].parts) operands.push_back(decoder.source(coordinate, Type::s32));
    decoder.take_address(instr.operand(stores ? 1 : 0), op);
    op.extra_operands = decoder.add_operands(operands);
    op.kind = stores ? Kind::store : Kind::load;
    op.run = stores ? store_box : load_box;
    return true;
}

}  // namespace convscope::ptx
