// How an array that a kernel touches is drawn: a flat run of elements as the rows and columns that it means. No ImGui,
// no OpenGL.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/core/launch.h"
#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"
#include "kernels/simt/executor.h"

namespace convscope {

/// The meaning of an array's row, which decides its label.
enum class RowMeaning {
    plain,
    thread,  ///< of the block: a segment of F_data, an entry of Ptr
    strip    ///< of MEC's L: an output column (Cho & Brand 2017, Fig. 2: windows A, B, ...)
};

/// Planes of rows x cols elements, one plane drawn at a time: the maps of x, the filters of w.
struct ArrayShape {
    std::int64_t planes = 1, rows = 1, cols = 1;
    std::int64_t channels = 1;     ///< planes of one image; with 'interleaved' adjacent in memory
    bool interleaved = false;      ///< NHWC: index = ((image rows + row) cols + col) channels + channel
    std::int64_t most = 0;         ///< elements; the last row may be shorter
    bool indexed_by_cell = false;  ///< elements are named by row and column: x[1,3]; else by their place: F_data[5]
    RowMeaning rows_are = RowMeaning::plain;
    std::string meaning;  ///< "5 × 5", "by thread": stands under the array's name

    struct Place {
        std::int64_t plane = 0, row = 0, col = 0;
        bool operator==(const Place&) const = default;
    };
    Place place(std::int64_t index) const;
    /// -1 where there is no element.
    std::int64_t index(const Place&) const;
};

/// The facts about an array besides its name.
struct ArrayFacts {
    std::string name;  ///< as the kernel calls it
    simt::Space space = simt::Space::global;
    std::int64_t elements = 0;
};

/// The arrays of our kernels have their own shapes: x, w and y as maps, MEC's L and the im2col matrix as the paper
/// draws them, segments of F_data, K_data, Data and Index one for each thread, staged tiles as tiles. Whatever else
/// there is stands in rows of 32 elements, which in shared memory are the 32 banks.
ArrayShape array_shape(const ArrayFacts&, const ConvShape&, Layout, const KernelLaunch&);

/// "x[1,3]", "F_data[5]", "x[0,7,1,3]" where there are several maps: (n, c, h, w), (k, c, r, s).
std::string element_name(const ArrayFacts&, const ArrayShape&, std::int64_t index);

}  // namespace convscope
