#include "kernels/measure/isolated/isolated_measurer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <stop_token>

#include "kernels/core/error.h"
#include "kernels/measure/isolated/wire_types.h"

namespace convscope {
namespace {

constexpr double silence_after_stop_s = 10;

}  // namespace

double longest_silence_s(const MeasureOptions& options, DeviceKind kind) {
    if (kind == DeviceKind::sim) return std::numeric_limits<double>::infinity();
    return 60 + 12 * options.timeout_s;
}

/// The reply to one request.
struct IsolatedMeasurer::Answer {
    std::optional<std::vector<Record>> rows;  ///< empty: the process is gone, or was given up
    std::optional<std::size_t> at_work;       ///< the candidate that was put to work last
    std::optional<std::size_t> first_failed;
    Status status = Status::runtime_error;  ///< of who is to blame where there are no rows
    std::string reason;                     ///< and why
};

WorkloadSpec IsolatedMeasurer::settled(const WorkloadSpec& spec) {
    const bool given_data = spec.source == Source::file || spec.source == Source::example;
    return given_data ? make_workload(spec).spec : spec;
}

std::vector<Record> IsolatedMeasurer::measure(const PointRequest& request, const PointSinks& sinks,
                                              std::stop_token stop) {
    add_user_method(registry_, request);
    std::vector<std::optional<Record>> rows(request.candidates.size());
    std::vector<std::size_t> pending;
    for (std::size_t i = 0; i < rows.size(); ++i) pending.push_back(i);
    while (!pending.empty()) {
        PointRequest part = request;
        part.candidates.clear();
        for (const std::size_t i : pending) part.candidates.push_back(request.candidates[i]);
        const Answer answer = ask(part, sinks, stop);
        if (!answer.rows) {
            process_.reset();
            // Without a candidate at work it was the data or the reference: no candidate would fare better.
            const bool one = answer.at_work && answer.status != Status::cancelled;
            const std::vector<std::size_t> lost = one ? std::vector{pending[*answer.at_work]} : pending;
            for (const std::size_t i : lost) rows[i] = failed_row(request, i, answer.status, answer.reason);
            std::erase_if(pending, [&](std::size_t i) { return rows[i].has_value(); });
            continue;
        }
        const auto ran_into_error = [](const Record& row) { return row.status == Status::runtime_error; };
        const auto failures = std::count_if(answer.rows->begin(), answer.rows->end(), ran_into_error);
        const bool replace = failures > 0;
        if (replace) process_.reset();
        if (failures > 1 && answer.first_failed && ran_into_error((*answer.rows)[*answer.first_failed]) &&
            !stop.stop_requested()) {
            rows[pending[*answer.first_failed]] = (*answer.rows)[*answer.first_failed];
            pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(*answer.first_failed));
            continue;
        }
        for (std::size_t i = 0; i < pending.size(); ++i) rows[pending[i]] = std::move((*answer.rows)[i]);
        pending.clear();
    }
    std::vector<Record> whole;
    for (std::optional<Record>& row : rows) whole.push_back(std::move(*row));
    if (sinks.measure.record) std::for_each(whole.begin(), whole.end(), sinks.measure.record);
    return whole;
}

void throw_error(std::string_view bytes) {
    WireReader wire(bytes);
    ErrorKind kind{};
    bool memory = false;
    std::string sentence;
    exchange_all(wire, kind, memory, sentence);
    if (memory) throw OutOfMemory(sentence);
    throw Error(kind, sentence);
}

IsolatedMeasurer::Answer IsolatedMeasurer::ask(const PointRequest& request, const PointSinks& sinks,
                                               std::stop_token stop) {
    if (!process_) process_.emplace(command_);
    try {
        return converse(request, sinks, std::move(stop));
    } catch (...) {
        process_.reset();  // it may still be speaking of a request that nobody waits for
        throw;
    }
}

IsolatedMeasurer::Answer IsolatedMeasurer::converse(const PointRequest& request, const PointSinks& sinks,
                                                    std::stop_token stop) {
    MessagePipe& pipe = process_->pipe();
    Answer answer;
    const bool asks = static_cast<bool>(sinks.measure.before_sample);
    pipe.send(MessageKind::measure, packed(asks, request));
    const std::stop_callback forward(stop, [&pipe] { pipe.send(MessageKind::stop); });
    while (!answer.rows) {
        if (!comes_to_life(request, stop, answer)) return answer;
        const std::optional<Message> message = pipe.receive();
        if (!message) {
            answer.reason = fmt::format("the process that measured {}", process_->last_words());
            return answer;
        }
        hear(*message, sinks, answer);
    }
    return answer;
}

/// Waits for the next message. False, with the verdict in the answer, where there has been none for too long.
bool IsolatedMeasurer::comes_to_life(const PointRequest& request, const std::stop_token& stop, Answer& answer) {
    using Clock = std::chrono::steady_clock;  // stands still while the machine is suspended
    const auto since = [](Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    const double longest = silence_(request.options, registry_.device(request.device).info().kind);
    const Clock::time_point begin = Clock::now();
    std::optional<Clock::time_point> stopped;
    while (!process_->pipe().wait(std::chrono::milliseconds(50))) {
        if (stop.stop_requested() && !stopped) stopped = Clock::now();
        if (stopped && since(*stopped) > silence_after_stop_s) {
            answer.status = Status::cancelled;
            answer.reason = "stopped before it was sampled; its process did not end by itself";
            return false;
        }
        // The data and the reference result take as long as they take.
        if (answer.at_work && since(begin) > longest) {
            answer.status = Status::timeout;
            answer.reason = fmt::format(
                "gave no sign of life for {:.3g} s, and its process was ended; a longer --timeout waits longer",
                longest);
            return false;
        }
    }
    return true;
}

void IsolatedMeasurer::hear(const Message& message, const PointSinks& sinks, Answer& answer) {
    const auto tell = [&](const auto& sink, const auto& value) {
        if (sink) sink(value);
    };
    switch (message.kind) {
        case MessageKind::phase:
            return tell(sinks.phase, unpacked<std::string>(message.bytes));
        case MessageKind::warning:
            return tell(sinks.warning, unpacked<std::string>(message.bytes));
        case MessageKind::progress:
            return tell(sinks.measure.progress, unpacked<Progress>(message.bytes));
        case MessageKind::working:
            answer.at_work = unpacked<std::size_t>(message.bytes);
            return;
        case MessageKind::failed:
            if (!answer.first_failed) answer.first_failed = unpacked<std::size_t>(message.bytes);
            return;
        case MessageKind::before_sample:
            sinks.measure.before_sample();
            process_->pipe().send(MessageKind::go);
            return;
        case MessageKind::after_sample:
            if (sinks.measure.after_sample) sinks.measure.after_sample();
            return;
        case MessageKind::rows:
            answer.rows = unpacked<std::vector<Record>>(message.bytes);
            return;
        case MessageKind::error:
            throw_error(message.bytes);
        case MessageKind::measure:
        case MessageKind::user_run:
        case MessageKind::go:
        case MessageKind::stop:
            break;
    }
    throw Error(ErrorKind::failed, "the process that measures sent what is not for this side");
}

Record IsolatedMeasurer::failed_row(const PointRequest& request, std::size_t candidate, Status status,
                                    const std::string& reason) const {
    const Device& device = registry_.device(request.device);
    const Candidate& requested = request.candidates[candidate];
    Record row = planned_record(device, registry_.get(requested.method, device.info().kind), request.spec,
                                requested.launch, request.options);
    row.status = status;
    row.status_reason = reason;
    return row;
}

}  // namespace convscope
