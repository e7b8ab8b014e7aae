#include "kernels/cuda/stage_timer.h"

namespace convscope {

void CudaStageTimer::mark(const char* stage) {
    if (marks_.empty()) hold_.enqueue(stream());
    marks_.emplace_back(stage, Event());
    marks_.back().second.record(stream());
}

void CudaStageTimer::stop() {
    end_.record(stream());
    hold_.release();
    stopped_ = true;
}

std::vector<std::pair<std::string, double>> CudaStageTimer::times_us() {
    if (!stopped_) stop();
    gpu_.synchronize();
    std::vector<std::pair<std::string, double>> times;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const Event& next = i + 1 < marks_.size() ? marks_[i + 1].second : end_;
        times.emplace_back(marks_[i].first, next.us_since(marks_[i].second));
    }
    marks_.clear();
    stopped_ = false;
    return times;
}

}  // namespace convscope
