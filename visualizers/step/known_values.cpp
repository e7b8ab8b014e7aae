#include "visualizers/step/known_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/ptx/text/expression.h"
#include "visualizers/explain/code_text.h"

namespace convscope {
namespace {

constexpr int max_depth = 16;  ///< of constants that are made of constants

bool begins_word(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}
bool continues_word(char c) {
    return begins_word(c) || std::isdigit(static_cast<unsigned char>(c));
}

[[noreturn]] void reject(std::string sentence) {
    throw Error(ErrorKind::usage, std::move(sentence));
}

std::string_view line_of_text(const simt::KernelSource& file, unsigned line) {
    const std::vector<std::string_view> lines = lines_of(file.text);
    return line == 0 || line > lines.size() ? std::string_view{} : lines[line - 1];
}

const simt::KernelSource* file_of(const std::source_location& at) {
    const std::string path = simt::source_path(at);
    for (const simt::KernelSource& source : simt::kernel_sources())
        if (path == source.path) return &source;
    return nullptr;
}

simt::KernelPlace head_of(const TracedBlock& block) {
    return simt::place_of_kernel(block.launch().kernel);
}

KernelText text_of(const TracedBlock& block) {
    const simt::KernelPlace head = head_of(block);
    return head.source ? KernelText(head.source->text, head.line) : KernelText({}, 0);
}

/// threadIdx.x and the like; unset for every other name.
std::optional<std::int64_t> built_in(const TracedBlock& block, unsigned thread, const std::string& name) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos || dot + 2 != name.size()) return std::nullopt;
    const char axis = name.back();
    if (axis < 'x' || axis > 'z') return std::nullopt;
    const auto of = [&](const auto& dim) -> std::int64_t { return axis == 'x' ? dim.x : axis == 'y' ? dim.y : dim.z; };
    const std::string variable = name.substr(0, dot);
    if (variable == "threadIdx") return of(block.trace().thread_index(thread));
    if (variable == "blockIdx") return of(block.trace().block);
    if (variable == "blockDim") return of(block.launch().block);
    if (variable == "gridDim") return of(block.launch().grid);
    return std::nullopt;
}

std::optional<std::size_t> array_named(const TracedBlock& block, const std::string& name) {
    for (std::size_t i = 0; i < block.arrays().size(); ++i)
        if (block.arrays()[i].facts.name == name) return i;
    return std::nullopt;
}

}  // namespace

/// Evaluates for one lane after the other.
class LaneReader {
public:
    LaneReader(const KnownValues& names, TracedBlock& block, const WarpPosition& at)
        : names_(names), block_(block), at_(at) {}

    /// Both throw Error(usage) with why it is not known.
    double expression(const std::string& text, unsigned thread, bool whole = false, int depth = 0);
    double name(const std::string&, unsigned thread, int depth = 0);
    /// The lane's last event in the lines that give a name its value; null where there was none yet.
    const simt::TraceEvent* given(const std::vector<const KnownValues::Giver*>&, unsigned thread);

    /// A line of values, by 'value', which throws where there is none.
    template <class Value>
    LaneValues of_lanes(std::string meaning, Value value) {
        LaneValues all{std::move(meaning), {}, {}};
        const unsigned first = at_.warp * simt::warp_size;
        const unsigned end = std::min(first + simt::warp_size, block_.trace().threads());
        for (unsigned thread = first; thread < end; ++thread) {
            LaneValue lane{thread, {}, {}, {}, false};
            try {
                value(lane);
            } catch (const Error& error) {
                lane.why_not = error.what();
            }
            all.lanes.push_back(std::move(lane));
        }
        // One reason for all of them is no lane's own.
        const auto same = [&](const LaneValue& lane) { return !lane.value && lane.why_not == all.lanes[0].why_not; };
        if (!all.lanes.empty() && std::ranges::all_of(all.lanes, same)) all = {{}, all.lanes[0].why_not, {}};
        return all;
    }

private:
    double element(const std::string& array, double index);

    const KnownValues& names_;
    TracedBlock& block_;
    const WarpPosition& at_;
    std::map<std::uint16_t, TracedBlock::LaneEvents> runs_;  ///< of the warp, by source
};

double LaneReader::element(const std::string& array, double index) {
    const std::optional<std::size_t> found = array_named(block_, array);
    if (!found) reject(fmt::format("the block touches no array '{}'", array));
    const StepArray& of = block_.arrays()[*found];
    if (index != std::floor(index)) reject(fmt::format("{}[{:.6g}]: the index is not a whole number", array, index));
    if (index < 0 || index >= static_cast<double>(of.facts.elements))
        reject(fmt::format("{}[{:.0f}] is outside its {} elements", array, index, of.facts.elements));
    const auto at = static_cast<std::int64_t>(index);
    const simt::ElementState state = block_.state(at_.done).arrays[*found].at(at);
    if (!state.known) reject(fmt::format("{}[{}] is not known: nobody has written it, or it is not traced", array, at));
    return state.value;
}

const simt::TraceEvent* LaneReader::given(const std::vector<const KnownValues::Giver*>& givers, unsigned thread) {
    const simt::TraceEvent* last = nullptr;
    for (const KnownValues::Giver* giver : givers) {
        const auto kind = giver->given.by_product ? simt::EventKind::multiply_add : simt::EventKind::load;
        auto found = runs_.find(giver->source);
        if (found == runs_.end())
            found = runs_.emplace(giver->source, block_.last_runs(giver->source, kind, at_.done, at_.warp)).first;
        const simt::TraceEvent* event = found->second[thread % simt::warp_size];
        if (event && giver->given.whole && event->real) continue;
        if (event && (!last || event > last)) last = event;  // a thread's events stand in its own order
    }
    return last;
}

double LaneReader::name(const std::string& name, unsigned thread, int depth) {
    if (const auto index = built_in(block_, thread, name)) return static_cast<double>(*index);
    const auto& arguments = block_.trace().arguments;
    if (const auto given = arguments.find(name); given != arguments.end()) return static_cast<double>(given->second);
    if (const std::string* made_of = names_.text_.constant(name)) {
        if (depth == max_depth) reject(fmt::format("'{}' is made of too many constants", name));
        const double value = expression(*made_of, thread, true, depth + 1);
        if (std::abs(value) > 0x1p31) reject(fmt::format("'{}' does not fit an int", name));
        return value;
    }
    if (array_named(block_, name)) reject(fmt::format("'{}' is an array; give an index: {}[0]", name, name));
    const auto givers = names_.givers(names_.file_, name);
    if (givers.empty()) reject(fmt::format("the trace does not keep '{}'", name));
    const simt::TraceEvent* event = given(givers, thread);
    if (!event) reject(fmt::format("'{}' has no value yet", name));
    return event->value;
}

double LaneReader::expression(const std::string& text, unsigned thread, bool whole, int depth) {
    std::string numbers;  // the text with numbers in place of names and elements
    int operands = 0;
    double last = 0;
    bool alone = true, called = false;
    std::vector<bool> calls;  // of each bracket that is open: whether it is a call's
    const auto put = [&](double value) {
        ++operands;
        last = value;
        numbers += fmt::format("({:.17g})", value);
    };
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (begins_word(c)) {
            std::size_t end = i;
            while (end < text.size() && (continues_word(text[end]) ||
                                         (text[end] == '.' && end + 1 < text.size() && begins_word(text[end + 1]))))
                ++end;
            const std::string word = text.substr(i, end - i);
            const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
            if (next < text.size() && text[next] == '(') {
                if (whole && word != "min" && word != "max") reject(fmt::format("the trace does not know {}()", word));
                numbers += word;
                alone = false;
                called = true;
                i = end;
            } else if (next < text.size() && text[next] == '[') {
                std::size_t close = next;
                for (int open = 0; close < text.size(); ++close) {
                    open += (text[close] == '[') - (text[close] == ']');
                    if (open == 0) break;
                }
                if (close == text.size()) reject(fmt::format("'{}': a [ has no ]", text));
                const std::string index = text.substr(next + 1, close - next - 1);
                put(element(word, expression(index, thread, whole, depth)));
                i = close + 1;
            } else {
                put(name(word, thread, depth));
                i = end;
            }
        } else if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') {
            while (i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) || text[i] == '.'))
                numbers += text[i++];
            while (i < text.size() && std::string_view("fFuUlL").find(text[i]) != std::string_view::npos) ++i;
            alone = false;
        } else if (c == '=' && !whole) {
            const bool compares = text.compare(i, 2, "==") == 0;
            if (!compares &&
                (numbers.empty() || std::string_view("<>!").find(numbers.back()) == std::string_view::npos))
                reject(fmt::format("'{}': = does not compare; write ==", text));
            numbers += compares ? "==" : "=";
            alone = false;
            i += compares ? 2 : 1;
        } else if (std::string_view(whole ? "+-*/%(), \n" : "+-*/%(), <>!&|?:").find(c) != std::string_view::npos) {
            if (c == '(') calls.push_back(std::exchange(called, false));
            if (c == ')' && !calls.empty()) calls.pop_back();
            if (c == ',' && (calls.empty() || !calls.back()))
                reject(fmt::format("'{}' has a comma outside of a call", text));
            numbers += c == '/' && whole ? " idiv " : std::string(1, c == '\n' ? ' ' : c);
            alone = alone && (c == ' ' || c == '\n');
            ++i;
        } else {
            reject(fmt::format("'{}' does not read at '{}'", text, text.substr(i, 8)));
        }
    }
    if (alone && operands == 1) return last;  // as it is, if it is no number
    const double value = ptx::evaluate_numbers(numbers);
    return value;
}

KnownValues::KnownValues(const TracedBlock& block) : file_(head_of(block).source), text_(text_of(block)) {
    const auto& sources = block.trace().sources;
    std::vector<std::set<std::int16_t>> arrays(sources.size());
    for (std::size_t i = 0; i < block.size(); ++i)
        if (const simt::ReplayStep& step = block.replay().at(i); step.array >= 0)
            arrays[step.source].insert(step.array);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const simt::KernelSource* file = file_of(sources[i]);
        if (!file) continue;
        if (!arrays[i].empty())
            touches_.push_back({file, sources[i].line(),
                                arrays[i].size() == 1 ? std::optional<std::size_t>(*arrays[i].begin()) : std::nullopt});
        if (const auto given = given_name(line_of_text(*file, sources[i].line())))
            givers_.push_back({file, sources[i].line(), static_cast<std::uint16_t>(i), *given});
    }
}

std::vector<const KnownValues::Giver*> KnownValues::givers(const simt::KernelSource* file,
                                                           const std::string& name) const {
    std::vector<const Giver*> found;
    for (const Giver& each : givers_)
        if (each.file == file && each.given.name == name && (file != file_ || text_.holds(each.line)))
            found.push_back(&each);
    return found;
}

/// In the kernel an array has the trace's name; in a function that it calls, the only subscript of a line is that of
/// the only array that the line touches.
std::optional<std::size_t> KnownValues::array_at(const TracedBlock& block, const simt::KernelSource& file,
                                                 unsigned line, const std::string& name) const {
    if (&file == file_ && text_.holds(line)) return array_named(block, name);
    const std::string text = without_comments(line_of_text(file, line));
    const std::size_t bracket = text.find('[');
    const bool only = bracket != std::string::npos && text.find('[', bracket + 1) == std::string::npos;
    if (!only || bracket < name.size() || text.substr(bracket - name.size(), name.size()) != name) return std::nullopt;
    const auto found =
        std::ranges::find_if(touches_, [&](const Touch& each) { return each.file == &file && each.line == line; });
    return found == touches_.end() ? std::nullopt : found->array;
}

LaneValues KnownValues::of_name(TracedBlock& block, const simt::KernelSource& file, unsigned line,
                                const std::string& name, const WarpPosition& at) const {
    LaneReader reader(*this, block, at);
    const bool in_kernel = &file == file_ && text_.holds(line);
    const auto by_name = [&](std::string meaning) {
        return reader.of_lanes(std::move(meaning),
                               [&](LaneValue& lane) { lane.value = reader.name(name, lane.thread); });
    };
    if (built_in(block, 0, name)) return by_name(name + ": set by the launch");
    if (in_kernel && block.trace().arguments.contains(name)) return by_name(name + ": given to the kernel");
    if (in_kernel && text_.constant(name)) return by_name(name + " = " + *text_.constant(name));
    const simt::ReplayStep* step = at.done > 0 ? &block.replay().at(at.done - 1) : nullptr;
    const auto is_now = [&](const simt::TraceEvent* event) {
        return step && step->warp == at.warp && std::ranges::any_of(step->events, [&](std::uint32_t index) {
                   return &block.trace().events[index] == event;
               });
    };
    if (const auto array = array_at(block, file, line, name)) {
        const StepArray& of = block.arrays()[*array];
        const auto touches = block.last_touches(*array, at.done, at.warp);
        const std::string alias = of.facts.name == name ? name : name + " is " + of.facts.name;
        const char* space = of.facts.space == simt::Space::shared ? "shared" : "global";
        return reader.of_lanes(
            fmt::format("{}, {} memory: what each lane touched last, and what it holds now", alias, space),
            [&](LaneValue& lane) {
                const simt::TraceEvent* event = touches[lane.thread % simt::warp_size];
                if (!event) reject(of.facts.name + " was not touched yet");
                lane.element = fmt::format("[{}]", event->index);
                lane.now = is_now(event);
                const simt::ElementState state = block.state(at.done).arrays[*array].at(event->index);
                if (!state.known) reject(of.facts.name + lane.element + " is not known");
                lane.value = state.value;
            });
    }
    if (const auto lines = givers(&file, name); !lines.empty()) {
        std::string where;
        for (const Giver* each : lines) where += (where.empty() ? "" : ", ") + std::to_string(each->line);
        const bool product = lines.front()->given.by_product;
        return reader.of_lanes(
            fmt::format("{}: what {} of line {} gave last", name, product ? "the fmaf" : "the load", where),
            [&](LaneValue& lane) {
                const simt::TraceEvent* event = reader.given(lines, lane.thread);
                if (!event) reject(fmt::format("line {} has not run yet", where));
                lane.value = event->value;
                lane.now = is_now(event);
            });
    }
    if (in_kernel && text_.declares(name))
        return {{}, fmt::format("{}: the trace keeps memory, multiply-adds and barriers, not this variable", name), {}};
    return {};
}

LaneValues KnownValues::of_expression(TracedBlock& block, const std::string& text, const WarpPosition& at) const {
    LaneReader reader(*this, block, at);
    return reader.of_lanes(text, [&](LaneValue& lane) { lane.value = reader.expression(text, lane.thread); });
}

}  // namespace convscope
