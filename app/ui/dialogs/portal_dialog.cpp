#include "app/ui/dialogs/portal_dialog.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstring>

#include "app/ui/dialogs/sd_bus.h"

namespace convscope::app {
namespace {

constexpr const char* portal = "org.freedesktop.portal.Desktop";
constexpr const char* object = "/org/freedesktop/portal/desktop";
constexpr const char* chooser = "org.freedesktop.portal.FileChooser";
constexpr const char* request = "org.freedesktop.portal.Request";
constexpr std::uint64_t call_timeout_us = 5'000'000;  ///< for a portal that is started only now
constexpr std::uint64_t look_again_us = 100'000;

/// One question on a connection of its own, which it closes at the end.
class Conversation {
public:
    explicit Conversation(const SdBus& api) : api_(api) {}
    ~Conversation() {
        if (slot_) api_.slot_unref(slot_);
        if (message_) api_.message_unref(message_);
        api_.error_free(&error_);
        if (bus_) api_.flush_close_unref(bus_);
    }
    Conversation(const Conversation&) = delete;

    FileAnswer ask(const FileQuestion& question, const std::string& window, const std::stop_token& stop) {
        std::uint32_t version = 0;
        if (api_.open_user(&bus_) < 0) return unavailable("there is no session bus");
        if (api_.get_property_trivial(bus_, portal, object, chooser, "version", &error_, 'u', &version) < 0)
            return unavailable(error_.message ? error_.message : "no portal has a file chooser");
        // The answer may come before the call returns: its name is agreed on before.
        static std::atomic<int> requested{0};
        const std::string token = fmt::format("convscope{}_{}", getpid(), ++requested);
        if (!listen(token)) return unavailable("its answers cannot be heard");
        if (!compose(question, window, token)) return unavailable("the question could not be put together");
        sd_bus_message* reply = nullptr;
        const int called = api_.call(bus_, message_, call_timeout_us, &error_, &reply);
        if (reply) api_.message_unref(reply);
        if (called < 0) return unavailable(error_.message ? error_.message : std::strerror(-called));
        return wait(stop);
    }

private:
    FileAnswer unavailable(const std::string& why) {
        return {FileAnswer::Outcome::unavailable, {}, fmt::format("the desktop's portal cannot ask: {}", why)};
    }

    bool listen(const std::string& token) {
        const char* name = nullptr;
        if (api_.get_unique_name(bus_, &name) < 0) return false;
        std::string sender = name + 1;  // without its colon
        for (char& each : sender)
            if (each == '.') each = '_';
        path_ = fmt::format("{}/request/{}/{}", object, sender, token);
        return api_.match_signal(bus_, &slot_, portal, path_.c_str(), request, "Response", on_response, this) >= 0;
    }

    template <class... Arguments>
    void append(const char* types, Arguments... arguments) {
        good_ = good_ && api_.message_append(message_, types, arguments...) >= 0;
    }
    void open(char type, const char* contents) {
        good_ = good_ && api_.message_open_container(message_, type, contents) >= 0;
    }
    void close() { good_ = good_ && api_.message_close_container(message_) >= 0; }

    bool compose(const FileQuestion& question, const std::string& window, const std::string& token) {
        const bool save = question.kind == FileQuestion::Kind::save;
        good_ =
            api_.message_new_method_call(bus_, &message_, portal, object, chooser, save ? "SaveFile" : "OpenFile") >= 0;
        append("ss", window.c_str(), question.title.c_str());
        open('a', "{sv}");
        append("{sv}", "handle_token", "s", token.c_str());
        append("{sv}", "modal", "b", 1);
        if (question.several) append("{sv}", "multiple", "b", 1);
        if (save) append("{sv}", "current_name", "s", question.start.filename().c_str());
        folder(save ? question.start.parent_path() : question.start);
        filters(question.filters);
        close();
        return good_;
    }

    /// A path is bytes, with the zero at their end.
    void folder(const std::filesystem::path& path) {
        if (path.empty()) return;
        const std::string text = path.string();
        open('e', "sv");
        append("s", "current_folder");
        open('v', "ay");
        good_ = good_ && api_.message_append_array(message_, 'y', text.c_str(), text.size() + 1) >= 0;
        close();
        close();
    }

    void filters(const std::vector<FileFilter>& list) {
        if (list.empty()) return;
        open('e', "sv");
        append("s", "filters");
        open('v', "a(sa(us))");
        open('a', "(sa(us))");
        for (const FileFilter& filter : list) {
            open('r', "sa(us)");
            append("s", filter.name.c_str());
            open('a', "(us)");
            for (const std::string& pattern : filter.patterns) append("(us)", 0U, pattern.c_str());
            close();
            close();
        }
        close();
        close();
        close();
    }

    FileAnswer wait(const std::stop_token& stop) {
        while (!answered_) {
            if (stop.stop_requested()) {
                api_.call_method(bus_, portal, path_.c_str(), request, "Close", nullptr, nullptr, nullptr);
                return {FileAnswer::Outcome::cancelled, {}, {}};
            }
            const int done = api_.process(bus_, nullptr);
            if (done < 0) return unavailable("the session bus ended");
            if (done == 0 && api_.wait(bus_, look_again_us) < 0) return unavailable("the session bus ended");
        }
        return answer_;
    }

    static int on_response(sd_bus_message* message, void* self, sd_bus_error*) {
        static_cast<Conversation*>(self)->read(message);
        return 0;
    }

    /// (u response, a{sv} results): 0 chosen, 1 cancelled by the user, 2 ended otherwise.
    void read(sd_bus_message* message) {
        answered_ = true;
        std::uint32_t response = 2;
        answer_.outcome = FileAnswer::Outcome::cancelled;
        if (api_.message_read(message, "u", &response) < 0 || response != 0) return;
        if (api_.message_enter_container(message, 'a', "{sv}") < 0) return;
        while (api_.message_enter_container(message, 'e', "sv") > 0) {
            const char* key = nullptr;
            if (api_.message_read(message, "s", &key) < 0) return;
            if (std::strcmp(key, "uris") == 0)
                read_uris(message);
            else
                api_.message_skip(message, "v");
            api_.message_exit_container(message);
        }
        if (!answer_.files.empty()) answer_.outcome = FileAnswer::Outcome::chosen;
    }

    void read_uris(sd_bus_message* message) {
        if (api_.message_enter_container(message, 'v', "as") < 0) return;
        if (api_.message_enter_container(message, 'a', "s") < 0) return;
        const char* uri = nullptr;
        while (api_.message_read(message, "s", &uri) > 0)
            if (const std::filesystem::path path = path_of_uri(uri); !path.empty()) answer_.files.push_back(path);
        api_.message_exit_container(message);
        api_.message_exit_container(message);
    }

    const SdBus& api_;
    sd_bus* bus_ = nullptr;
    sd_bus_slot* slot_ = nullptr;
    sd_bus_message* message_ = nullptr;
    sd_bus_error error_ = SD_BUS_ERROR_NULL;
    std::string path_;  ///< of the request's object
    bool good_ = false, answered_ = false;
    FileAnswer answer_;
};

}  // namespace

std::filesystem::path path_of_uri(const std::string& uri) {
    constexpr const char* scheme = "file://";
    if (!uri.starts_with(scheme)) return {};
    const std::size_t start = uri.find('/', std::strlen(scheme));  // past a host, which is ours
    if (start == std::string::npos) return {};
    std::string path;
    for (std::size_t i = start; i < uri.size(); ++i) {
        unsigned byte = 0;
        const char* digits = uri.data() + i + 1;
        const bool escaped =
            uri[i] == '%' && i + 2 < uri.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        path += escaped ? static_cast<char>(byte) : uri[i];
        if (escaped) i += 2;
    }
    return path;
}

FileAnswer ask_portal(const FileQuestion& question, const std::string& window, const std::stop_token& stop) {
    const SdBus* api = SdBus::load();
    if (!api) return {FileAnswer::Outcome::unavailable, {}, "libsystemd is not installed"};
    return Conversation(*api).ask(question, window, stop);
}

}  // namespace convscope::app
