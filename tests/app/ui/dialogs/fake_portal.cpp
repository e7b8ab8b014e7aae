#include "tests/app/ui/dialogs/fake_portal.h"

#include <cstring>
#include <stdexcept>

namespace convscope::app {

struct FakePortalTables {
    static int version(sd_bus*, const char*, const char*, const char*, sd_bus_message* reply, void*, sd_bus_error*) {
        return sd_bus_message_append(reply, "u", 3U);
    }
    static const sd_bus_vtable chooser[];
    static const sd_bus_vtable request[];
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wpedantic"  // the tables are C99's
const sd_bus_vtable FakePortalTables::chooser[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("version", "u", FakePortalTables::version, 0, 0),
    SD_BUS_METHOD("OpenFile", "ssa{sv}", "o", FakePortal::open_file, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("SaveFile", "ssa{sv}", "o", FakePortal::save_file, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};
const sd_bus_vtable FakePortalTables::request[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Close", "", "", FakePortal::close_request, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};
#pragma GCC diagnostic pop

FakePortal::FakePortal(Answer answer) : answer_(std::move(answer)) {
    if (sd_bus_open_user(&bus_) < 0) throw std::runtime_error("no session bus: run under dbus-run-session");
    sd_bus_add_object_vtable(bus_, nullptr, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.FileChooser",
                             FakePortalTables::chooser, this);
    if (sd_bus_request_name(bus_, "org.freedesktop.portal.Desktop", 0) < 0)
        throw std::runtime_error("the portal's name is taken");
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
}

FakePortal::~FakePortal() {
    thread_.request_stop();
    thread_.join();
    sd_bus_flush_close_unref(bus_);
}

PortalAsked FakePortal::requested() const {
    const std::lock_guard lock(mutex_);
    return requested_;
}

void FakePortal::serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const int done = sd_bus_process(bus_, nullptr);
        if (!handle_.empty() && !answer_.before_reply && (!answer_.stays_open || due_)) {
            respond();
            handle_.clear();
        }
        if (done <= 0) sd_bus_wait(bus_, 10'000);
    }
}

void FakePortal::respond() {
    sd_bus_message* signal = nullptr;
    sd_bus_message_new_signal(bus_, &signal, handle_.c_str(), "org.freedesktop.portal.Request", "Response");
    sd_bus_message_append(signal, "u", answer_.response);
    sd_bus_message_open_container(signal, 'a', "{sv}");
    sd_bus_message_append(signal, "{sv}", "writable", "b", 1);
    sd_bus_message_open_container(signal, 'e', "sv");
    sd_bus_message_append(signal, "s", "uris");
    sd_bus_message_open_container(signal, 'v', "as");
    sd_bus_message_open_container(signal, 'a', "s");
    for (const std::string& uri : answer_.uris) sd_bus_message_append(signal, "s", uri.c_str());
    for (int i = 0; i < 4; ++i) sd_bus_message_close_container(signal);
    sd_bus_send(bus_, signal, nullptr);
    sd_bus_message_unref(signal);
}

int FakePortal::ask(sd_bus_message* call, bool save) {
    PortalAsked requested;
    requested.method = save ? "SaveFile" : "OpenFile";
    const char *window = "", *title = "", *key = nullptr;
    std::string token;
    sd_bus_message_read(call, "ss", &window, &title);
    requested.window = window;
    requested.title = title;
    sd_bus_message_enter_container(call, 'a', "{sv}");
    while (sd_bus_message_enter_container(call, 'e', "sv") > 0) {
        sd_bus_message_read(call, "s", &key);
        const std::string option = key;
        const char* text = "";
        int flag = 0;
        if (option == "handle_token") {
            sd_bus_message_read(call, "v", "s", &text);
            token = text;
        } else if (option == "current_name") {
            sd_bus_message_read(call, "v", "s", &text);
            requested.name = text;
        } else if (option == "multiple") {
            sd_bus_message_read(call, "v", "b", &flag);
            requested.several = flag != 0;
        } else if (option == "current_folder") {
            const void* bytes = nullptr;
            std::size_t size = 0;
            sd_bus_message_enter_container(call, 'v', "ay");
            sd_bus_message_read_array(call, 'y', &bytes, &size);
            requested.folder = static_cast<const char*>(bytes);
            sd_bus_message_exit_container(call);
        } else if (option == "filters") {
            sd_bus_message_enter_container(call, 'v', "a(sa(us))");
            sd_bus_message_enter_container(call, 'a', "(sa(us))");
            while (sd_bus_message_enter_container(call, 'r', "sa(us)") > 0) {
                sd_bus_message_read(call, "s", &text);
                std::string words = std::string(text) + ":";
                unsigned kind = 0;
                sd_bus_message_enter_container(call, 'a', "(us)");
                while (sd_bus_message_read(call, "(us)", &kind, &text) > 0) (words += " ") += text;
                requested.filters.push_back(words);
                sd_bus_message_exit_container(call);
                sd_bus_message_exit_container(call);
            }
            sd_bus_message_exit_container(call);
            sd_bus_message_exit_container(call);
        } else {
            sd_bus_message_skip(call, "v");
        }
        sd_bus_message_exit_container(call);
    }
    std::string sender = sd_bus_message_get_sender(call) + 1;
    for (char& each : sender)
        if (each == '.') each = '_';
    handle_ = "/org/freedesktop/portal/desktop/request/" + sender + "/" + token;
    {
        const std::lock_guard lock(mutex_);
        requested_ = requested;
    }
    sd_bus_add_object_vtable(bus_, nullptr, handle_.c_str(), "org.freedesktop.portal.Request",
                             FakePortalTables::request, this);
    if (answer_.before_reply) respond();
    return sd_bus_reply_method_return(call, "o", handle_.c_str());
}

int FakePortal::open_file(sd_bus_message* call, void* self, sd_bus_error*) {
    return static_cast<FakePortal*>(self)->ask(call, false);
}

int FakePortal::save_file(sd_bus_message* call, void* self, sd_bus_error*) {
    return static_cast<FakePortal*>(self)->ask(call, true);
}

int FakePortal::close_request(sd_bus_message* call, void* self, sd_bus_error*) {
    static_cast<FakePortal*>(self)->closed_ = true;
    return sd_bus_reply_method_return(call, nullptr);
}

}  // namespace convscope::app
