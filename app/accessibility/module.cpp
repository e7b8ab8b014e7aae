// The run-time module that tells screen readers of the window: the desktop's own libraries speak AT-SPI. Loaded only
// where there is a session bus, so the program itself needs none of them.
#include <atk-bridge.h>
#include <atk/atk.h>
#include <gio/gio.h>

#include <memory>
#include <utility>

#include "app/accessibility/atk_tree.h"
#include "app/accessibility/reader_link.h"

namespace convscope::app {
namespace {

/// ATK asks for it without saying who asks.
AtkTree* present_tree = nullptr;

void set_up_atk() {
    auto* util = static_cast<AtkUtilClass*>(g_type_class_ref(ATK_TYPE_UTIL));
    util->get_root = [] { return present_tree->application(); };
    util->get_toolkit_name = []() -> const gchar* { return "convscope"; };
    util->get_toolkit_version = []() -> const gchar* { return "1"; };
}

class Reader {
public:
    Reader()
        : tree_([this](ReaderRequest request) {
              if (link_) link_->request(std::move(request));
          }),
          loop_(g_main_loop_new(nullptr, FALSE)) {
        present_tree = &tree_;
    }

    /// Until the link is stopped. One window's after the other's.
    void serve(ReaderLink& link) {
        if (!status_ && !find_status()) return;
        link_ = &link;
        link.serve([this] {
            // Not g_main_context_invoke(): before the loop runs that would call take() in the interface's thread.
            g_idle_add_full(
                G_PRIORITY_DEFAULT,
                [](gpointer self) -> gboolean {
                    static_cast<Reader*>(self)->take();
                    return G_SOURCE_REMOVE;
                },
                this, nullptr);
        });
        follow_status();
        if (!link.stopped()) g_main_loop_run(loop_);
        link.serve({});
        link_ = nullptr;
        if (std::exchange(bridged_, false)) atk_bridge_adaptor_cleanup();
    }

private:
    /// Whoever reads the screen says so there. Nobody is started to be asked.
    bool find_status() {
        GError* error = nullptr;
        status_ = g_dbus_proxy_new_for_bus_sync(G_BUS_TYPE_SESSION, G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START, nullptr,
                                                "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Status", nullptr, &error);
        if (!status_) {
            g_error_free(error);
            return false;
        }
        // Else GLib ends the program when the bus goes away.
        g_dbus_connection_set_exit_on_close(g_dbus_proxy_get_connection(status_), FALSE);
        const auto changed = +[](gpointer self) { static_cast<Reader*>(self)->follow_status(); };
        g_signal_connect_swapped(status_, "g-properties-changed", G_CALLBACK(changed), this);
        g_signal_connect_swapped(status_, "notify::g-name-owner", G_CALLBACK(changed), this);
        return true;
    }

    bool status(const char* name) const {
        GVariant* value = g_dbus_proxy_get_cached_property(status_, name);
        const bool is = value && g_variant_is_of_type(value, G_VARIANT_TYPE_BOOLEAN) && g_variant_get_boolean(value);
        if (value) g_variant_unref(value);
        return is;
    }

    void follow_status() {
        if (!link_) return;
        const bool listens = status("IsEnabled") || status("ScreenReaderEnabled");
        if (listens && !bridged_) {
            set_up_atk();
            bridged_ = atk_bridge_adaptor_init(nullptr, nullptr) == 0;
        }
        link_->set_listens(listens && bridged_);
    }

    void take() {
        if (!link_ || link_->stopped()) return g_main_loop_quit(loop_);
        if (std::optional<ReaderScene> scene = link_->take_scene()) tree_.show(std::move(*scene));
    }

    ReaderLink* link_ = nullptr;  ///< of the window that there is
    AtkTree tree_;
    GMainLoop* loop_;
    GDBusProxy* status_ = nullptr;
    bool bridged_ = false;
};

}  // namespace
}  // namespace convscope::app

extern "C" __attribute__((visibility("default"))) void convscope_accessibility(convscope::app::ReaderLink& link) {
    // Never taken back: readers may hold objects of it until the program has ended.
    static auto* reader = new convscope::app::Reader();
    reader->serve(link);
}
