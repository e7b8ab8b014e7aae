#include "app/ui/shell/launch_panel.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/lessons/hideable.h"
#include "app/session/method_choice.h"
#include "app/ui/input/item_registry.h"
#include "app/ui/shell/plan_quantities.h"
#include "app/ui/widgets/format.h"
#include "app/ui/widgets/widgets.h"
#include "kernels/core/device_model.h"

namespace convscope::app {
namespace {

/// Three fields for x, y and z. Shows what the method chose where nothing is set; an edit sets all three.
bool dim_row(const char* name, const char* item_name, std::optional<Dim3>& wanted, const Dim3& resolved, bool free,
             const std::array<bool, 3>& rejected, const char* meaning) {
    ImGui::AlignTextToFramePadding();
    {
        WithFont font(look().fonts->small);
        ImGui::TextDisabled("%s", name);
    }
    ImGui::SameLine(px(72));
    const float width = (ImGui::GetContentRegionAvail().x - px(8)) / 3;
    Dim3 dim = wanted.value_or(resolved);
    bool changed = false;
    std::int64_t* parts[3] = {&dim.x, &dim.y, &dim.z};
    constexpr const char* axes[3] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
        if (i > 0) ImGui::SameLine(0, px(4));
        const std::string id = fmt::format("{}_{}", item_name, axes[i]);
        NumberField field{id.c_str(), axes[i], meaning, 1, 1 << 20, rejected[static_cast<std::size_t>(i)],
                          free,       12,      true};
        changed = number_field(field, *parts[i], width) || changed;
    }
    if (changed) wanted = dim;
    return changed;
}

/// A list for each tunable; the paper's symbols are short, and up to three of them share a row.
bool tunable_rows(const std::vector<Tunable>& tunables, LaunchConfig& config) {
    const bool brief = tunables.size() <= 3 && std::all_of(tunables.begin(), tunables.end(),
                                                           [](const Tunable& each) { return each.name.size() <= 2; });
    const float left = ImGui::GetCursorPosX();
    const float width = brief ? ImGui::GetContentRegionAvail().x / static_cast<float>(tunables.size()) : 0;
    ImFont* const small = look().fonts->small;
    float values_at = px(112);
    for (const Tunable& each : tunables)
        values_at =
            std::max(values_at, left + small->CalcTextSizeA(small->FontSize, 1e9F, 0, each.name.c_str()).x + px(8));
    bool changed = false;
    for (std::size_t i = 0; i < tunables.size(); ++i) {
        const Tunable& tunable = tunables[i];
        const float start = left + width * static_cast<float>(i);
        if (brief && i > 0) ImGui::SameLine();
        ImGui::SetCursorPosX(start);
        ImGui::AlignTextToFramePadding();
        {
            WithFont font(small);
            ImGui::TextDisabled("%s", tunable.name.c_str());
        }
        ImGui::SameLine();
        ImGui::SetCursorPosX(brief ? start + px(20) : values_at);
        std::vector<std::string> values;
        for (std::int64_t value : tunable.values) values.push_back(std::to_string(value));
        auto set = config.tunables.find(tunable.name);
        const std::string present = std::to_string(set == config.tunables.end() ? tunable.default_value : set->second);
        const std::string id = "launch/" + tunable.name;
        if (int picked = choice(id.c_str(), present, values, brief ? width - px(28) : -1); picked >= 0) {
            config.tunables[tunable.name] = tunable.values[static_cast<std::size_t>(picked)];
            changed = true;
        }
        tip(tunable.meaning);
    }
    return changed;
}

/// A method that cannot run the layer is rejected, with its reason.
void pick(Frame& frame, const std::string& id) {
    const Method* method = frame.registry.find(id, device_kind(frame.session, frame.registry));
    const Support support = method ? method->supports(frame.session.good.shape) : Support{};
    if (support)
        choose_method(frame.session, id);
    else
        notify(frame.session, support.reason, true);
}

}  // namespace

void LaunchPanel::draw(Frame& frame) {
    heading("LAUNCH");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(4)});
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(8), px(2)});
    device_and_method(frame);
    const Session& session = frame.session;
    if (const Method* method = launched_method(session, frame.registry)) {
        const ResolvedLaunch resolved =
            shown_launch(session, frame.registry, *method, launch_model(session, frame.registry));
        configuration(frame, *method, resolved);
        if (resolved.support && !std::exchange(rejection_, {}).empty()) ImGui::SetScrollY(0);
        if (resolved.support)
            good_ = {method->info().id, resolved};
        else
            reject(resolved.support.reason);
        // The numbers of the last launch that can be stay, dimmed, while one that cannot is typed.
        if (session.lesson.hides(lessons::cards_word)) {
            note("The launch's numbers are hidden in this step.");
        } else if (good_.method == method->info().id && !good_.launch.kernels.empty()) {
            ImGui::BeginDisabled(!resolved.support);
            kernels(good_.launch);
            occupancy_of(frame, good_.launch);
            ImGui::EndDisabled();
        }
        // Planned for the GPU that the occupancy is computed for, which need not be there.
        if (!session.lesson.hides(lessons::cards_word))
            plan_quantities(
                shown_launch(session, frame.registry, *method, occupancy_model(session, frame.registry)).quantities);
    }
    ImGui::PopStyleVar(2);
}

/// Where the panel is higher than the window, it goes to a new reason.
void LaunchPanel::reject(const std::string& reason) {
    problem(reason);
    register_rect("launch/rejection");
    if (rejection_ != reason) ImGui::SetScrollHereY(1);
    rejection_ = reason;
}

void LaunchPanel::device_and_method(Frame& frame) {
    Session& session = frame.session;
    std::vector<std::string> ids, not_here;
    for (const DeviceInfo* info : frame.registry.devices()) {
        ids.push_back(info->id);
        not_here.push_back(info->available ? "" : info->reason);
    }
    const float width = ImGui::GetContentRegionAvail().x;
    if (int picked = choice("launch/device", session.choices.device, ids, width * 0.36F, &not_here); picked >= 0) {
        const std::string& reason = not_here[static_cast<std::size_t>(picked)];
        if (reason.empty())
            choose_device(session, frame.registry, ids[static_cast<std::size_t>(picked)]);
        else
            notify(session, reason, true);
    }
    tip("The device that runs and is measured");
    ImGui::SameLine(0, px(8));
    std::vector<std::string> method_ids{"automatic"};
    std::vector<std::string> why_not{""};  // by entry; empty: it runs
    for (const Method* method : frame.registry.methods(device_kind(session, frame.registry))) {
        method_ids.push_back(method->info().id);
        const Support support = method->supports(session.good.shape);
        why_not.push_back(support ? "" : support.reason);
    }
    const Method* const launched = launched_method(session, frame.registry);
    if (int picked = choice("launch/method", launched ? launched->info().id : "", method_ids,
                            ImGui::GetContentRegionAvail().x, &why_not);
        picked >= 0)
        pick(frame, picked == 0 ? std::string() : method_ids[static_cast<std::size_t>(picked)]);
    tip("The method that block, grid and tunables below are for; it follows the view until one is chosen here");
}

void LaunchPanel::configuration(Frame& frame, const Method& method, const ResolvedLaunch& resolved) {
    const MethodInfo& info = method.info();
    note(info.paper.empty() ? info.title : fmt::format("{}: {}, {}", info.title, info.paper, info.follows));
    const LaunchSpace space = method.launch_space(frame.session.good.shape);
    LaunchConfig config = launch_of(frame.session, info.id);
    bool changed = false;
    const bool has_kernels = resolved.main < resolved.kernels.size();
    const KernelLaunch shown = has_kernels ? resolved.kernels[resolved.main] : KernelLaunch{};
    // Where neither can be set, the list of kernels below says them.
    const bool free = space.block_free || space.grid_free;
    const auto rejected = [&](std::optional<Dim3> LaunchConfig::*dims) {
        return rejected_dims(frame.session, frame.registry, method, dims, launch_model(frame.session, frame.registry));
    };
    if (space.block_free || (free && has_kernels))
        changed |= dim_row("block", "launch/block", config.block, shown.block, space.block_free,
                           rejected(&LaunchConfig::block),
                           "Threads of one block along this axis; the product is limited by the device");
    if (space.grid_free || (free && has_kernels))
        changed |=
            dim_row("grid", "launch/grid", config.grid, shown.grid, space.grid_free, rejected(&LaunchConfig::grid),
                    space.grid_free ? "Blocks along this axis" : "Follows from the block and the shape");
    changed |= tunable_rows(space.tunables, config);
    if ((config.block || config.grid) && device_kind(frame.session, frame.registry) == DeviceKind::cpu) {
        note("Measured on the CPU, which has no blocks; Layout and Step show this one.");
        register_rect("launch/of the drawing");
    }
    if (!(config == LaunchConfig{})) {
        if (button("launch/reset", "Method's own choice")) {
            config = {};
            changed = true;
        }
        tip("Block, grid and tunables as the method chooses them for this layer");
    }
    if (changed) frame.session.choices.launch[info.id] = config;
}

void LaunchPanel::kernels(const ResolvedLaunch& resolved) {
    for (const KernelLaunch& kernel : resolved.kernels) {
        WithFont font(look().fonts->mono_small);
        ImGui::TextUnformatted(kernel.kernel.c_str());
        tip(fmt::format("{}: stage {}, grid {}, block {}, {} of shared memory{}", kernel.kernel, kernel.stage,
                        to_string(kernel.grid), to_string(kernel.block),
                        bytes(static_cast<double>(kernel.shared_bytes)),
                        kernel.registers > 0 ? fmt::format(", {} registers per thread", kernel.registers) : ""));
        const std::string dims = to_string(kernel.grid) + " / " + to_string(kernel.block);
        const float right = ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(dims.c_str()).x;
        ImGui::SameLine();
        if (ImGui::GetCursorPosX() > right) ImGui::NewLine();
        ImGui::SetCursorPosX(right);
        ImGui::TextDisabled("%s", dims.c_str());
        tip("Grid / block");
    }
}

void LaunchPanel::occupancy_of(Frame& frame, const ResolvedLaunch& resolved) {
    Session& session = frame.session;
    const DeviceModel& model = occupancy_model(session, frame.registry);
    const KernelLaunch& kernel = resolved.kernels[resolved.main];
    std::vector<std::string> names;
    const DeviceModel& own = launch_model(session, frame.registry);
    names.push_back(own.name);
    for (const DeviceModel& each : device_models())
        if (each.name != own.name) names.push_back(each.name);

    ImGui::AlignTextToFramePadding();
    {
        WithFont font(look().fonts->small);
        ImGui::TextDisabled("occupancy");
    }
    ImGui::SameLine(px(88));
    if (int picked = choice("launch/model", model.name, names, -1); picked >= 0)
        session.choices.occupancy_model = picked == 0 ? "" : names[static_cast<std::size_t>(picked)];
    tip("The GPU whose limits the occupancy is computed with");

    if (Support support = fits(model, kernel); !support) {
        problem(support.reason);
        return;
    }
    const Occupancy occupancy = convscope::occupancy(model, kernel);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, px(4)};
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, look().theme->raised.u32(), px(2));
    const float filled = size.x * static_cast<float>(occupancy.percent / 100);
    draw.AddRectFilled(at, {at.x + filled, at.y + size.y}, look().theme->text_dim.u32(), px(2));
    ImGui::Dummy(size);
    note(fmt::format("{:.0f} %: {} of {} warps. {}", occupancy.percent, occupancy.active_warps, occupancy.max_warps,
                     occupancy.sentence));
}

}  // namespace convscope::app
