// The value of a pixel that several elements of an array share.
#pragma once

namespace convscope {

enum class Aggregate {
    share,    ///< how many of the elements hold something that is not zero
    largest,  ///< the value of largest magnitude
    mean,     ///< of all elements that are there, zeros included
};
constexpr int aggregate_count = 3;

constexpr const char* to_string(Aggregate aggregate) {
    switch (aggregate) {
        case Aggregate::share:
            return "non-zeros";
        case Aggregate::largest:
            return "largest |x|";
        case Aggregate::mean:
            return "mean";
    }
    return "";
}

}  // namespace convscope
