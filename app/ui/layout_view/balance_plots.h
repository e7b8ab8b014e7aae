// The plots of the Balance page: products per thread, lanes that wait, and the zeros of maps and of their im2col
// matrices (Xu 2019, Fig. 2). Data only: no ImGui.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/layers/network.h"
#include "visualizers/explain/lead.h"
#include "visualizers/explain/thread_balance.h"
#include "visualizers/plots/plot.h"

namespace convscope::app {

/// Bars of the threads of a block row, in the colours of their warps, below the line that each warp has to wait for.
Plot products_plot(const BlockBalance&, std::int64_t block);
/// Share of lane-steps that wait, and of those of lanes without a thread, by block row.
Plot idle_plot(Format, const MapValues&, const ThreadMap&);
/// "B1: lanes wait in 33 % of their steps, for the busiest thread of their warp".
Lead lead_of_balance(const BlockBalance&, std::int64_t block);
/// "up to 4 products a thread, 3.33 on average; in 91 % of their steps lanes have no thread"; empty where there are
/// none.
std::string describe_products(const BlockBalance&);

/// Zeros of one map, and of what im2col makes of it: places that windows cover often count often, and so does padding.
struct ZeroShares {
    std::string name;
    double map = 0, im2col = 0;  ///< shares, 0..1
};
/// The zeros of each channel of an image, in their order; null when stopped.
std::vector<ZeroShares> zeros_by_channel(const Workload&, std::int64_t image, const std::stop_token& = {});
/// The zeros of each layer of a network, as its presets set them.
std::vector<ZeroShares> zeros_by_layer(const Network&, const std::stop_token& = {});
/// The sources of the layers' zeros: "AlexNet, zeros by layer: 2 printed in a paper, 2 on a ramp of ours, 1 of an
/// image".
std::string describe_zeros(const Network&);
Plot zeros_plot(const std::vector<ZeroShares>&, const std::string& x_name, const std::string& subtitle);

}  // namespace convscope::app
