// ZeroBoxes as a kernel's parameter: plain ints, passed by value.
#pragma once

namespace convscope {

struct BoxAxis {
    int count, size, step, first;
    int length;  ///< of x along this axis
};

struct BoxSizes {
    BoxAxis n, c, h, w;
};

}  // namespace convscope
