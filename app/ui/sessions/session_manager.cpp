#include "app/ui/sessions/session_manager.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "app/session/file_kinds.h"
#include "kernels/core/error.h"
#include "kernels/files/text_file.h"
#include "kernels/files/user_folders.h"
#include "kernels/layers/shape_fields.h"

namespace convscope::app {
namespace {

constexpr std::size_t max_notes = 3;  ///< more are not read

std::vector<FileFilter> session_filters() {
    return {{"Sessions of convscope", {std::string("*") + session_ending}}};
}

/// Says how a layer that cannot be differs from the last one that can be, which the file has in its place; or else why
/// it cannot be.
std::string fields_left_out(const Session& session) {
    const ConvShape &wanted = session.choices.workload.shape, &good = session.good.shape;
    if (session.rejection.empty() || session.needs_consent || session.choices.workload == session.good) return {};
    std::vector<std::string> fields;
    for (const ShapeField& field : shape_fields)
        if (wanted.*field.member != good.*field.member)
            fields.push_back(fmt::format("{} = {}", field.name, wanted.*field.member));
    if (fields.empty()) return ", with the last layer that can be: " + session.rejection;
    return fmt::format(", with the last layer that can be: {} {} not in it", fmt::join(fields, ", "),
                       fields.size() == 1 ? "is" : "are");
}

std::vector<FileFilter> open_filters() {
    FileFilter filter{"Files of convscope", opened_endings()};
    for (std::string& pattern : filter.patterns) pattern.insert(0, "*");
    return {filter};
}

void tell(Session& session, const std::vector<std::string>& notes) {
    for (std::size_t i = 0; i < std::min(max_notes, notes.size()); ++i) notify(session, notes[i], true);
    if (notes.size() > max_notes) notify(session, fmt::format("{} more of this kind", notes.size() - max_notes), true);
}

/// "" where it cannot be read: there is nothing to lose.
std::string text_of(const std::filesystem::path& path) {
    try {
        return path.empty() ? "" : read_text_file(path);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

std::string describe_time(std::chrono::system_clock::time_point when, std::chrono::system_clock::time_point now) {
    const std::tm then = fmt::localtime(std::chrono::system_clock::to_time_t(when));
    const std::tm today = fmt::localtime(std::chrono::system_clock::to_time_t(now));
    const bool same_day = then.tm_year == today.tm_year && then.tm_yday == today.tm_yday;
    return same_day ? fmt::format("{:%H:%M}", then) : fmt::format("{:%d %b %H:%M}", then);
}

SessionManager::SessionManager(Session& session, const Registry& registry, FileDialogs& dialogs)
    : session_(session),
      registry_(registry),
      dialogs_(dialogs),
      first_(state_of(session)),
      saved_(first_),
      autosaved_(first_) {}

void SessionManager::keep_state_in(const std::filesystem::path& folder, std::chrono::milliseconds delay) {
    if (folder.empty()) return;
    folder_ = folder;
    recent_.keep_in(folder);
    recoverable_ = find_recoverable_sessions(folder / "running");
    autosave_ = std::make_unique<Autosave>(folder / "running", delay);
}

void SessionManager::update(bool in_a_gesture, const SessionState* own) {
    if (!autosave_) return;
    if (const std::string problem = autosave_->take_problem(); !problem.empty()) notify(session_, problem, true);
    if (in_a_gesture) return;
    SessionFile now = file_now();
    if (own) {
        now.state = *own;
        const DeviceInfo* const device = registry_.device_info(own->choices.device);
        now.device_name = device ? device->name : std::string();
    }
    if (now.state == autosaved_) return;
    autosaved_ = now.state;
    autosave_->schedule_save(std::move(now));
}

SessionFile SessionManager::file_now() const {
    return {state_of(session_), device_name_of(session_, registry_), path_.string()};
}

bool SessionManager::changed() const {
    return !(state_of(session_) == saved_);
}

std::string SessionManager::title() const {
    if (path_.empty()) return "convscope";
    return fmt::format("{}{} - convscope", session_name(path_), changed() ? "*" : "");
}

bool SessionManager::load(const std::filesystem::path& path, SessionFile& file) {
    try {
        SessionRead read = read_session(path, first_);
        std::vector<std::string> notes = fit_to_machine(read.file, session_, registry_);
        notes.insert(notes.begin(), read.notes.begin(), read.notes.end());
        tell(session_, notes);
        file = std::move(read.file);
        return true;
    } catch (const Error& error) {
        notify(session_, fmt::format("{}. The present session stays as it is", error.what()), true);
        return false;
    }
}

void SessionManager::put(const SessionFile& file) {
    put_state(session_, file.state);
    session_.scene.reset();
    saved_ = state_of(session_);
}

void SessionManager::open(const std::filesystem::path& path) {
    SessionFile file;
    if (!load(path, file)) return;
    put(file);
    std::error_code none;
    set_path(std::filesystem::absolute(path, none).lexically_normal());
    recent_.add(path_);
    notify(session_, fmt::format("Opened the session {}", session_name(path_)));
}

std::filesystem::path SessionManager::start_folder() const {
    if (!path_.empty()) return path_.parent_path();
    if (!recent_.list().empty()) return recent_.list().front().path.parent_path();
    return home_folder();
}

void SessionManager::ask_to_open() {
    FileQuestion question{FileQuestion::Kind::open, "Open a file", start_folder(), open_filters(), false, ""};
    dialogs_.ask(session_, std::move(question),
                 [this](const auto& files) { session_.requested.file = files.front().string(); });
}

void SessionManager::save_as() {
    std::string name = path_.empty() ? session_.good.name : session_name(path_);
    std::ranges::replace(name, '/', '-');
    FileQuestion question{FileQuestion::Kind::save,
                          "Save the session",
                          start_folder() / (name + session_ending),
                          session_filters(),
                          false,
                          session_ending};
    dialogs_.ask(session_, std::move(question), [this](const auto& files) { save_to(files.front()); });
}

void SessionManager::save() {
    if (path_.empty()) return save_as();
    const std::string there = text_of(path_);
    if (there.empty() || there == text_) {
        try {
            return save_to(path_);
        } catch (const Error& error) {
            return notify(session_, error.what(), true);
        }
    }
    notify(session_,
           fmt::format("{} was changed by another program; choose another name, or this one to replace it",
                       path_.string()),
           true);
    save_as();
}

void SessionManager::save_to(const std::filesystem::path& path) {
    try {
        SessionFile file = file_now();
        file.saved_as.clear();
        // A link stays one: what it leads to is replaced.
        std::error_code none;
        const std::filesystem::path target = std::filesystem::weakly_canonical(path, none);
        write_session(none ? path : target, file);
        set_path(path);
        saved_ = file.state;
        recent_.add(path_);
        const std::string left_out = fields_left_out(session_);
        notify(session_, fmt::format("Saved the session to {}{}", path_.string(), left_out), !left_out.empty());
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}. The session is not saved", error.what()));
    }
}

void SessionManager::new_session() {
    path_.clear();
    put({first_, "", ""});
}

void SessionManager::set_path(std::filesystem::path path) {
    path_ = std::move(path);
    text_ = text_of(path_);
}

bool SessionManager::has_last() const {
    std::error_code none;
    return !folder_.empty() && std::filesystem::exists(Autosave::last_session(folder_ / "running"), none);
}

void SessionManager::open_last() {
    SessionFile file;
    if (folder_.empty() || !load(Autosave::last_session(folder_ / "running"), file)) return;
    put(file);
    set_path(file.saved_as);
    saved_ = first_;  // no session file may hold all of it
}

/// Files that were named when the program was started are what the user came for.
void SessionManager::keep_open(const KernelChoice& kernel, const RecordSource& records) {
    const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
    if (session_.trusted_kernels.contains(kernel.file) && session_.kernel.file != kernel.file) {
        const std::string other = session_.kernel.is_open() ? name(session_.kernel.file + session_.kernel.method) : "";
        session_.kernel = kernel;
        notify(session_, fmt::format("{} stays open in the Kernel view{}", name(kernel.file),
                                     other.empty() ? "" : ", in place of the session's " + other));
    }
    if (records.kind == RecordSource::Kind::files && records != session_.records) {
        session_.records = records;
        notify(session_, fmt::format("{} stays open in the Compare view",
                                     records.files.size() == 1 ? name(records.files.front()) : "What you opened"));
    }
}

void SessionManager::restore_recoverable() {
    if (recoverable_.empty()) return;
    RecoverableSession session = std::move(recoverable_.front());
    recoverable_.erase(recoverable_.begin());
    SessionFile file;
    if (!load(session.file, file)) return;  // and it stays for another look
    const KernelChoice kernel = session_.kernel;
    const RecordSource records = session_.records;
    put(file);
    keep_open(kernel, records);
    set_path(file.saved_as);
    saved_ = first_;
    // It is safe again only when this instance has saved it.
    if (autosave_) autosave_->take_over(file_now(), std::move(session));
    autosaved_ = state_of(session_);
}

void SessionManager::discard_recoverable() {
    if (recoverable_.empty()) return;
    recoverable_.front().discard();
    recoverable_.erase(recoverable_.begin());
}

}  // namespace convscope::app
