#include "app/accessibility/reader_link.h"

#include <utility>

namespace convscope::app {

void ReaderLink::show(ReaderScene scene) {
    const std::lock_guard lock(mutex_);
    const bool is_known = scene_.has_value();  // that there is one to take
    scene_ = std::move(scene);
    if (notify_ && !is_known) notify_();
}

std::vector<ReaderRequest> ReaderLink::take_requests() {
    const std::lock_guard lock(mutex_);
    return std::exchange(requests_, {});
}

void ReaderLink::stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    listens_ = false;
    if (notify_) notify_();
}

void ReaderLink::serve(std::function<void()> notify) {
    const std::lock_guard lock(mutex_);
    notify_ = std::move(notify);
}

void ReaderLink::set_listens(bool listens) {
    if (stopped_ || listens_.exchange(listens) == listens) return;
    wake_();  // the first scene
}

std::optional<ReaderScene> ReaderLink::take_scene() {
    const std::lock_guard lock(mutex_);
    return std::exchange(scene_, std::nullopt);
}

void ReaderLink::request(ReaderRequest request) {
    {
        const std::lock_guard lock(mutex_);
        if (stopped_) return;
        requests_.push_back(std::move(request));
    }
    wake_();
}

}  // namespace convscope::app
