// Live timing: the measuring worker, the gate that keeps frames out of its samples, and the export of its rows.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/session/jobs/sample_gate.h"
#include "app/session/session.h"
#include "kernels/measure/worker.h"

namespace convscope::app {

class Live {
public:
    explicit Live(Registry&);

    /// Starts measuring the ticked methods, or says in the session why it cannot.
    void start(Session&);
    /// Starts measuring the chosen network, layer by layer, or says in the session why it cannot. Ends what runs.
    void start_network(Session&);
    void stop();
    /// Shows these results of the present choices as if they had been measured, until the next start: pictures that
    /// are the same on every machine.
    void show_frozen(const Session&, LiveSnapshot);
    /// Once a frame: takes the newest results, and starts again when the choices that are measured have changed.
    void update(Session&);

    bool wanted() const { return wanted_; }  ///< started, and not stopped since
    /// A network is being measured, or about to be.
    bool network_wanted() const { return network_wanted_; }
    bool running() const;  ///< a sample may be under way
    const LiveSnapshot& snapshot() const { return *snapshot_; }
    /// False when the choices have changed since the results were taken: they belong to something else then.
    bool current(const Session&) const;
    /// Whether the results, if there are any, are of a layer of this shape, whatever its data.
    bool measured(const ConvShape& shape) const { return measured_.workload.shape == shape; }
    /// Latest record of a method in this measurement; null when it has none yet.
    const Record* latest(const std::string& method) const;
    SampleGate& gate() { return gate_; }
    /// Frames that were drawn inside a sample of this measurement, because it took longer than a frame can wait.
    std::uint64_t disturbed() const;

private:
    void start(Session&, const std::string& changed);

    Registry& registry_;
    SampleGate gate_;  ///< outlives the worker, which uses it
    MeasureWorker worker_;
    std::shared_ptr<const LiveSnapshot> snapshot_, frozen_;
    Choices measured_;                  ///< the choices of the running measurement
    std::vector<std::string> methods_;  ///< and its methods
    std::uint64_t disturbed_before_ = 0;
    bool wanted_ = false, network_wanted_ = false;
};

}  // namespace convscope::app
