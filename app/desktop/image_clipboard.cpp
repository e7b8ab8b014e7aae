#include "app/desktop/image_clipboard.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace convscope::app {

struct ImageClipboard::Client {
    Client() {
        display_ = XOpenDisplay(nullptr);
        if (!display_) return;
        wake_ = eventfd(0, EFD_CLOEXEC);
        window_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
        clipboard_ = XInternAtom(display_, "CLIPBOARD", False);
        targets_ = XInternAtom(display_, "TARGETS", False);
        png_type_ = XInternAtom(display_, "image/png", False);
        const long units = XExtendedMaxRequestSize(display_);
        max_ = 4 * static_cast<std::size_t>(units > 0 ? units : XMaxRequestSize(display_)) - 256;
        thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
    }
    ~Client() {
        if (!display_) return;
        thread_.request_stop();
        wake();
        thread_.join();
        XCloseDisplay(display_);
        close(wake_);
    }

    bool offer(std::string png) {
        if (!display_ || png.size() > max_) return false;
        {
            const std::lock_guard lock(mutex_);
            fresh_ = std::move(png);
            requested_ = true;
        }
        wake();
        return true;
    }

private:
    void wake() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
    }

    /// Only this thread talks to the server.
    void serve(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            take_fresh();
            while (XPending(display_) > 0) {
                XEvent event;
                XNextEvent(display_, &event);
                if (event.type == SelectionRequest) answer(event.xselectionrequest);
                if (event.type == SelectionClear) png_.clear();
            }
            pollfd waits[] = {{ConnectionNumber(display_), POLLIN, 0}, {wake_, POLLIN, 0}};
            poll(waits, 2, -1);
            if ((waits[1].revents & POLLIN) != 0) {
                std::uint64_t count = 0;
                [[maybe_unused]] const ssize_t taken = read(wake_, &count, sizeof count);
            }
        }
    }

    void take_fresh() {
        const std::lock_guard lock(mutex_);
        if (!requested_) return;
        requested_ = false;
        png_ = std::move(fresh_);
        XSetSelectionOwner(display_, clipboard_, window_, CurrentTime);
        XFlush(display_);
    }

    void answer(const XSelectionRequestEvent& request) {
        XSelectionEvent reply{};
        reply.type = SelectionNotify;
        reply.requestor = request.requestor;
        reply.selection = request.selection;
        reply.target = request.target;
        reply.time = request.time;
        reply.property = request.property != None ? request.property : request.target;
        if (request.target == targets_) {
            const Atom offered[] = {targets_, png_type_};
            XChangeProperty(display_, request.requestor, reply.property, XA_ATOM, 32, PropModeReplace,
                            reinterpret_cast<const unsigned char*>(offered), 2);
        } else if (request.target == png_type_ && !png_.empty()) {
            XChangeProperty(display_, request.requestor, reply.property, png_type_, 8, PropModeReplace,
                            reinterpret_cast<const unsigned char*>(png_.data()), static_cast<int>(png_.size()));
        } else {
            reply.property = None;  // it has no other form
        }
        XSendEvent(display_, request.requestor, False, NoEventMask, reinterpret_cast<XEvent*>(&reply));
        XFlush(display_);
    }

    Display* display_ = nullptr;
    ::Window window_ = None;
    Atom clipboard_ = None, targets_ = None, png_type_ = None;
    std::size_t max_ = 0;
    int wake_ = -1;
    std::string png_;  ///< of the thread alone
    std::mutex mutex_;
    std::string fresh_;
    bool requested_ = false;
    std::jthread thread_;
};

ImageClipboard::ImageClipboard() = default;
ImageClipboard::~ImageClipboard() = default;

bool ImageClipboard::offer(std::string png) {
    if (!client_) client_ = std::make_unique<Client>();
    return client_->offer(std::move(png));
}

}  // namespace convscope::app
