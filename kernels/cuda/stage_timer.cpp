#include "kernels/cuda/stage_timer.h"

#include <algorithm>

namespace convscope {

void CudaStageTimer::mark(const char* stage) {
    Event event;
    if (!capture_) {
        capture_.emplace(clock_.stream());
        clock_.enqueue_lead();
    }
    event.record_node(clock_.stream());
    marks_.emplace_back(stage, std::move(event));
}

void CudaStageTimer::stop() {
    if (!capture_) return;
    end_.record_node(clock_.stream());
    graph_ = capture_->finish();
    capture_.reset();
    graph_->launch();
}

std::vector<std::pair<std::string, double>> CudaStageTimer::times_us() {
    stop();
    clock_.synchronize();
    std::vector<std::pair<std::string, double>> times;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const Event& next = i + 1 < marks_.size() ? marks_[i + 1].second : end_;
        times.emplace_back(marks_[i].first, std::max(0.0, next.us_since(marks_[i].second) - boundary_us_));
    }
    marks_.clear();
    return times;
}

}  // namespace convscope
