// Measures in a separate process, so that a lost CUDA context, a crash or a kernel that never ends does not end the
// sweep.
#pragma once

#include <functional>
#include <optional>

#include "kernels/measure/isolated/measuring_process.h"
#include "kernels/measure/isolated/point_measurer.h"

namespace convscope {

/// How long a candidate at work may give no sign of life, in seconds: its set-up, one run and the check of its result
/// have this much time, and so has each sample. A minute and twelve times the timeout; without an end on the simulated
/// GPU, which is slow.
double longest_silence_s(const MeasureOptions&, DeviceKind);

/// The process lives on between points. When a candidate fails at run time there, what runs after it in the same
/// context may fail for no fault of its own: the row says what happened, the process is replaced, and the point's
/// other candidates are measured again among themselves if any of them failed as well. When the process dies, the
/// candidate that was at work is to blame. A candidate that gives no sign of life for too long is ended with its
/// process and is a row 'timeout'. After a stop the process has ten seconds to come to an end by itself.
class IsolatedMeasurer final : public PointMeasurer {
public:
    /// 'registry' outlives it; its devices are only asked for planned records.
    explicit IsolatedMeasurer(Registry& registry, std::vector<std::string> command = own_measuring_command(),
                              std::function<double(const MeasureOptions&, DeviceKind)> silence = longest_silence_s)
        : registry_(registry), command_(std::move(command)), silence_(std::move(silence)) {}

    std::vector<Record> measure(const PointRequest&, const PointSinks&, std::stop_token) override;
    WorkloadSpec settled(const WorkloadSpec&) override;
    /// The next measurement starts a new process.
    void end_process() { process_.reset(); }

private:
    struct Answer;
    Answer ask(const PointRequest&, const PointSinks&, std::stop_token);
    Answer converse(const PointRequest&, const PointSinks&, std::stop_token);
    bool comes_to_life(const PointRequest&, const std::stop_token&, Answer&);
    void hear(const Message&, const PointSinks&, Answer&);
    Record failed_row(const PointRequest&, std::size_t candidate, Status, const std::string& reason) const;

    Registry& registry_;
    const std::vector<std::string> command_;
    const std::function<double(const MeasureOptions&, DeviceKind)> silence_;
    std::optional<MeasuringProcess> process_;
};

}  // namespace convscope
