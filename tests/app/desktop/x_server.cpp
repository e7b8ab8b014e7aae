#include "tests/app/desktop/x_clipboard.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <unistd.h>

#include <chrono>

namespace convscope::app {

std::string x_clipboard(const char* target, double seconds, const std::function<void()>& meanwhile) {
    Display* display = XOpenDisplay(nullptr);
    if (!display) return {};
    const ::Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    const Atom property = XInternAtom(display, "CONVSCOPE_TEST", False);
    XConvertSelection(display, XInternAtom(display, "CLIPBOARD", False), XInternAtom(display, target, False), property,
                      window, CurrentTime);
    XFlush(display);
    std::string taken;
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (bool answered = false; !answered && std::chrono::steady_clock::now() < end;) {
        meanwhile();
        usleep(2000);
        XEvent event;
        while (XPending(display) > 0) {
            XNextEvent(display, &event);
            if (event.type != SelectionNotify) continue;
            answered = true;
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
    }
    XCloseDisplay(display);
    return taken;
}

}  // namespace convscope::app
