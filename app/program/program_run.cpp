#include "app/program/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "app/program/built_program.h"
#include "app/program/call_sites.h"
#include "kernels/core/error.h"
#include "kernels/runtime/report.h"

namespace convscope::app {
namespace {

using Json = nlohmann::ordered_json;
using Frames = std::vector<std::uint64_t>;

Frames frames_of(const Json& event) {
    return event.value("frames", Frames{});
}

/// "d_x" of "cudaMalloc((void **)&d_x, bytes)", and the like: what the line calls what it allocates, in its order.
std::vector<std::string> names_in(const std::string& line) {
    static const std::regex allocation(
        R"(cuda(?:Malloc\w*|HostAlloc|HostRegister)\s*(?:<[^>]*>)?\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)|reinterpret_cast\s*<[^>]*>\s*\(|\()?\s*&?\s*\(?\s*([\w.\[\]]+(?:->[\w.\[\]]+)*))");
    constexpr std::size_t max_line = 1000;  // of a longer one the search may take all of the stack
    std::vector<std::string> names;
    if (line.size() > max_line) return names;
    for (std::sregex_iterator match(line.begin(), line.end(), allocation), end; match != end; ++match)
        names.push_back((*match)[1]);
    return names;
}

/// Translates the events of a run into the words of its source.
class Reading {
public:
    Reading(const std::vector<Json>& events, const BuiltProgram& program, const std::stop_token& stop)
        : events_(events),
          sites_(program.file, addresses(events), stop),
          file_(program.source.empty() ? program.file : program.source) {
        for (const Json& event : events)
            if (event.value("event", "") == "allocation" && event.contains("id")) {
                Origin& origin = allocations_[event["id"].get<std::int64_t>()];
                origin.call = event.value("call", "");
                origin.site = sites_.of(frames_of(event));
                if (origin.site && !origin.site->file.empty()) {
                    origin.frames = frames_of(event);
                    std::ranges::reverse(origin.frames);
                    calls_of_line_[origin.site->text()].insert(origin.frames);
                }
            }
        for (auto& [id, origin] : allocations_) origin.name = name_of(origin);
    }

    ProgramRun run() {
        ProgramRun made;
        for (const Json& event : events_) {
            const std::string what = event.value("event", "");
            if (what == "launch") add_launch(made, event);
            if (what == "fault") add_fault(made, event);
            if (what == "leak") add_leak(made, event);
            if (what == "note")
                add_once(made.notes, fmt::format("{} {} {}", place(event), event.value("call", ""), words(event)));
            if (what == "no_times")
                add_once(made.notes,
                         fmt::format("{} cudaEventElapsedTime gives 0: a simulated GPU has no times", place(event)));
            if (what == "unseen") note_unseen(made, event.value("number", std::int64_t{0}));
        }
        return made;
    }

private:
    struct Origin {
        std::string call, name;
        std::optional<CallSite> site;
        Frames frames;  ///< the outermost first; none where its line is not known
    };

    /// Where a line has several allocations, all of which were made, they are told apart by the order of their code;
    /// otherwise a name may be another one's.
    std::string name_of(const Origin& origin) {
        if (origin.frames.empty()) return {};
        const std::vector<std::string> names = names_in(source_line(*origin.site));
        const std::set<Frames>& calls = calls_of_line_.at(origin.site->text());
        if (names.size() != calls.size()) return names.size() == 1 ? names.front() : std::string();
        return names[static_cast<std::size_t>(std::distance(calls.begin(), calls.find(origin.frames)))];
    }

    static std::vector<std::uint64_t> addresses(const std::vector<Json>& events) {
        std::vector<std::uint64_t> all;
        for (const Json& event : events) {
            const auto frames = frames_of(event);
            all.insert(all.end(), frames.begin(), frames.end());
        }
        return all;
    }

    const std::string& source_line(const CallSite& site) {
        std::vector<std::string>& lines = sources_[site.file.string()];
        if (lines.empty()) {
            std::ifstream file(site.file);
            for (std::string line; std::getline(file, line);) lines.push_back(line);
            lines.emplace_back();
        }
        return lines[std::min<std::size_t>(site.line - 1, lines.size() - 1)];
    }

    std::string place(const Json& event) const {
        const auto site = sites_.of(frames_of(event));
        return site ? site->text() : file_.filename().string();
    }

    /// The program's name for an allocation.
    std::string label(std::int64_t id) const {
        const auto known = allocations_.find(id);
        if (known == allocations_.end() || known->second.name.empty()) return fmt::format("allocation {}", id);
        return known->second.name;
    }

    /// With the labels of allocations in the places of their tokens.
    std::string in_words(const std::string& text) const {
        std::string result;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
            const std::string digits = end == std::string::npos ? "" : text.substr(at + 1, end - at - 1);
            if (digits.empty() || digits.size() > 9 ||
                !std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c); })) {
                result += text[at];
                continue;
            }
            result += label(std::stoll(digits));
            at = end;
        }
        return result;
    }
    std::string words(const Json& event) const { return in_words(event.value("what", "")); }

    /// "; allocated at add.cu:12"
    std::string origin_of(const Json& event) const {
        const auto known = allocations_.find(event.value("allocation", std::int64_t{0}));
        if (known == allocations_.end() || !known->second.site) return {};
        return fmt::format("; allocated at {}", known->second.site->text());
    }

    static void add_once(std::vector<std::string>& list, std::string text) {
        if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
    }

    ProgramFinding& add(ProgramRun& made, const std::string& key, ProgramFinding finding) {
        const auto [known, is_new] = found_.try_emplace(key, made.findings.size());
        if (is_new) {
            finding.launches_before = made.launches.size();
            made.findings.push_back(std::move(finding));
            return made.findings.back();
        }
        ProgramFinding& earlier = made.findings[known->second];
        earlier.times += finding.times;
        earlier.launches.insert(earlier.launches.end(), finding.launches.begin(), finding.launches.end());
        return earlier;
    }

    void add_launch(ProgramRun& made, const Json& event) {
        ProgramLaunch launch;
        launch.kernel = event.value("kernel", "");
        launch.at = place(event);
        for (const char* key : {"grid", "block", "shared_bytes", "stream", "seconds", "figures"})
            if (event.contains(key)) launch.details[key] = event[key];
        const auto sizes = [&](const char* key) {
            const Json& values = event.at(key);
            return Dim3{values.at(0).get<std::int64_t>(), values.at(1).get<std::int64_t>(),
                        values.at(2).get<std::int64_t>()};
        };
        launch.grid = sizes("grid");
        launch.block = sizes("block");
        if (event.contains("figures"))
            launch.warp_instructions = event["figures"].value("warp_instructions", std::int64_t{0});
        launch.left_out = event.value("left_out", "");
        if (event.contains("kept")) {
            launch.kept = {{"grid", event.at("grid")}, {"block", event.at("block")}, {"kept", event["kept"]}};
            for (Json& array : launch.kept["kept"]["memory"])
                array["name"] = in_words(array["name"].get<std::string>());
        }
        const std::size_t number = made.launches.size();
        made.launches.push_back(std::move(launch));
        if (event.contains("failure"))
            add_once(made.failures, fmt::format("{} launched at {}: {}", event.value("kernel", ""), place(event),
                                                event["failure"].get<std::string>()));
        for (const Json& note : event.value("notes", Json::array())) add_once(made.notes, note.get<std::string>());
        for (const Json& found : event.value("findings", Json::array())) {
            ProgramFinding finding;
            finding.kind = found.value("kind", "");
            finding.at = found.value("at", "");
            finding.times = found.value("times", std::int64_t{1});
            finding.launches = {number};
            std::string text = found.value("text", "");
            if (const std::string often = fmt::format(" ({} times)", finding.times); text.ends_with(often))
                text.resize(text.size() - often.size());
            finding.text = in_words(text) + origin_of(found);
            finding.details = found;
            for (const char* key : {"element", "what"})
                if (found.contains(key)) finding.details[key] = in_words(found[key].get<std::string>());
            finding.details.erase("text");
            std::string array = in_words(found.value("element", ""));
            array = array.substr(0, array.rfind('['));
            const std::string other = found.contains("other") ? found["other"].value("at", "") : "";
            add(made, fmt::format("{}\n{}\n{}\n{}", finding.kind, finding.at, array, other), finding);
        }
    }

    void add_fault(ProgramRun& made, const Json& event) {
        ProgramFinding finding;
        finding.kind = event.value("kind", "");
        finding.at = place(event);
        finding.text = fmt::format("{} {} {}: {}{}", finding.kind, finding.at, event.value("call", ""), words(event),
                                   origin_of(event));
        if (finding.kind == "failed" || finding.kind == "not_supported")
            return add_once(made.failures, fmt::format("{} {}: {}", finding.at, event.value("call", ""), words(event)));
        finding.details = {
            {"kind", finding.kind}, {"at", finding.at}, {"call", event.value("call", "")}, {"what", words(event)}};
        if (const std::string error = event.value("error", ""); !error.empty()) finding.details["error"] = error;
        const std::string key = finding.text;
        add(made, key, std::move(finding));
        if (event.contains("number")) by_number_[event["number"].get<std::int64_t>()] = found_.at(key);
    }

    void add_leak(ProgramRun& made, const Json& event) {
        if (event.contains("at")) return add_leak_of_kernels(made, event);
        const std::int64_t id = event.value("allocation", std::int64_t{0});
        const auto known = allocations_.find(id);
        ProgramFinding finding;
        finding.kind = "leak";
        finding.at =
            known != allocations_.end() && known->second.site ? known->second.site->text() : file_.filename().string();
        finding.text = fmt::format("leak {} {}: {}, {} bytes, is never freed", finding.at, event.value("call", ""),
                                   label(id), event.value("bytes", std::int64_t{0}));
        finding.details = {{"kind", "leak"},
                           {"at", finding.at},
                           {"call", event.value("call", "")},
                           {"bytes", event.value("bytes", std::int64_t{0})}};
        add(made, fmt::format("leak\n{}\n{}", finding.at, label(id)), std::move(finding));
    }

    /// Reports memory that malloc() in kernels left allocated.
    void add_leak_of_kernels(ProgramRun& made, const Json& event) {
        ProgramFinding finding;
        finding.kind = "leak";
        finding.at = event.value("at", "");
        finding.times = event.value("times", std::int64_t{1});
        finding.text = fmt::format("leak {} malloc: no kernel frees the {} bytes that it has allocated here",
                                   finding.at, event.value("bytes", std::int64_t{0}));
        finding.details = {
            {"kind", "leak"}, {"at", finding.at}, {"call", "malloc"}, {"bytes", event.value("bytes", std::int64_t{0})}};
        add(made, "leak of kernels\n" + finding.at, std::move(finding));
    }

    void note_unseen(ProgramRun& made, std::int64_t number) {
        const auto known = by_number_.find(number);
        if (known == by_number_.end()) return;
        made.findings[known->second].text += "; nobody asks for this error: cudaGetLastError() after the launch";
    }

    const std::vector<Json>& events_;
    const CallSites sites_;
    const std::filesystem::path file_;
    std::map<std::int64_t, Origin> allocations_;
    std::map<std::string, std::set<Frames>> calls_of_line_;  ///< by "add.cu:12"
    std::map<std::string, std::vector<std::string>> sources_;
    std::map<std::string, std::size_t> found_;
    std::map<std::int64_t, std::size_t> by_number_;
};

}  // namespace

std::string ProgramFinding::line() const {
    std::string often;
    if (launches.size() > 1)
        often = fmt::format(" ({} times in {} launches)", times, launches.size());
    else if (times > 1)
        often = fmt::format(" ({} times)", times);
    return text + often;
}

bool ProgramRun::clean() const {
    return findings.empty() && failures.empty() && end.failure.empty() && end.signal == 0 && end.status == 0;
}

std::string ProgramRun::summary() const {
    const auto count = [](std::size_t number, const char* what, const char* plural) {
        return fmt::format("{} {}{}", number, what, number == 1 ? "" : plural);
    };
    std::string text = fmt::format("ended with status {}", end.status);
    if (end.signal != 0) text = fmt::format("was ended by signal {} ({})", end.signal, strsignal(end.signal));
    if (!end.failure.empty()) text = end.failure;
    std::set<std::string> kernels;
    for (const ProgramLaunch& launch : launches) kernels.insert(launch.kernel);
    text += "; " + count(launches.size(), "launch", "es");
    if (!kernels.empty()) text += " of " + count(kernels.size(), "kernel", "s");
    if (!findings.empty()) text += ", " + count(findings.size(), "finding", "s");
    if (!failures.empty()) return text + ", not all could be checked";
    return text + (findings.empty() ? ", nothing found" : "");
}

ProgramRun run_program(const ProgramRequest& request, const std::stop_token& stop) {
    const BuiltProgram program = build_program(request.file, request.defines, stop);
    ProgramStart start;
    start.file = program.file;
    start.name = program.source.empty() ? request.file.string()
                                        : std::filesystem::path(request.file).replace_extension().string();
    start.arguments = request.arguments;
    start.model = request.model;
    start.counts = request.counts;
    start.max_seconds = request.max_seconds;
    std::shared_ptr<const LaunchMemory> memory;
    if (request.keep) {
        memory = std::make_shared<LaunchMemory>();
        start.launches = memory->descriptor();
        start.folder = std::filesystem::absolute(request.file).parent_path();
    }
    std::vector<Json> events;
    const ProcessEnd end = run_process(
        start,
        [&](const std::string& line) {
            Json event = Json::parse(line, nullptr, false);
            if (event.is_object()) events.push_back(std::move(event));
        },
        stop);
    // The loader only warns of what it cannot load, and goes on.
    const auto begins = [](const Json& event) { return event.value("event", "") == "begin"; };
    if (end.signal == 0 && end.failure.empty() && std::ranges::none_of(events, begins))
        throw Error(
            ErrorKind::failed,
            fmt::format("{} ran without the simulated GPU, whose convscope_cudart.so cannot be loaded", start.name));
    const auto ends = [](const Json& event) { return event.value("event", "") == "end"; };
    const bool cut_short =
        end.signal == 0 && end.status == 0 && end.failure.empty() && std::ranges::none_of(events, ends);
    // Memory that a failed program leaves behind is no fault of its own.
    const auto failed_launch = [](const Json& event) { return event.contains("failure"); };
    if (end.signal != 0 || end.status != 0 || !end.failure.empty() || std::ranges::any_of(events, failed_launch))
        std::erase_if(events, [](const Json& event) { return event.value("event", "") == "leak"; });
    ProgramRun run;
    try {
        run = Reading(events, program, stop).run();
    } catch (const Json::exception&) {
        throw Error(
            ErrorKind::failed,
            fmt::format("{} has written into what the simulated GPU reports, which cannot be read", start.name));
    }
    run.end = end;
    run.memory = std::move(memory);
    if (cut_short)
        run.failures.push_back(
            "what the simulated GPU reports ended before the program, which called _exit() or closed all of its files");
    return run;
}

std::vector<std::string> words_in(const std::string& text) {
    std::istringstream list(text);
    std::vector<std::string> words;
    for (std::string word; list >> std::quoted(word);) words.push_back(word);
    return words;
}

Json json_of(const ProgramRequest& request, const ProgramRun& run) {
    Json json{{"program", request.file.string()},
              {"arguments", request.arguments},
              {"model", request.model},
              {"status", run.end.signal == 0 && run.end.failure.empty() ? Json(run.end.status) : Json()},
              {"clean", run.clean()}};
    if (run.end.signal != 0) json["signal"] = run.end.signal;
    if (!run.end.failure.empty()) json["failure"] = run.end.failure;
    json["failures"] = run.failures;
    json["notes"] = run.notes;
    json["launches"] = Json::array();
    for (const ProgramLaunch& launch : run.launches) {
        Json one{{"kernel", launch.kernel}, {"at", launch.at}};
        one.update(launch.details);
        json["launches"].push_back(std::move(one));
    }
    json["findings"] = Json::array();
    for (const ProgramFinding& finding : run.findings) {
        Json one = finding.details;
        one["times"] = finding.times;
        one["launches"] = finding.launches;
        one["text"] = finding.line();
        json["findings"].push_back(std::move(one));
    }
    return json;
}

}  // namespace convscope::app
