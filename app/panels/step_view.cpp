#include "app/panels/step_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/method_choice.h"
#include "app/widgets.h"
#include "kernels/simt/kernel_sources.h"

namespace convscope::app {

void StepView::draw(Frame& frame, const ViewStyle& style) {
    choosers(frame);
    const Session& session = frame.session;
    const Method* method = traceable_.registry().find(stepped_method(session, traceable_.registry()), DeviceKind::sim);
    if (!method) {
        note(session.choices.method + " has no kernel in source to step through; choose a method above.");
        return;
    }
    const ResolvedLaunch resolved =
        method->resolve(session.good.shape, launch_of(session, method->info().id), traceable_.device().info().model);
    if (!resolved.support) {
        problem(resolved.support.reason);
        return;
    }
    const simt::KernelPlace place = simt::place_of_kernel(resolved.kernels[resolved.main].kernel);
    if (!place.source) return;
    source_.show(place.source->text);
    SourceMarks marks;
    marks.caller = place.line;
    source_.draw("source", ImGui::GetContentRegionAvail(), marks, style);
}

void StepView::choosers(Frame& frame) {
    std::vector<std::string> ids;
    for (const Method* method : traceable_.registry().methods(DeviceKind::sim)) ids.push_back(method->info().id);
    const int picked = choice("step/method", stepped_method(frame.session, traceable_.registry()), ids, px(120));
    tip("The method whose kernel is stepped through");
    if (picked >= 0) choose_method(frame.session, ids[static_cast<std::size_t>(picked)]);
}

void StepView::inspect(Frame& frame) {
    heading("KERNEL");
    const Method* method =
        traceable_.registry().find(stepped_method(frame.session, traceable_.registry()), DeviceKind::sim);
    if (!method) return;
    const MethodInfo& info = method->info();
    paragraph(fmt::format("{}: {}", info.id, info.title), look().theme->text.u32());
    if (!info.paper.empty()) note(fmt::format("{}, {}", info.paper, info.follows));
}

}  // namespace convscope::app
