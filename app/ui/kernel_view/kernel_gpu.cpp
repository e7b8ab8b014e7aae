// The kernel on a real GPU, where there is one: its time, and cuDNN's.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/ui/kernel_view/kernel_view.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"

namespace convscope::app {
namespace {

const DeviceInfo* first_gpu(const Registry& registry) {
    const std::vector<const DeviceInfo*> all = registry.devices();
    const auto found =
        std::ranges::find_if(all, [](const auto* info) { return info->kind == DeviceKind::cuda && info->available; });
    return found == all.end() ? nullptr : *found;
}

std::string noise_text(std::optional<double> noise_pct) {
    return noise_pct ? fmt::format("The median; its 95 % interval is {:.2g} % to either side", *noise_pct)
                     : "The median; too few samples for an interval";
}

}  // namespace

void KernelView::gpu_section(Frame& frame) {
    const DeviceInfo* gpu = first_gpu(frame.registry);
    if (!gpu || !requested_ || !requested_->call.method.empty()) return;  // a method is timed in Live and Sweep
    heading("ON THE GPU");
    if (gpu_job_.busy()) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("compiling, checking and timing, %.1f s", gpu_job_.busy_seconds());
        ImGui::SameLine(0, px(12));
        if (button("kernel/gpu stop", "Stop")) gpu_job_.cancel("stopped");
        return;
    }
    // An illegal access costs every program that draws with the GPU its picture (docs/measurements/h100-faults.md).
    const bool wrong = check_->result && !check_->result->findings.empty();
    if (button("kernel/gpu", ("Time it on " + gpu->name).c_str(), false, !wrong && !job_.busy())) {
        gpu_job_.forget();
        gpu_stopped_.clear();
        gpu_job_.request({*requested_, gpu->id});
    }
    tip(wrong ? "Its accesses are wrong; on a GPU they could end this window's picture, too"
              : "In a process of its own, with cuDNN where it computes the layer");
    if (std::string error = gpu_job_.take_error(); !error.empty()) gpu_stopped_ = std::move(error);
    const std::shared_ptr<GpuRunResult> made = gpu_job_.latest();
    if (!gpu_stopped_.empty()) note(gpu_stopped_);
    if (!made || made->request.kernel.call.file != requested_->call.file) return;
    if (!(made->request.kernel == *requested_)) note("What stands below is of the kernel as it was before.");
    gpu_results(frame.session, *made);
}

void KernelView::gpu_results(Session& session, const GpuRunResult& made) {
    if (!made.failure.empty()) return problem(made.failure + ".");
    if (!made.difference.empty()) problem("Wrong on the GPU: " + made.difference + ".");
    fact("registers", fmt::format("{}", made.run.registers), "Of each thread, as the driver compiled it");
    if (made.run.local_bytes > 0)
        fact("local memory", fmt::format("{} bytes", made.run.local_bytes),
             "Of each thread: arrays, and registers that did not fit");
    if (made.times) fact("time", duration(made.times->median_us), noise_text(made.times->noise_pct()).c_str());
    for (const Record& row : made.records) {
        if (row.status != Status::passed) {
            problem(row.method + ": " + row.status_reason + ".");
            continue;
        }
        const std::optional<double> own_us = made.records.front().time_median_us;
        const bool own = &row == &made.records.front();
        fact(row.method.c_str(),
             duration(*row.time_median_us) +
                 (own || !own_us ? "" : fmt::format(", {:.2f} of the time above", *row.time_median_us / *own_us)),
             noise_text(row.noise_pct).c_str());
    }
    if (made.records.empty()) return;
    if (button("kernel/compare", "Compare")) {
        session.records = {RecordSource::Kind::this_run, "", {}};
        session.view = "compare";
    }
    tip("These rows with all others that this run has measured, in the Compare view");
}

}  // namespace convscope::app
