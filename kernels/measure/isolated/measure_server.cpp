#include "kernels/measure/isolated/measure_server.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/measure/isolated/local_measurer.h"
#include "kernels/measure/isolated/message_pipe.h"
#include "kernels/measure/isolated/wire_types.h"

namespace convscope {
namespace {

class MeasureServer {
public:
    MeasureServer(Registry& registry, int socket) : registry_(registry), pipe_(socket), measurer_(registry) {}

    [[noreturn]] void run() {
        std::thread([this] { listen(); }).detach();
        for (;;) {
            const auto [message, stop] = next_request();
            answer([&, &message = message, &stop = stop] {
                if (message.kind == MessageKind::user_run) return run_user_kernel(message.bytes);
                return measure(message.bytes, stop);
            });
        }
    }

private:
    /// On a thread of its own, so that a stop arrives while a measurement is under way.
    void listen() {
        while (const std::optional<Message> message = pipe_.receive()) {
            const std::scoped_lock lock(mutex_);
            if (message->kind == MessageKind::measure || message->kind == MessageKind::user_run) {
                request_ = *message;
                stop_ = std::stop_source();
                goes_ = 0;
            }
            if (message->kind == MessageKind::go) ++goes_;
            if (message->kind == MessageKind::stop) stop_.request_stop();
            wake_.notify_all();
        }
        _exit(0);
    }

    std::pair<Message, std::stop_token> next_request() {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this] { return request_.has_value(); });
        return {*std::exchange(request_, std::nullopt), stop_.get_token()};
    }

    void measure(const std::string& bytes, const std::stop_token& stop) {
        WireReader wire(bytes);
        bool asks = false;  // before each sample
        PointRequest request;
        exchange_all(wire, asks, request);
        pipe_.send(MessageKind::rows, packed(measurer_.measure(request, sinks(asks), stop)));
    }

    void run_user_kernel(const std::string& bytes) {
        const auto request = unpacked<UserRunRequest>(bytes);
        const auto sign_of_life = [this] { pipe_.send(MessageKind::progress); };
        pipe_.send(MessageKind::user_run,
                   packed(convscope::run_user_kernel(registry_.device(request.device), request, sign_of_life)));
    }

    template <class Work>
    void answer(const Work& work) {
        try {
            work();
        } catch (const Error& error) {
            const bool memory = dynamic_cast<const OutOfMemory*>(&error) != nullptr;
            pipe_.send(MessageKind::error, packed(error.kind(), memory, std::string(error.what())));
        } catch (const std::bad_alloc&) {
            pipe_.send(MessageKind::error, packed(ErrorKind::failed, true, std::string("the host's memory ran out")));
        } catch (const std::exception& error) {
            pipe_.send(MessageKind::error, packed(ErrorKind::failed, false, std::string(error.what())));
        }
    }

    PointSinks sinks(bool asks) {
        PointSinks sinks;
        sinks.phase = [this](const std::string& text) { pipe_.send(MessageKind::phase, packed(text)); };
        sinks.warning = [this](const std::string& text) { pipe_.send(MessageKind::warning, packed(text)); };
        sinks.measure.working = [this](std::size_t at) { pipe_.send(MessageKind::working, packed(at)); };
        sinks.measure.failed = [this](std::size_t at) { pipe_.send(MessageKind::failed, packed(at)); };
        sinks.measure.progress = [this](const Progress& now) { pipe_.send(MessageKind::progress, packed(now)); };
        if (!asks) return sinks;
        sinks.measure.before_sample = [this] {
            pipe_.send(MessageKind::before_sample);
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return goes_ > 0; });
            --goes_;
        };
        sinks.measure.after_sample = [this] { pipe_.send(MessageKind::after_sample); };
        return sinks;
    }

    Registry& registry_;
    MessagePipe pipe_;
    LocalMeasurer measurer_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable wake_;
    std::optional<Message> request_;
    int goes_ = 0;
    std::stop_source stop_;
};

}  // namespace

void serve_measurements(Registry& registry, int socket) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    // Output that a user's kernel prints while it is timed is discarded.
    if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    MeasureServer(registry, socket).run();
}

}  // namespace convscope
