// The model that the session names, as a network with the data of a run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/layers/network.h"

namespace convscope::app {

struct OpenModel {
    std::shared_ptr<const Network> network;  ///< null: it has not run, or cannot
    std::vector<double> weight_zeros;        ///< share of zeros in w of each layer, 0..1
    bool running = false;
    std::string state;  ///< how far it is, or why there is no network; a sentence
};

}  // namespace convscope::app
