// The fields of a session's choices in one list each: session files, the words of undo and the tests' random sessions
// are made from these lists. A new plain field needs its declaration and its line here. A field whose type a visitor
// does not take as plain has an overload there.
#pragma once

#include <limits>
#include <tuple>
#include <type_traits>

#include "app/session/session_state.h"

namespace convscope::app {

enum class PathKind {
    none,
    whole,         ///< undo shows all of it
    by_file_name,  ///< undo shows the last part of it
};

struct FieldRules {
    double min = -std::numeric_limits<double>::infinity();  ///< of a number
    double max = std::numeric_limits<double>::infinity();
    const char* empty = "-";         ///< what undo shows where there is none
    const char* on = nullptr;        ///< all that undo says of a flag that goes on, and its words where it goes off
    bool left_out = false;           ///< of the file where it is false or 0
    bool written_empty = false;      ///< other texts are left out where they are empty
    PathKind path = PathKind::none;  ///< of a file, which the session finds again
};

struct Field {
    const char* key;              ///< in a session file
    const char* words = nullptr;  ///< what undo calls it; null: a change of it is not told, or in words of its own
    FieldRules rules = {};
};

/// The base of visitors. One is called with a Field and its value in each of the choices: one, or two that are
/// compared.
struct FieldVisitor {
    /// Where this field differs, what comes after it goes with it, and undo does not tell of it.
    void rest_goes_with(const auto&...) const {}
};

template <class T, class Choice>
concept Is = std::is_same_v<std::remove_const_t<T>, Choice>;

/// Those of [measure] alone.
void visit_fields(auto&& visit, Is<Choices> auto&... of) {
    visit({"device"}, of.device...);
    visit({"occupancy_model"}, of.occupancy_model...);
    visit({"method"}, of.method...);
    visit({"methods"}, of.live_methods...);
    visit({"scope"}, of.scope...);
    visit({"cache"}, of.cache...);
}

void visit_fields(auto&& visit, Is<Selection> auto&... of) {
    visit({"image", "image", {.min = 0}}, of.image...);
    visit({"channel", "channel", {.min = 0}}, of.channel...);
    visit({"filter", "filter", {.min = 0}}, of.filter...);
    visit({"automatic", nullptr, {.left_out = true}}, of.automatic...);
}

void visit_fields(auto&& visit, Is<InputElement> auto&... of) {
    visit({"image", nullptr, {.min = 0}}, of.n...);
    visit({"channel", nullptr, {.min = 0}}, of.c...);
    visit({"row", nullptr, {.min = 0}}, of.h...);
    visit({"col", nullptr, {.min = 0}}, of.w...);
}

void visit_fields(auto&& visit, Is<LayerChoice> auto&... of) {
    visit({"whole"}, of.whole...);
    visit({"below_a_pixel", "what a pixel shows"}, of.aggregate...);
    visit({"below_a_pixel_of_a_map", "what a pixel shows"}, of.map_aggregate...);
    visit({"array", "array"}, of.array...);  // each with its tab as key
    visit({"pinned"}, of.pinned...);
}

void visit_fields(auto&& visit, Is<PageChoice> auto&... of) {
    visit({"beside", "second layout", {.empty = "none"}}, of.companion...);
    visit({"solution"}, of.solution...);
    visit({"block_row", nullptr, {.min = 0}}, of.block...);
    visit({"zeros_by_channel", "zeros by channel"}, of.balance.by_channel...);
    visit({"formats_of", "matrix"}, of.formats.of...);
    visit({"format", "format", {.empty = "all"}}, of.formats.format...);
    visit({"next_format", "second format", {.empty = "none"}}, of.formats.next...);
    visit({"whole_matrix", "whole matrix"}, of.formats.whole...);
}

void visit_fields(auto&& visit, Is<StepSide> auto&... of) {
    visit({"kernel"}, of.kernel...);
    visit({"block"}, of.block...);
    visit({"thread", nullptr, {.min = 0, .max = 1023}}, of.thread...);
    visit({"steps", nullptr, {.min = 0}}, of.done...);
}

void visit_fields(auto&& visit, Is<StepChoice> auto&... of) {
    visit({"beside", "second kernel"}, of.companion...);
    visit({"slice", "the whole layer is traced", {.on = "a slice is traced", .left_out = true}}, of.slice...);
    visit.rest_goes_with(of.slice...);
    visit.rest_goes_with(of.companion...);
    visit({"side"}, of.sides...);
    visit({"speed", "steps a second", {.min = 0, .max = 10000}}, of.speed...);
    visit({"breakpoints"}, of.marks...);  // and "watches"
}

void visit_fields(auto&& visit, Is<CompareChoice> auto&... of) {
    visit({"page"}, of.page...);
    visit({"query", "filter"}, of.query...);
    visit({"scope", "what is timed"}, of.scope...);
    visit({"layer", "layer of the plots"}, of.layer...);
    visit({"x", "x"}, of.x...);
    visit({"y", "y"}, of.y...);
    visit({"map_x", "the map's x"}, of.map_x...);
    visit({"map_y", "the map's y"}, of.map_y...);
    visit({"dense", "dense work"}, of.dense...);
    visit({"sort", "order by"}, of.sort...);
    visit({"descending", "descending"}, of.descending...);
    visit({"before", "before"}, of.before...);
    visit({"after", "after"}, of.after...);
}

void visit_fields(auto&& visit, Is<RecordSource> auto&... of) {
    visit({"records"}, of.kind...);
    visit({"recorded"}, of.name...);
    visit({"recorded_beside"}, of.companions...);
    visit({"files", nullptr, {.path = PathKind::whole}}, of.files...);
}

void visit_fields(auto&& visit, Is<SweepAxis> auto&... of) {
    visit({"vary"}, of.kind...);
    visit({"tunable"}, of.tunable...);
    visit({"values", nullptr, {.written_empty = true}}, of.values...);
}

void visit_fields(auto&& visit, Is<SweepChoice> auto&... of) {
    visit({"axis"}, of.axes...);
    visit({"methods", "for the sweep"}, of.methods...);
    visit({"timeout_s", "seconds of sampling", {.min = 0.001, .max = 3600}}, of.timeout_s...);
    visit({"metric", "the sweep's plots"}, of.metric...);
    visit({"pane"}, of.pane...);
    visit({"method", "method of the map"}, of.method...);
    visit({"filter", "the sweep's filter"}, of.query...);
    visit({"recorded", "recorded sweep"}, of.recorded...);
    visit({"csv", "the sweep's file", {.path = PathKind::whole}}, of.csv_path...);
}

void visit_fields(auto&& visit, Is<NetworkChoice> auto&... of) {
    visit({"name", "network"}, of.name...);
    visit({"model", "model", {.path = PathKind::by_file_name}}, of.model...);
    visit({"input", "the model's input", {.path = PathKind::by_file_name}}, of.input...);
    visit({"n", "batch", {.min = 1, .max = 4096}}, of.n...);
    visit({"chain", "chain"}, of.chain...);
    visit({"methods", "for networks"}, of.methods...);
    visit({"timeout_s", "seconds for each layer", {.min = 0.001, .max = 3600}}, of.timeout_s...);
}

void visit_fields(auto&& visit, Is<KernelChoice> auto&... of) {
    visit({"file", "file", {.path = PathKind::by_file_name}}, of.file...);
    visit({"method", "method"}, of.method...);
    visit.rest_goes_with(of.file...);
    visit.rest_goes_with(of.method...);
    visit({"entry", "kernel"}, of.entry...);
    visit({"given", "an argument of the kernel"}, of.given...);
    visit({"launch", "launch", {.min = 0, .max = max_launch, .left_out = true}}, of.launch...);
    visit.rest_goes_with(of.launch...);
    visit({"count", "counts"}, of.count...);
    visit({"ptx", "PTX hidden", {.on = "PTX shown"}}, of.ptx...);
    visit({"sass"}, of.sass...);
    visit({"block", "block"}, of.block...);
    visit({"warp", "warp", {.min = 0, .max = 31}}, of.warp...);
    visit({"lane", "lane", {.min = 0, .max = 31}}, of.lane...);
    visit({"steps", "step", {.min = 0, .max = max_line_step}}, of.step...);
}

/// Each is a table of the file, or a value of its top. Of the Choices, which [measure] has some fields of, others have
/// tables of their own, and come after them.
void visit_fields(auto&& visit, Is<SessionState> auto&... of) {
    visit({"view"}, of.view...);
    visit({"tab"}, of.tab...);
    visit({"measure"}, of.choices...);
    visit({"workload"}, of.choices.workload...);
    visit({"selection"}, of.choices.selection...);
    visit({"launch"}, of.choices.launch...);
    visit({"pin"}, of.pinned...);
    visit({"layer"}, of.layer...);
    visit({"pages"}, of.pages...);
    visit({"step"}, of.step...);
    visit({"compare"}, std::tie(of.compare, of.records)...);
    visit({"sweep"}, of.sweep...);
    visit({"network"}, of.network...);
    visit({"kernel"}, of.kernel...);
}

template <class T>
concept HasFields = requires(const FieldVisitor& visit, T& value) {
    visit_fields(visit, value);
};

}  // namespace convscope::app
