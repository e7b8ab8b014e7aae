// Measures in a process of its own, so that what ruins a process (a lost CUDA context, a crash) ends no sweep.
#pragma once

#include <optional>

#include "app/sweep/measuring_process.h"
#include "app/sweep/point_measurer.h"

namespace convscope {

/// The process lives on between points. When a candidate fails at run time there, what runs after it in the same
/// context may fail for no fault of its own: the row says what happened, the process is replaced, and the point's
/// other candidates are measured again among themselves if any of them failed as well. When the process dies, the
/// candidate that was at work is to blame.
class IsolatedMeasurer final : public PointMeasurer {
public:
    /// 'registry' outlives it; no device of it is used, only asked for what is planned.
    explicit IsolatedMeasurer(Registry& registry, std::vector<std::string> command = own_measuring_command())
        : registry_(registry), command_(std::move(command)) {}

    std::vector<Record> measure(const PointRequest&, const PointSinks&, std::stop_token) override;
    WorkloadSpec settled(const WorkloadSpec&) override;

private:
    struct Answer;
    Answer ask(const PointRequest&, const PointSinks&, std::stop_token);
    Answer converse(const PointRequest&, const PointSinks&, std::stop_token);
    void hear(const Message&, const PointSinks&, Answer&);
    Record failed_row(const PointRequest&, std::size_t candidate, const std::string& reason) const;

    Registry& registry_;
    const std::vector<std::string> command_;
    std::optional<MeasuringProcess> process_;
};

}  // namespace convscope
