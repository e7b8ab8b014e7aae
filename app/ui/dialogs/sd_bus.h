// sd-bus of libsystemd, opened at run time: the program starts where it is missing.
#pragma once

#include <systemd/sd-bus.h>

namespace convscope::app {

/// The functions that the portal is asked with, by their own names. Empty where the library, or one of them, is
/// missing.
struct SdBus {
    decltype(&::sd_bus_open_user) open_user = nullptr;
    decltype(&::sd_bus_flush_close_unref) flush_close_unref = nullptr;
    decltype(&::sd_bus_get_unique_name) get_unique_name = nullptr;
    decltype(&::sd_bus_match_signal) match_signal = nullptr;
    decltype(&::sd_bus_message_new_method_call) message_new_method_call = nullptr;
    decltype(&::sd_bus_message_append) message_append = nullptr;
    decltype(&::sd_bus_message_append_array) message_append_array = nullptr;
    decltype(&::sd_bus_message_open_container) message_open_container = nullptr;
    decltype(&::sd_bus_message_close_container) message_close_container = nullptr;
    decltype(&::sd_bus_message_enter_container) message_enter_container = nullptr;
    decltype(&::sd_bus_message_exit_container) message_exit_container = nullptr;
    decltype(&::sd_bus_message_read) message_read = nullptr;
    decltype(&::sd_bus_message_skip) message_skip = nullptr;
    decltype(&::sd_bus_message_unref) message_unref = nullptr;
    decltype(&::sd_bus_call) call = nullptr;
    decltype(&::sd_bus_call_method) call_method = nullptr;
    decltype(&::sd_bus_get_property_trivial) get_property_trivial = nullptr;
    decltype(&::sd_bus_process) process = nullptr;
    decltype(&::sd_bus_wait) wait = nullptr;
    decltype(&::sd_bus_slot_unref) slot_unref = nullptr;
    decltype(&::sd_bus_error_free) error_free = nullptr;

    /// Null where it cannot be used.
    static const SdBus* load();
};

}  // namespace convscope::app
