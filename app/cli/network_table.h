// A network's rows as a table for people, line by line as the layers are measured.
#pragma once

#include <string>
#include <vector>

#include "kernels/measure/network_run.h"
#include "kernels/measure/network_summary.h"
#include "kernels/method/registry.h"

namespace convscope::cli {

class NetworkTable {
public:
    /// All outlive it. The widths of the columns are known before anything is measured.
    NetworkTable(const Registry&, const Device&, const NetworkPlan&);

    /// Describes the run: network, device, the source of its zeros, and the line of column names.
    std::string heading() const;
    /// "conv1_1  3x224x224 * 64x3x3 ...": the layer's times and speed-ups. 'rows' are in the methods' order.
    std::string line(std::size_t layer, const std::vector<Record>& rows) const;
    /// The sums, each over the layers that its method ran, the comparison with the vendor in words, and the reasons of
    /// rows without a time. Of the simulated GPU, counts in place of
    /// times. 'layers' are those that were measured.
    std::string totals(const std::vector<LayerRows>& layers) const;

private:
    std::string cell(const Record&, const std::vector<Record>& layer) const;
    std::string time_sums(const std::vector<MethodTotal>&) const;
    std::string count_sums(const std::vector<LayerRows>&) const;
    std::size_t name_width() const;
    std::size_t shape_width() const;
    std::size_t method_width(const std::string& method) const;
    bool repeats() const;

    const Registry& registry_;
    const Device& device_;
    const NetworkPlan& plan_;
};

}  // namespace convscope::cli
