#include "kernels/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "kernels/core/error.h"
#include "kernels/core/format_units.h"

namespace convscope {

const char* to_string(Layout layout) {
    switch (layout) {
        case Layout::nchw:
            return "nchw";
        case Layout::nhwc:
            return "nhwc";
        case Layout::blocked:
            return "blocked";
    }
    return "?";
}

Tensor::Tensor(std::int64_t n_, std::int64_t c_, std::int64_t h_, std::int64_t w_, Layout layout_)
    : n(n_), c(c_), h(h_), w(w_), layout(layout_) {
    try {
        data.resize(static_cast<std::size_t>(elements()));
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(fmt::format("the host has no {} for a {}x{}x{}x{} tensor",
                                      format_bytes(4.0 * static_cast<double>(elements())), n, c, h, w));
    }
}

double share_of_zeros(const Tensor& tensor) {
    const std::int64_t zeros = std::ranges::count(tensor.data, 0.0F);
    return static_cast<double>(zeros) / static_cast<double>(tensor.elements());
}

Tensor to_layout(const Tensor& from, Layout layout) {
    if (layout == Layout::blocked) throw std::logic_error("to_layout: a blocked format belongs to a vendor's library");
    if (from.layout == layout) return from;
    Tensor to(from.n, from.c, from.h, from.w, layout);
    for (std::int64_t in = 0; in < from.n; ++in)
        for (std::int64_t ic = 0; ic < from.c; ++ic)
            for (std::int64_t ih = 0; ih < from.h; ++ih)
                for (std::int64_t iw = 0; iw < from.w; ++iw) to.at(in, ic, ih, iw) = from.at(in, ic, ih, iw);
    return to;
}

}  // namespace convscope
