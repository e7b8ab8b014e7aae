#include "app/ui/dialogs/sd_bus.h"

#include <dlfcn.h>

#include <memory>

namespace convscope::app {
namespace {

std::unique_ptr<const SdBus> open_library() {
    void* library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);  // stays open: it keeps threads' data
    if (!library) return nullptr;
    auto bus = std::make_unique<SdBus>();
    bool complete = true;
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        complete = complete && function;
    };
    find(bus->open_user, "sd_bus_open_user");
    find(bus->flush_close_unref, "sd_bus_flush_close_unref");
    find(bus->get_unique_name, "sd_bus_get_unique_name");
    find(bus->match_signal, "sd_bus_match_signal");
    find(bus->message_new_method_call, "sd_bus_message_new_method_call");
    find(bus->message_append, "sd_bus_message_append");
    find(bus->message_append_array, "sd_bus_message_append_array");
    find(bus->message_open_container, "sd_bus_message_open_container");
    find(bus->message_close_container, "sd_bus_message_close_container");
    find(bus->message_enter_container, "sd_bus_message_enter_container");
    find(bus->message_exit_container, "sd_bus_message_exit_container");
    find(bus->message_read, "sd_bus_message_read");
    find(bus->message_skip, "sd_bus_message_skip");
    find(bus->message_unref, "sd_bus_message_unref");
    find(bus->call, "sd_bus_call");
    find(bus->call_method, "sd_bus_call_method");
    find(bus->get_property_trivial, "sd_bus_get_property_trivial");
    find(bus->process, "sd_bus_process");
    find(bus->wait, "sd_bus_wait");
    find(bus->slot_unref, "sd_bus_slot_unref");
    find(bus->error_free, "sd_bus_error_free");
    if (!complete) return nullptr;
    return bus;
}

}  // namespace

const SdBus* SdBus::load() {
    static const std::unique_ptr<const SdBus> bus = open_library();
    return bus.get();
}

}  // namespace convscope::app
