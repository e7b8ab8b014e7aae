// The plan's values that the kernel of tiled-multi takes.
#pragma once

namespace convscope {

constexpr int multi_warps = 8;  ///< of a block; each works on its share of the filters for all pixels

/// The most elements of one line in shared memory: each lane fetches that of a warp's share ahead, in registers.
constexpr int multi_line_elements = 192;

/// Floats between the weights of a tap and the next in shared memory, beyond M': eight taps of four filters, which a
/// warp stores at a time, then lie in 32 different banks.
constexpr int multi_weights_padding = 4;

/// A block's W'_x pixels are 'rows' x 'columns' output pixels: part of one row, or whole rows of a narrow map.
struct MultiTiling {
    int taps = 0;  ///< S / 4: weights of a segment, 8 or 16
    int rows = 0, columns = 0;
    int row_pitch = 0;  ///< floats between the tile's rows in a line: adjacent pixels of two rows lie in adjacent banks
    int tiles_x = 0;    ///< tiles side by side in an output row
    int lines = 0;      ///< W'_y: new lines of the map that a segment needs at most
    int ring = 0;       ///< lines in shared memory: those in use, and those fetched for the next segment
    int pixels_per_thread = 0;   ///< W'_x / 32
    int filters_per_thread = 0;  ///< M' / 8
};

}  // namespace convscope
