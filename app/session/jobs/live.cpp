#include "app/session/jobs/live.h"

#include <utility>

#include "app/session/method_choice.h"
#include "kernels/core/error.h"

namespace convscope::app {
namespace {

/// False when a change of choices changes what is timed on a layer, whichever methods are ticked.
bool same_conditions(const Choices& a, const Choices& b) {
    return a.device == b.device && a.launch == b.launch && a.scope == b.scope && a.cache == b.cache;
}

/// The method whose launch configuration is all that has changed on the same device; empty when it is none of these.
std::string only_changed(const Choices& before, const Choices& now, const std::vector<std::string>& methods) {
    if (before.device != now.device) return {};
    auto of = [](const Choices& choices, const std::string& method) {
        const auto found = choices.launch.find(method);
        return found == choices.launch.end() ? LaunchConfig{} : found->second;
    };
    for (const std::string& method : methods)
        if (!(of(before, method) == of(now, method))) return method;
    return {};
}

}  // namespace

Live::Live(Registry& registry) : registry_(registry), worker_(registry), snapshot_(std::make_shared<LiveSnapshot>()) {
    worker_.set_quiet_hooks([this] { gate_.begin_sample(); }, [this] { gate_.end_sample(); });
}

void Live::start(Session& session) {
    start(session, "");
}

void Live::start(Session& session, const std::string& changed) {
    methods_ = live_methods(session, registry_);
    if (methods_.empty()) {
        notify(session, "Tick at least one method to measure", true);
        return;
    }
    measured_ = session.choices;
    measured_.workload = session.good;
    disturbed_before_ = gate_.disturbed();
    wanted_ = true;
    network_wanted_ = false;
    frozen_.reset();
    MeasureJob job = make_job(session, registry_);
    job.first = changed;
    worker_.start(std::move(job));
    snapshot_ = worker_.snapshot();  // what was measured before belongs to other choices
}

void Live::start_network(Session& session) {
    NetworkJob job = make_network_job(session, registry_);
    if (job.plan.methods.empty()) return notify(session, "Tick at least one method to measure", true);
    try {
        if (job.plan.chain) require_chain(job.plan.network);
    } catch (const Error& error) {
        return notify(session, error.what(), true);
    }
    wanted_ = false;
    network_wanted_ = true;
    frozen_.reset();
    worker_.start(std::move(job));
}

void Live::stop() {
    wanted_ = network_wanted_ = false;
    worker_.stop();
}

void Live::show_frozen(const Session& session, LiveSnapshot snapshot) {
    stop();
    methods_ = live_methods(session, registry_);
    measured_ = session.choices;
    measured_.workload = session.good;
    frozen_ = std::make_shared<const LiveSnapshot>(std::move(snapshot));
}

void Live::update(Session& session) {
    snapshot_ = frozen_ ? frozen_ : worker_.snapshot();
    if (network_wanted_ && !snapshot_->running) {
        network_wanted_ = false;
        if (!snapshot_->error.empty()) notify(session, snapshot_->error, true);
    }
    if (!wanted_) return;
    if (!snapshot_->error.empty()) {
        notify(session, snapshot_->error, true);
        stop();
    } else if (session.rejection.empty() && !(current(session) && methods_ == live_methods(session, registry_))) {
        start(session, only_changed(measured_, session.choices, methods_));
    }
}

bool Live::current(const Session& session) const {
    return measured_.workload == session.good && same_conditions(measured_, session.choices);
}

std::uint64_t Live::disturbed() const {
    return gate_.disturbed() - disturbed_before_;
}

bool Live::running() const {
    return snapshot_->running;
}

const Record* Live::latest(const std::string& method) const {
    for (const LiveSeries& series : snapshot_->series)
        if (series.method == method && series.latest) return &*series.latest;
    return nullptr;
}

}  // namespace convscope::app
