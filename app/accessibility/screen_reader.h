// Screen readers, through AT-SPI: a module with the desktop's own libraries is opened in a thread next to the window.
#pragma once

#include <functional>
#include <memory>

#include "app/accessibility/reader_link.h"

namespace convscope::app {

class ScreenReader {
public:
    /// Where there is no session bus or no module, nobody ever listens. 'wake' as in ReaderLink.
    explicit ScreenReader(std::function<void()> wake);
    ~ScreenReader();
    ScreenReader(const ScreenReader&) = delete;
    ScreenReader& operator=(const ScreenReader&) = delete;

    ReaderLink& link();

private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

}  // namespace convscope::app
