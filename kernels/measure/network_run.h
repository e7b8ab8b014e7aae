// Measures a network layer by layer: each layer's candidates are verified and sampled in turn.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/layers/network.h"
#include "kernels/measure/measure.h"

namespace convscope {

struct NetworkPlan {
    Network network;                   ///< its layers' specs as they are to run: batch, sparsity, pattern and seed
    std::vector<std::string> methods;  ///< ids, compared on every layer
    MeasureOptions options;
    /// A layer's input is the reference's output of the layer before it, after ReLU and pooling, and weights are drawn
    /// again for each layer (make_chained_workload): sparsity arises by itself. The first layer's input is its spec's.
    bool chain = false;
};

/// One layer as it is to be measured.
struct LayerRequest {
    WorkloadSpec spec;
    const Tensor* chained_x = nullptr;  ///< its input, in a chain; null: as the spec says
    std::vector<Candidate> candidates;
    MeasureOptions options;
};

/// Returns the methods that are compared when the user names none: OCPA, the methods it is meant to
/// beat (im2col, csr), and the vendor's best.
std::vector<std::string> network_methods(const Registry&, DeviceKind);

class NetworkRun {
public:
    using Phase = std::function<void(const std::string&)>;  ///< told what is done besides measuring; may be empty
    /// Measures a layer; throws OutOfMemory where the host cannot hold it.
    using Measurer =
        std::function<std::vector<Record>(const LayerRequest&, const MeasureSinks&, const Phase&, std::stop_token)>;

    /// Measures in this process unless there is a measurer. Throws Error(usage) for a chain of layers that do not
    /// chain. Registry and device outlive it.
    NetworkRun(Registry&, Device&, NetworkPlan, Measurer = {});

    const NetworkPlan& plan() const { return plan_; }
    std::size_t layers() const { return plan_.network.layers.size(); }

    /// A layer's rows as far as they are known before it is measured, for finding them among earlier ones. In a chain
    /// that computes the layers before it. Throws OutOfMemory where the host cannot.
    std::vector<Record> planned(std::size_t layer, const Phase& = {});

    /// Measures one layer and hands its rows to sinks.record. Layers are best taken in order: a chain computes what it
    /// lacks. A layer that the host has no memory for gives rows that say so; nothing is thrown for it.
    std::vector<Record> measure(std::size_t layer, const MeasureSinks&, const Phase&, std::stop_token);

private:
    const WorkloadSpec& spec(std::size_t layer) const { return plan_.network.layers[layer].spec; }
    std::vector<Record> rows_for(const WorkloadSpec&) const;
    const Workload& workload(std::size_t layer, const Phase&);
    const ReferenceResult& reference(std::size_t layer, const Phase&);
    Tensor chained_input(std::size_t layer, const Phase&);

    Registry& registry_;
    Device& device_;
    const NetworkPlan plan_;
    const Measurer measurer_;
    // The latest layer that was used.
    std::size_t at_ = 0;
    std::optional<Workload> workload_;
    std::optional<ReferenceResult> reference_;
};

}  // namespace convscope
