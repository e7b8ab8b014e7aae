#include "tests/app/desktop/x_server.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include "tests/support/wait.h"

extern "C" Display* glfwGetX11Display();  // GLFW's own header of it needs Xrandr's

namespace convscope::app {

void stop_key_repeat() {
    XAutoRepeatOff(glfwGetX11Display());
}

void receive_x_events() {
    XSync(glfwGetX11Display(), False);  // the answer comes after them
}

std::pair<int, int> smallest_size(unsigned long x_window) {
    XSizeHints hints{};
    long given = 0;
    if (!XGetWMNormalHints(glfwGetX11Display(), x_window, &hints, &given) || !(hints.flags & PMinSize)) return {0, 0};
    return {hints.min_width, hints.min_height};
}

std::string x_clipboard(const char* target, const std::function<void()>& meanwhile) {
    Display* display = XOpenDisplay(nullptr);
    if (!display) return {};
    const ::Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    const Atom property = XInternAtom(display, "CONVSCOPE_TEST", False);
    XConvertSelection(display, XInternAtom(display, "CLIPBOARD", False), XInternAtom(display, target, False), property,
                      window, CurrentTime);
    XFlush(display);
    std::string taken;
    const auto answered = [&] {
        bool came = false;
        XEvent event;
        while (XPending(display) > 0) {
            XNextEvent(display, &event);
            if (event.type != SelectionNotify) continue;
            came = true;
            Atom type = None;
            int format = 0;
            unsigned long count = 0, left = 0;
            unsigned char* data = nullptr;
            if (event.xselection.property == None) continue;
            XGetWindowProperty(display, window, property, 0, 1 << 24, True, AnyPropertyType, &type, &format, &count,
                               &left, &data);
            if (data) taken.assign(reinterpret_cast<const char*>(data), count * static_cast<unsigned>(format) / 8);
            if (data) XFree(data);
        }
        return came;
    };
    const bool came = testing::wait_until(answered, [&] {
        meanwhile();
        testing::nap();
    });
    if (!came) taken = "no answer";
    XCloseDisplay(display);
    return taken;
}

}  // namespace convscope::app
