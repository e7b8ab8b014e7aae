// The smallest and the largest of some values, which their colours are scaled to.
#pragma once

namespace convscope {

struct ValueRange {
    float low = 0, high = 1;
    bool operator==(const ValueRange&) const = default;
};

}  // namespace convscope
