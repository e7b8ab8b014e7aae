// How wcsr1 divides a layer among blocks: what the planner tells the kernels. Plain ints, passed by value.
//
// The positions of a layer are numbered so that one filter's tap reads inputs that lie side by side: row after row of
// 'pitch' positions, image after image of 'image_rows' rows. A row has q outputs and, behind them, as many positions
// as a filter reaches beyond its first column; an image has p rows of outputs and those that a filter reaches below.
// With a stride, each of the stride_h * stride_w phases of the inputs (rows and columns equal modulo the stride)
// is numbered like that by itself. Then an output at position g reads, for every tap, position g + a number that is
// the same for all outputs.
#pragma once

namespace convscope {

constexpr int wcsr_threads = 256;  ///< of a block that multiplies
constexpr int wcsr_warps = wcsr_threads / 32;

struct WcsrTiling {
    int pitch;       ///< positions of a row
    int image_rows;  ///< rows of an image
    int positions;   ///< up to the last output, which all tiles share
    int phases_w, phases;
    int dilation_h, dilation_w;
    int phase_length;    ///< positions that a tile reads of one phase
    int channel_length;  ///< and of all of them
    int channels;        ///< of a chunk, which a block has in shared memory at once
    int chunks;
    int split;  ///< blocks that share the chunks
};

}  // namespace convscope
