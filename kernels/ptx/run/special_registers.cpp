#include "kernels/ptx/run/special_registers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "kernels/ptx/run/block_run.h"

namespace convscope::ptx {
namespace {

constexpr std::pair<std::string_view, Special> special_names[] = {{"%tid.x", Special::tid_x},
                                                                  {"%tid.y", Special::tid_y},
                                                                  {"%tid.z", Special::tid_z},
                                                                  {"%ntid.x", Special::ntid_x},
                                                                  {"%ntid.y", Special::ntid_y},
                                                                  {"%ntid.z", Special::ntid_z},
                                                                  {"%ctaid.x", Special::ctaid_x},
                                                                  {"%ctaid.y", Special::ctaid_y},
                                                                  {"%ctaid.z", Special::ctaid_z},
                                                                  {"%nctaid.x", Special::nctaid_x},
                                                                  {"%nctaid.y", Special::nctaid_y},
                                                                  {"%nctaid.z", Special::nctaid_z},
                                                                  {"%laneid", Special::laneid},
                                                                  {"%warpid", Special::warpid},
                                                                  {"%nwarpid", Special::nwarpid},
                                                                  {"%smid", Special::smid},
                                                                  {"%nsmid", Special::nsmid},
                                                                  {"%gridid", Special::gridid},
                                                                  {"%lanemask_eq", Special::lanemask_eq},
                                                                  {"%lanemask_lt", Special::lanemask_lt},
                                                                  {"%lanemask_le", Special::lanemask_le},
                                                                  {"%lanemask_gt", Special::lanemask_gt},
                                                                  {"%lanemask_ge", Special::lanemask_ge},
                                                                  {"%dynamic_smem_size", Special::dynamic_smem_size},
                                                                  {"%total_smem_size", Special::total_smem_size},
                                                                  {"%cluster_ctaid.x", Special::cluster_ctaid_x},
                                                                  {"%cluster_ctaid.y", Special::cluster_ctaid_y},
                                                                  {"%cluster_ctaid.z", Special::cluster_ctaid_z},
                                                                  {"%cluster_nctaid.x", Special::cluster_nctaid_x},
                                                                  {"%cluster_nctaid.y", Special::cluster_nctaid_y},
                                                                  {"%cluster_nctaid.z", Special::cluster_nctaid_z},
                                                                  {"%clusterid.x", Special::clusterid_x},
                                                                  {"%clusterid.y", Special::clusterid_y},
                                                                  {"%clusterid.z", Special::clusterid_z},
                                                                  {"%nclusterid.x", Special::nclusterid_x},
                                                                  {"%nclusterid.y", Special::nclusterid_y},
                                                                  {"%nclusterid.z", Special::nclusterid_z},
                                                                  {"%cluster_ctarank", Special::cluster_ctarank},
                                                                  {"%cluster_nctarank", Special::cluster_nctarank},
                                                                  {"%envreg1", Special::envreg1},
                                                                  {"%envreg2", Special::envreg2}};

}  // namespace

std::optional<Special> special_register(std::string_view name) {
    const auto row = std::ranges::find(special_names, name, &std::pair<std::string_view, Special>::first);
    if (row == std::end(special_names)) return std::nullopt;
    return row->second;
}

std::uint64_t special_value(Special special, BlockRun& block, unsigned thread, unsigned lane) {
    const LaunchRequest& launch = block.launch().request;
    const Program& program = block.program();
    const Dim3 &b = launch.block, &g = launch.grid, &at = block.index(), &c = block.launch().cluster;
    const std::int64_t t = thread;
    // Where cooperative groups have the grid's barrier, the second word there; null where the launch is none.
    const std::uint64_t workspace = block.launch().grid_barrier ? block.launch().grid_barrier - 4 : 0;
    const auto lower = static_cast<std::uint32_t>((std::uint64_t{1} << lane) - 1), self = 1u << lane;
    const std::int64_t values[] = {t % b.x,
                                   t / b.x % b.y,
                                   t / (b.x * b.y),
                                   b.x,
                                   b.y,
                                   b.z,
                                   at.x,
                                   at.y,
                                   at.z,
                                   g.x,
                                   g.y,
                                   g.z,
                                   lane,
                                   thread / lanes,
                                   (b.count() + lanes - 1) / lanes,
                                   0,
                                   1,
                                   0,
                                   self,
                                   lower,
                                   lower | self,
                                   static_cast<std::uint32_t>(~(lower | self)),
                                   static_cast<std::uint32_t>(~lower),
                                   static_cast<std::int64_t>(launch.shared_bytes),
                                   static_cast<std::int64_t>(launch.shared_bytes + program.static_shared_bytes),
                                   at.x % c.x,
                                   at.y % c.y,
                                   at.z % c.z,
                                   c.x,
                                   c.y,
                                   c.z,
                                   at.x / c.x,
                                   at.y / c.y,
                                   at.z / c.z,
                                   g.x / c.x,
                                   g.y / c.y,
                                   g.z / c.z,
                                   block.rank(),
                                   c.count(),
                                   static_cast<std::int64_t>(workspace >> 32),
                                   static_cast<std::int64_t>(workspace & 0xffffffff)};
    static_assert(std::size(values) == static_cast<std::size_t>(Special::envreg2) + 1);
    return static_cast<std::uint64_t>(values[static_cast<std::size_t>(special)]);
}

}  // namespace convscope::ptx
