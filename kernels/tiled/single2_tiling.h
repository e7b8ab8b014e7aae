// How tiled-single2 divides a layer, as the kernel takes it.
#pragma once

namespace convscope {

struct Single2Tiling {
    int quads;    ///< groups of four outputs in a row of y, the cut ones at its ends included
    int rows;     ///< rows of threads: those of y, or about half as many where a thread has two
    int step;     ///< rows of y between a thread's two
    int filters;  ///< of a thread, one after the other
    int pitch;    ///< floats between two filters' weights
    bool
        aligned;  ///< a plane of y has a multiple of four elements: quads start at such multiples, not at a row's start
    bool stream;  ///< y does not fit the cache
};

}  // namespace convscope
