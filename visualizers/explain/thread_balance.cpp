#include "visualizers/explain/thread_balance.h"

#include <algorithm>

#include "visualizers/explain/link_set.h"

namespace convscope {
namespace {

template <class Of>
std::int64_t sum_over(const std::vector<WarpBalance>& warps, Of of) {
    std::int64_t sum = 0;
    for (const WarpBalance& warp : warps) sum += of(warp);
    return sum;
}

}  // namespace

std::int64_t BlockBalance::lane_steps() const {
    return sum_over(warps, [](const WarpBalance& warp) { return warp.lane_steps(); });
}

std::int64_t BlockBalance::waiting() const {
    return sum_over(warps, [](const WarpBalance& warp) { return warp.waiting(); });
}

std::int64_t BlockBalance::empty() const {
    return sum_over(warps, [](const WarpBalance& warp) { return warp.empty(); });
}

std::int64_t block_rows(Format format, const ConvShape& s) {
    return format == Format::pecr ? s.out_h() : s.p();
}

BlockBalance balance_of(Format format, const MapValues& map_values, std::int64_t block, const ThreadMap& map) {
    const ConvShape& s = map_values.shape();
    const bool pooled = format == Format::pecr;
    const std::int64_t places = pooled ? s.out_w() : s.q(), threads = threads_of(format, s, map);
    BlockBalance balance;
    balance.products.resize(static_cast<std::size_t>(threads));
    for (std::int64_t place = 0; place < places; ++place)
        balance.products[static_cast<std::size_t>(place % threads)] +=
            pooled ? slots_before(map_values, block, place, s.pool_h * s.pool_w) : map_values.needed(block, place);
    for (std::int64_t first = 0; first < threads; first += 32) {
        WarpBalance warp;
        for (std::int64_t t = first; t < std::min(threads, first + 32); ++t, ++warp.threads) {
            const std::int64_t products = balance.products[static_cast<std::size_t>(t)];
            warp.busiest = std::max(warp.busiest, products);
            warp.products += products;
        }
        balance.warps.push_back(warp);
    }
    return balance;
}

}  // namespace convscope
