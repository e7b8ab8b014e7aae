#include "app/ui/lessons_view/lesson_drive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/session/method_choice.h"
#include "app/ui/step_view/step_view.h"
#include "app/user_kernel/exercise.h"
#include "kernels/core/error.h"
#include "kernels/layers/preset.h"

namespace convscope::app {
namespace {

constexpr const char* cache_column = "cache_mode";

/// Nobody waits longer for a measurement to settle.
constexpr double max_wait_s = 30;

/// The cache mode that a lesson speaks of: in the Compare view the plots', where they were told to hold one.
std::string shown_cache(const Session& session) {
    if (session.view != "compare") return to_string(session.choices.cache);
    const auto held = session.compare.fixed.find(cache_column);
    return held == session.compare.fixed.end() ? "" : held->second;
}

template <const auto& table>
void set_word(OneOf<table>& value, const std::optional<std::string>& word) {
    if (word) value = OneOf<table>::find(*word).value_or(value);
}

void choose_kind(Frame& frame, DeviceKind kind) {
    Session& session = frame.session;
    if (kind == device_kind(session, frame.registry)) return;
    if (const DeviceInfo* info = frame.registry.usable_device(kind))
        return choose_device(session, frame.registry, info->id);
    const std::string sentence = fmt::format(
        "This step is about a device of the kind '{}', which this machine does not have; it goes on with {}.",
        to_string(kind), session.choices.device);
    // The way to a step may pass several that ask for it.
    if (session.notices.empty() || session.notices.back().text != sentence) notify(session, sentence, true);
}

/// A layer opens with an element pinned for those who look around; in a lesson it might give a task's answer away.
void open_unpinned(Session& session, const WorkloadSpec& spec) {
    set_workload(session, spec);
    session.pinned = {};
}

void show_workload(Frame& frame, const lessons::Show& show) {
    Session& session = frame.session;
    try {
        const WorkloadSpec spec = lessons::shown_workload(show, session.good);
        if (spec != session.good) open_unpinned(session, spec);
        // Each step begins with the first map, unless it names another.
        session.choices.selection = {};
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

void show_map(Session& session, const lessons::Show& show, bool own_layer) {
    try {
        session.choices.selection = {
            lessons::shown_map(show, session.good.shape, session.choices.selection, own_layer)};
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

void show_launch(Frame& frame, const lessons::Show& show) {
    Session& session = frame.session;
    if (show.method && *show.method != session.choices.method) choose_method(session, *show.method);
    if (show.companion && *show.companion != session.step.companion) compare_steps_with(session, *show.companion);
    const std::string id =
        !session.choices.method.empty() ? session.choices.method : shown_method(session, frame.registry);
    if (show.block) session.choices.launch[id].block = show.block;
    if (show.grid) session.choices.launch[id].grid = show.grid;
    for (const auto& [name, value] : show.tunables) session.choices.launch[id].tunables[name] = value;
    if (show.model) session.choices.occupancy_model = *show.model;
    StepSide& side = session.step.sides[0];
    if (show.kernel && *show.kernel != side.kernel) {
        side = {};
        side.kernel = *show.kernel;
    }
    if (show.at) side.block = *show.at;
    if (show.thread) side.thread = static_cast<unsigned>(*show.thread);
    if (show.moment) side.done = static_cast<std::size_t>(*show.moment);
    if (show.at || show.moment || show.method) session.plays_steps = false;
}

/// A file that was begun before is opened as it is.
void show_kernel(Session& session, const lessons::Show& show) {
    if (!show.exercise && !show.solution) return;
    try {
        const bool solved = show.solution.has_value();
        open_kernel_file(session, own_exercise(solved ? *show.solution : *show.exercise, solved).string());
        session.exercise_solved = false;
    } catch (const Error& error) {
        notify(session, error.what(), true);
    }
}

void show_compare(Session& session, const lessons::Show& show) {
    if (show.recorded) {
        if (session.records.name != *show.recorded) session.compare = {};
        session.records = {RecordSource::Kind::recorded, *show.recorded, {}};
    }
    set_word(session.compare.page, show.page);
    if (show.layer) session.compare.layer = *show.layer;
    // In the Compare view scope and cache are those that are shown, not those to measure in.
    if (show.scope && session.view == "compare") session.compare.scope = to_string(*show.scope);
    if (show.cache && session.view == "compare") session.compare.fixed[cache_column] = to_string(*show.cache);
}

void measure(Frame& frame, const lessons::Show& show) {
    Session& session = frame.session;
    if (show.methods) {
        std::vector<std::string> ids;
        const DeviceKind kind = device_kind(session, frame.registry);
        for (const std::string& id : *show.methods)
            if (const Method* method =
                    id == "vendor" ? frame.registry.vendor_best(kind) : frame.registry.find(id, kind))
                ids.push_back(method->info().id);
        session.choices.live_methods = std::move(ids);
    }
    if (show.run && !*show.run) frame.live.stop();
    if (show.run && *show.run && !frame.live.wanted()) frame.live.start(session);
}

}  // namespace

void carry_out(Frame& frame, const lessons::Show& show, bool own_layer) {
    Session& session = frame.session;
    set_word(session.view, show.view);
    set_word(session.tab, show.tab);
    if (show.device) choose_kind(frame, *show.device);
    if (show.changes_workload() && !own_layer) show_workload(frame, show);
    show_launch(frame, show);
    if (show.image || show.channel || show.filter) show_map(session, show, own_layer);
    if (show.scope) session.choices.scope = *show.scope;
    if (show.cache) session.choices.cache = *show.cache;
    if (show.network) session.network.name = *show.network;
    if (show.format) session.pages.formats = {session.pages.formats.of, *show.format, {}, false};
    if (show.matrix) session.pages.formats.of = *show.matrix;
    show_kernel(session, show);
    show_compare(session, show);
    measure(frame, show);
}

void begin_again(Frame& frame, const SessionState& own, bool own_layer) {
    Session& session = frame.session;
    SessionState first = state_of(make_session(frame.registry));
    first.choices.device = own.choices.device;
    if (own_layer) {
        first.choices.workload = own.choices.workload;
        first.choices.selection = own.choices.selection;
    }
    first.pinned = {};
    first.step.speed = session.step.speed;
    first.sweep = own.sweep;
    first.kernel = session.kernel;  // an exercise that is open stays so
    put_state(session, first);
    session.line.at.reset();
    session.requested.clear_rows = true;
    ++session.lesson.begun;
}

bool pin(Session& session, const lessons::Pointed& element) {
    for (std::size_t i = 0; i < array_count; ++i) {
        const auto array = static_cast<ArrayId>(i);
        if (element.array != to_string(array)) continue;
        pinned(session) = ElementRef{array, {element.row, element.col}};
        return true;
    }
    return false;
}

void SeenRecords::update(const Frame& frame) {
    const Session& session = frame.session;
    if (workload_ != session.good || device_ != session.choices.device || cache_ != session.choices.cache) {
        records_.clear();
        workload_ = session.good;
        device_ = session.choices.device;
        cache_ = session.choices.cache;
    }
    const std::vector<std::string> measured_on = live_methods(session, frame.registry);
    for (auto& [key, seen] : records_) {
        // Nothing is added to what another scope, or a method that is not ticked, has.
        const bool over = key.second != to_string(session.choices.scope) ||
                          std::ranges::find(measured_on, key.first) == measured_on.end();
        if (over) seen.measured.reliable = seen.measured.complete = true;
    }
    if (!frame.live.current(session)) return;
    const LiveSnapshot& snapshot = frame.live.snapshot();
    const bool time_is_up = snapshot.sampling_s >= max_wait_s;
    for (const LiveSeries& series : snapshot.series)
        if (series.latest) {
            const bool reliable = series.history.count() >= min_settled_samples || time_is_up;
            records_[{series.method, series.latest->timing_scope}] = {
                {*series.latest, series.timing, reliable, series.settled || time_is_up},
                launch_of(session, series.method)};
        }
}

const lessons::Measured* SeenRecords::find(const Session& session, const std::string& method,
                                           const std::string& scope) const {
    const auto found = records_.find({method, scope});
    if (found == records_.end() || !(found->second.launch == launch_of(session, method))) return nullptr;
    return &found->second.measured;
}

namespace {

/// The trace that the Step view's first column chose; null while it still shows another one.
const TracedKernel* traced_now(const Frame& frame, const StepView& steps) {
    const TracedKernel* traced = steps.column(0).traced();
    const Session& session = frame.session;
    if (!traced || steps.tracing() || !steps.column(0).problem().empty()) return nullptr;
    const bool same =
        traced->workload == session.good && traced->block == session.step.sides[0].block &&
        (session.choices.method.empty() || traced->plan.method.id == session.choices.method) &&
        (session.step.sides[0].kernel.empty() || traced->plan.launch().kernel == session.step.sides[0].kernel);
    return same ? traced : nullptr;
}

}  // namespace

lessons::LiveState live_state(const Frame& frame, const StepView& steps, const SeenRecords& records, bool& settled) {
    const Session& session = frame.session;
    lessons::LiveState state;
    state.registry = &frame.registry;
    state.spec = session.good;
    const Snapshot* snapshot = frame.snapshot;
    const bool built =
        frame.shows_chosen_layer() && snapshot->selection == session.choices.selection && session.rejection.empty();
    settled = built;
    if (built) {
        state.workload = snapshot->workload;
        state.flops_effective = snapshot->flops_effective;
    }
    state.map = session.choices.selection;
    state.device = session.choices.device;
    state.kind = device_kind(session, frame.registry);
    // A chosen method that this device does not run is looked at through the simulated GPU. The Step view also has
    // kernels as printed, which no device offers.
    const Method* const simulated = frame.registry.find(session.choices.method, DeviceKind::sim);
    state.method = session.view == "step" || simulated ? stepped_method(session, steps.traceable())
                                                       : shown_method(session, frame.registry);
    state.launched = launched_method(session, frame.registry);
    if (simulated && (!state.launched || state.launched->info().id != state.method)) state.launched = simulated;
    state.launch = session.choices.launch;
    state.launch_model = launch_model(session, frame.registry);
    state.occupancy_model = occupancy_model(session, frame.registry);
    state.view = session.view->id;
    state.tab = session.tab->id;
    state.scope = session.view == "compare" ? session.compare.scope : to_string(session.choices.scope);
    state.cache = shown_cache(session);
    state.page = session.compare.page->id;
    state.formats_of = session.pages.formats.of;
    state.format = session.pages.formats.format;
    if (const auto& pin = session.pinned[session.tab.index()])
        state.pointed = lessons::Pointed{to_string(pin->array), pin->cell.row, pin->cell.col};
    state.running = frame.live.wanted();
    state.exercise_solved = session.exercise_solved;
    state.record = [&session, &records](const std::string& method, const std::string& scope) {
        return records.find(session, method, scope);
    };
    if (session.view == "step") {
        const TracedKernel* traced = traced_now(frame, steps);
        settled = settled && (traced || steps.column(0).sliced() || !steps.column(0).problem().empty());
        if (traced) {
            state.replay = &traced->trace.replay();
            state.race = traced->trace.finding().has_value();
            state.done = session.step.sides[0].done;
        }
    }
    return state;
}

}  // namespace convscope::app
