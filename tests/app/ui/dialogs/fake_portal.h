// A desktop's portal for tests: org.freedesktop.portal.FileChooser on the session's bus, answering as it is told.
#pragma once

#include <systemd/sd-bus.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace convscope::app {

/// A request that the portal received.
struct PortalAsked {
    std::string method, window, title, folder, name;  ///< "SaveFile"; the folder's and the name's options
    bool several = false;
    std::vector<std::string> filters;  ///< "Records: *.csv"
};

class FakePortal {
public:
    struct Answer {
        unsigned response = 0;  ///< 0 chosen, 1 cancelled
        std::vector<std::string> uris;
        bool before_reply = false;  ///< the signal comes before the call returns
        bool stays_open = false;    ///< until answer_now()
    };

    /// Owns the name when this returns. Throws std::runtime_error where there is no bus.
    explicit FakePortal(Answer);
    ~FakePortal();

    PortalAsked requested() const;
    void answer_now() { due_ = true; }
    bool closed() const { return closed_; }  ///< the program has closed the dialog

private:
    void serve(const std::stop_token&);
    int ask(sd_bus_message*, bool save);
    void respond();
    static int open_file(sd_bus_message*, void*, sd_bus_error*);
    static int save_file(sd_bus_message*, void*, sd_bus_error*);
    static int close_request(sd_bus_message*, void*, sd_bus_error*);
    friend struct FakePortalTables;

    Answer answer_;
    sd_bus* bus_ = nullptr;
    std::string handle_;
    mutable std::mutex mutex_;
    PortalAsked requested_;
    std::atomic<bool> closed_{false}, due_{false};
    std::jthread thread_;
};

}  // namespace convscope::app
