#include "app/ui/lessons_view/lesson_guide.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/lessons/catalogue.h"
#include "app/lessons/player.h"
#include "app/ui/input/keys.h"
#include "kernels/core/error.h"

namespace convscope::app {
namespace {

std::optional<std::filesystem::file_time_type> time_of(const std::filesystem::path& file) {
    std::error_code none;
    const auto time = std::filesystem::last_write_time(file, none);
    return none ? std::nullopt : std::optional(time);
}

}  // namespace

LessonGuide::LessonGuide() = default;
LessonGuide::~LessonGuide() = default;

void LessonGuide::keep_progress_in(const std::filesystem::path& file, Session& session) {
    lessons::LoadedProgress loaded = lessons::load_progress(file);
    for (const std::string& notice : loaded.notices) notify(session, notice, true);
    book_ = std::move(loaded.book);
    file_ = file;
}

void LessonGuide::remember(Session& session) {
    if (file_.empty()) return;
    try {
        lessons::save_progress(file_, book_);
        save_failed_ = false;
    } catch (const Error& error) {
        if (!std::exchange(save_failed_, true))
            notify(session, fmt::format("What you do in lessons is not remembered: {}", error.what()), true);
    }
}

const std::vector<lessons::ReadLesson>& LessonGuide::lessons(const Registry& registry) {
    if (!std::exchange(read_, true)) {
        std::vector<lessons::ReadLesson> found = lessons::read_lessons(registry);
        lessons_.insert(lessons_.begin(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
    }
    return lessons_;
}

const lessons::LessonProgress& LessonGuide::progress(const std::string& id) const {
    static const lessons::LessonProgress none;
    const auto found = book_.find(id);
    return found == book_.end() ? none : found->second;
}

void LessonGuide::forget(Session& session, const std::string& id) {
    book_[id] = {};
    if (player_ && player_->lesson().id == id) player_->go_to(0);
    remember(session);
}

void LessonGuide::forget_all(Session& session) {
    for (auto& [id, progress] : book_) progress = {};  // an open lesson looks at its entry
    if (player_) player_->go_to(0);
    remember(session);
}

void LessonGuide::add(Session& session, const Registry& registry, const std::filesystem::path& file) {
    lessons(registry);
    lessons::ReadLesson read = lessons::read_lesson(file, registry);
    for (const lessons::Problem& problem : read.problems)
        if (!problem.warning)
            throw Error(
                ErrorKind::file,
                fmt::format("{}:{}:{}: {}{}", file.string(), problem.line, problem.column, problem.sentence,
                            read.problems.size() > 1 ? "; convscope lesson check names all that is wrong" : ""));
    const std::string id = read.lesson.id;
    std::erase_if(lessons_, [&](const lessons::ReadLesson& each) { return each.lesson.id == id; });
    lessons_.push_back(std::move(read));
    session.lesson.requested_lesson = id;
    watched_ = file;
    written_ = time_of(file);
}

/// Whoever writes a lesson sees what was saved, at the step where they are.
void LessonGuide::follow_file(Frame& frame) {
    constexpr double every_s = 0.5;
    if (watched_.empty() || player_->lesson().file != watched_ || ImGui::GetTime() < look_again_) return;
    look_again_ = ImGui::GetTime() + every_s;
    const auto written = time_of(watched_);
    if (!written || written == written_) return;
    written_ = written;
    const int step = player_->step();
    try {
        add(frame.session, frame.registry, watched_);
    } catch (const Error& error) {
        rejected_ = error.what();
        return notify(frame.session, rejected_, true);  // what was read before stays
    }
    std::erase_if(frame.session.notices, [&](const Notice& each) { return each.text == rejected_; });
    open(frame, std::exchange(frame.session.lesson.requested_lesson, {}), false);
    player_->go_to(std::min(step, player_->steps()));
    notify(frame.session, fmt::format("{} was read again", watched_.filename().string()));
}

void LessonGuide::open(Frame& frame, const std::string& id, bool from_start) {
    const auto& all = lessons(frame.registry);
    const auto found = std::ranges::find_if(all, [&](const lessons::ReadLesson& each) { return each.lesson.id == id; });
    if (found == all.end()) return notify(frame.session, fmt::format("There is no lesson '{}'.", id), true);
    if (!found->good()) {
        const lessons::Problem& problem = found->problems.front();
        return notify(
            frame.session,
            fmt::format("{}:{}:{}: {}", found->lesson.file.string(), problem.line, problem.column, problem.sentence),
            true);
    }
    if (player_) leave(frame);
    frame.live.stop();
    own_ = state_of(frame.session);
    kernel_of_step_.clear();
    Session& session = frame.session;
    session.lesson.open = id;
    session.lesson.own_layer = false;
    lessons::LessonProgress& progress = book_[id];
    if (from_start) progress = {};
    const std::vector<lessons::Step>& steps = found->lesson.steps;
    if (progress.step >= static_cast<int>(steps.size())) {  // where something was left open, or from the first
        const auto open = std::ranges::find_if(steps, [&](const auto& step) { return left_open(progress, step) > 0; });
        progress.step = open == steps.end() ? 0 : static_cast<int>(open - steps.begin());
    }
    player_ = std::make_unique<lessons::Player>(found->lesson, progress);
    records_.forget();
    ++place_;
    remember(session);
}

void LessonGuide::leave(Frame& frame) {
    if (!player_) return;
    frame.live.stop();
    player_.reset();
    point_.reset();
    if (own_) put_state(frame.session, *std::exchange(own_, std::nullopt));
    frame.session.lesson.open.clear();
    frame.session.lesson.own_layer = frame.session.lesson.number_requested = false;
    frame.session.lesson.options = 0;
    frame.session.lesson.hidden.clear();
    remember(frame.session);
}

void LessonGuide::use_own_layer(Session& session, bool own) {
    if (!player_ || !own_ || session.lesson.own_layer == own) return;
    if (own) {
        lessons::LiveState state;
        state.registry = registry_;
        state.spec = own_->choices.workload;
        lessons::Facts facts;
        facts.update(std::move(state));
        if (const std::string why = lessons::unsuited(player_->lesson(), facts); !why.empty())
            return notify(session, why, true);
    }
    session.lesson.own_layer = own;
    player_->repeat_step();  // its questions are about another layer now
    ++place_;
}

void LessonGuide::act(Frame& frame) {
    take_keys();  // the list of lessons, where this may lead, has a use for Enter as well
    if (player_->at_end()) return move(frame, LessonMove::leave);
    const lessons::Ask* ask = player_->open_question();
    if (ask && (player_->requested(*ask).picked >= 0 || !player_->requested(*ask).typed.empty())) {
        player_->commit(*ask);
        ++place_;
    } else if (!ask) {
        move(frame, LessonMove::next);
    } else {
        wants_field_ = ask->answer.has_value();
    }
}

void LessonGuide::move(Frame& frame, LessonMove requested) {
    Session& session = frame.session;
    switch (requested) {
        case LessonMove::next:
        case LessonMove::back:
            frame.live.stop();
            player_->go_to(player_->step() + (requested == LessonMove::next ? 1 : -1));
            ++place_;
            remember(session);
            break;
        case LessonMove::act:
            act(frame);
            break;
        case LessonMove::hint:
            if (const lessons::Ask* ask = player_->open_question())
                player_->requested(*ask).hint = true;
            else if (const lessons::Task* task = player_->open_task())
                player_->task_hint(*task) = true;
            break;
        case LessonMove::show_me:
            if (const lessons::Task* task = player_->open_task()) player_->solve(*task);
            break;
        case LessonMove::show_again:
            frame.live.stop();
            player_->show_again();
            break;
        case LessonMove::leave:
            if (player_->at_end()) own_->view = "lessons";
            leave(frame);
            break;
    }
}

void LessonGuide::update(Frame& frame, const StepView& steps) {
    registry_ = &frame.registry;
    Session& session = frame.session;
    const std::optional<LessonMove> requested = std::exchange(session.lesson.requested, std::nullopt);
    if (const std::string id = std::exchange(session.lesson.requested_lesson, {}); !id.empty())
        open(frame, id, std::exchange(session.lesson.from_start, false));
    else if (player_ && requested)
        move(frame, *requested);
    if (!player_) return;
    follow_file(frame);
    const lessons::Player::Shows shows = player_->take_shows();
    if (shows.again) begin_again(frame, *own_, session.lesson.own_layer);
    for (const lessons::Show& show : shows.list) {
        carry_out(frame, show, session.lesson.own_layer);
        if (show.exercise || show.solution) kernel_of_step_ = session.kernel.file;
        if (show.point || show.changes_workload()) point_ = show.point;
    }
    if (shows.again || !shows.list.empty()) view_ = session.view;
    // A kernel that the user opens meanwhile stays open when the lesson is left.
    if (!session.kernel.method.empty() || session.kernel.file != kernel_of_step_) own_->kernel = session.kernel;
    records_.update(frame);
    bool settled = false;
    facts_.update(live_state(frame, steps, records_, settled));
    if (point_ && settled) {
        if (const auto element = facts_.find(*point_)) pin(session, *element);
        point_.reset();
        facts_.update(live_state(frame, steps, records_, settled));
    }
    const std::size_t before = player_->visible();
    if (player_->update(facts_, settled)) {
        remember(session);
        if (player_->at_end() || player_->visible() != before || player_->open_question()) ++place_;
    }
    session.lesson.number_requested = player_->open_number() != nullptr;
    const lessons::Ask* const open_question = player_->at_end() ? nullptr : player_->open_question();
    session.lesson.options = open_question ? static_cast<int>(open_question->options.size()) : 0;
    session.lesson.hidden = player_->hidden();
    if (player_->wants_measurement() && settled && !frame.live.wanted()) frame.live.start(session);
}

bool LessonGuide::navigated_away(const Session& session) const {
    return player_ && !player_->at_end() && session.view != view_ && !player_->open_task();
}

bool LessonGuide::busy(const Session& session) const {
    return !session.lesson.requested_lesson.empty() || session.lesson.requested || (player_ && point_);
}

bool LessonGuide::watches_a_file() const {
    return player_ && player_->lesson().file == watched_;
}

}  // namespace convscope::app
