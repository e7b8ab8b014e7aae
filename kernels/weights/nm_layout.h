// nm1's weights as mma.sp takes them: PTX ISA, 'mma.sp', m16n8k32 of FP16. Plain C++, for the kernel that makes them
// and for the host.
//
// A tile is the weights of 16 filters for 64 channels of one tap: two steps of 32 channels. Of each four channels of a
// filter two are stored. With lane = 4 group + place, a lane's eight values of a step are those of its place's four
// channels of filter group, of filter group + 8, then both again for the four channels 16 further on. The dense twin
// stores all of a step in two halves of 16 channels, as mma m16n8k16 takes them.
#pragma once

namespace convscope {

constexpr int nm_filters = 16, nm_channels = 64;  ///< of a tile
constexpr int nm_step = 32;                       ///< channels of a sparse product
constexpr int nm_block_bytes = 512;               ///< 16 bytes for each of a warp's lanes: what one product takes
constexpr int nm_metadata_bytes = 128;            ///< 4 for each lane

/// Bytes of a tile: blocks of products, then the metadata where it is sparse.
constexpr int nm_tile_bytes(bool sparse) {
    return sparse ? 2 * nm_block_bytes + nm_metadata_bytes : 4 * nm_block_bytes;
}

/// The two stored columns of a group of four, ascending: those of its non-zeros; if it has fewer than two, columns of
/// zeros fill up.
struct NmPair {
    int first, second;
};
template <class Weight>
constexpr NmPair nm_pair(const Weight& weight, int filter, int channel) {
    int first = -1, second = -1;
    for (int i = 0; i < 4; ++i) {
        if (weight(filter, channel + i) == 0.0f) continue;
        if (first < 0)
            first = i;
        else if (second < 0)
            second = i;
    }
    if (first < 0) return {0, 1};
    if (second >= 0) return {first, second};
    return first < 3 ? NmPair{first, first + 1} : NmPair{2, 3};
}

/// Where a lane's value i of eight lies in the tile: of a sparse step, or of a dense half step ('block').
struct NmPlace {
    int filter, channel;
};
template <class Weight>
constexpr NmPlace nm_sparse_place(const Weight& weight, int block, int lane, int i) {
    const int filter = lane / 4 + i / 2 % 2 * 8, channel = block * nm_step + lane % 4 * 4 + i / 4 * 16;
    const NmPair pair = nm_pair(weight, filter, channel);
    return {filter, channel + (i % 2 == 0 ? pair.first : pair.second)};
}
constexpr NmPlace nm_dense_place(int block, int lane, int i) {
    return {lane / 4 + i / 2 % 2 * 8, block * 16 + lane % 4 * 2 + i % 2 + i / 4 * 8};
}

/// A lane's word of a tile's metadata: four bits for each four of 16 channels, of filter group, then of group + 8. The
/// lanes of places 0 and 1 have the first step's (sparsity selector 0), those of 2 and 3 the second's (selector 1).
template <class Weight>
constexpr unsigned nm_metadata(const Weight& weight, int lane) {
    unsigned word = 0;
    for (int row = 0; row < 2; ++row)
        for (int four = 0; four < 4; ++four) {
            const NmPair pair = nm_pair(weight, lane / 4 + 8 * row, lane % 4 * 16 + 4 * four);
            word |= static_cast<unsigned>(pair.first | pair.second << 2) << (16 * row + 4 * four);
        }
    return word;
}

}  // namespace convscope
