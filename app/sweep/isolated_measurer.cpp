#include "app/sweep/isolated_measurer.h"

#include <fmt/format.h>

#include <algorithm>
#include <stop_token>

#include "app/sweep/wire_types.h"
#include "kernels/core/error.h"
#include "kernels/measure/run_stamp.h"

namespace convscope {

/// What came back of one request.
struct IsolatedMeasurer::Answer {
    std::optional<std::vector<Record>> rows;  ///< empty: the process is gone
    std::optional<std::size_t> at_work;       ///< the candidate that was put to work last
    std::optional<std::size_t> first_failed;
    std::string last_words;
};

WorkloadSpec IsolatedMeasurer::settled(const WorkloadSpec& spec) {
    const bool given_data = spec.source == Source::file || spec.source == Source::example;
    return given_data ? make_workload(spec).spec : spec;
}

std::vector<Record> IsolatedMeasurer::measure(const PointRequest& request, const PointSinks& sinks,
                                              std::stop_token stop) {
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
            const std::string reason = fmt::format("the process that measured {}", answer.last_words);
            // Without a candidate at work it was the data or the judge: no candidate would fare better.
            const std::vector<std::size_t> lost = answer.at_work ? std::vector{pending[*answer.at_work]} : pending;
            for (const std::size_t i : lost) rows[i] = failed_row(request, i, reason);
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
        const std::optional<Message> message = pipe.receive();
        if (!message) {
            answer.last_words = process_->last_words();
            return answer;
        }
        hear(*message, sinks, answer);
    }
    return answer;
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
        case MessageKind::error: {
            WireReader wire(message.bytes);
            ErrorKind kind{};
            bool memory = false;
            std::string sentence;
            exchange_all(wire, kind, memory, sentence);
            if (memory) throw OutOfMemory(sentence);
            throw Error(kind, sentence);
        }
        case MessageKind::measure:
        case MessageKind::go:
        case MessageKind::stop:
            break;
    }
    throw Error(ErrorKind::failed, "the process that measures sent what is not for this side");
}

Record IsolatedMeasurer::failed_row(const PointRequest& request, std::size_t candidate,
                                    const std::string& reason) const {
    const Device& device = registry_.device(request.device);
    const Candidate& asked = request.candidates[candidate];
    Record row = planned_record(device, registry_.get(asked.method, device.info().kind), request.spec, asked.launch,
                                request.options);
    row.timestamp_utc = utc_now();
    row.status = Status::runtime_error;
    row.status_reason = reason;
    return row;
}

}  // namespace convscope
