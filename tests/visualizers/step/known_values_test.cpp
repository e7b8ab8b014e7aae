#include "visualizers/step/known_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/visualizers/step/traced.h"
#include "visualizers/explain/code_text.h"

namespace convscope {
namespace {

class KnownValuesOf : public ::testing::Test {
protected:
    void trace(const char* preset, const char* method) {
        block_.emplace(testing::traced(preset, method));
        known_.emplace(*block_);
        done_ = block_->size();
    }
    const simt::KernelSource& file() const { return *simt::place_of_kernel(block_->launch().kernel).source; }
    /// The first line of a file's text that holds these words.
    static unsigned line_with(const simt::KernelSource& file, const std::string& words) {
        const auto lines = lines_of(file.text);
        const auto found =
            std::ranges::find_if(lines, [&](auto line) { return line.find(words) != std::string::npos; });
        return static_cast<unsigned>(found - lines.begin() + 1);
    }
    LaneValues name(const std::string& name, const std::string& line) {
        return known_->of_name(*block_, file(), line_with(file(), line), name, {done_, 0});
    }
    LaneValues watch(const std::string& text) { return known_->of_expression(*block_, text, {done_, 0}); }
    static std::vector<double> numbers(const LaneValues& values) {
        std::vector<double> all;
        for (const LaneValue& lane : values.lanes) all.push_back(lane.value.value_or(-999));
        return all;
    }

    std::optional<TracedBlock> block_;
    std::optional<KnownValues> known_;
    std::size_t done_ = 0;
};

using Numbers = std::vector<double>;

TEST_F(KnownValuesOf, indices_arguments_and_constants_made_of_them) {
    trace("examples/xu-fig4", "ecr1");
    done_ = 0;  // known before anything has run
    EXPECT_EQ(numbers(name("threadIdx.x", "const int thread")), (Numbers{0, 1, 2}));
    EXPECT_EQ(numbers(name("blockDim.x", "const int column")), (Numbers{3, 3, 3}));
    EXPECT_EQ(numbers(name("shape.q", "if (column >= shape.q)")), (Numbers{3, 3, 3}));
    EXPECT_EQ(numbers(name("window", "const int window")), (Numbers{9, 9, 9}));
    EXPECT_EQ(numbers(name("first", "const int first")), (Numbers{0, 9, 18}));
    EXPECT_EQ(numbers(name("column", "const int column")), (Numbers{0, 1, 2}));
    EXPECT_NE(name("first", "const int first").meaning.find("thread * window"), std::string::npos);
}

TEST_F(KnownValuesOf, an_array_is_what_each_lane_touched_last) {
    trace("examples/xu-fig4", "ecr1");
    const std::string line = "F_data[first + count] = value";
    // T2's fourth element is its last: 15 8 23 8.
    const LaneValues at_end = name("F_data", line);
    ASSERT_EQ(at_end.lanes.size(), 3U);
    EXPECT_EQ(at_end.lanes[1].element, "[12]");
    EXPECT_EQ(at_end.lanes[1].value, 8);
    done_ = 22;  // T2 alone stores its 23
    const LaneValues now = name("F_data", line);
    EXPECT_EQ(now.lanes[1].element, "[11]");
    EXPECT_EQ(now.lanes[1].value, 23);
    EXPECT_TRUE(now.lanes[1].now);
    EXPECT_FALSE(now.lanes[0].now);
    done_ = 0;
    EXPECT_TRUE(name("F_data", line).lanes.empty());
    EXPECT_NE(name("F_data", line).why_not.find("not touched yet"), std::string::npos);
}

TEST_F(KnownValuesOf, a_called_functions_parameter_is_the_array_that_its_line_touches) {
    trace("examples/xu-fig4", "ecr1");
    const simt::KernelSource* called = block_->first_helper().helper;
    ASSERT_TRUE(called);
    const unsigned line = line_with(*called, "value = x[first");
    const LaneValues array = known_->of_name(*block_, *called, line, "x", {done_, 0});
    EXPECT_EQ(array.lanes.size(), 3U) << array.why_not;
    const LaneValues value = known_->of_name(*block_, *called, line, "value", {done_, 0});
    EXPECT_NE(value.meaning.find("the load of line " + std::to_string(line)), std::string::npos) << value.meaning;
    // The constants of the kernel are not those of another function.
    EXPECT_TRUE(known_->of_name(*block_, *called, line, "window", {done_, 0}).empty());
}

TEST_F(KnownValuesOf, names_that_get_the_result_of_an_fmaf_or_a_load) {
    trace("examples/xu-fig4", "ecr1");
    const LaneValues sum = name("sum", "sum = fmaf(");
    EXPECT_EQ(numbers(sum)[1], 38);
    EXPECT_NE(sum.meaning.find("the fmaf of line"), std::string::npos);
    done_ = 1;
    EXPECT_NE(name("sum", "sum = fmaf(").why_not.find("has not run yet"), std::string::npos);
    trace("examples/xu-fig4", "ecr2");
    EXPECT_EQ(name("value", "const float value = rows").lanes.size(), 9U);
}

TEST_F(KnownValuesOf, what_the_trace_does_not_keep_is_said_and_what_is_no_variable_is_nothing) {
    trace("examples/xu-fig4", "ecr1");
    for (const char* kept_by_none : {"count", "value", "kept", "j"}) {
        const LaneValues values = name(kept_by_none, "for (int i = 0; i < shape.r");
        EXPECT_TRUE(values.lanes.empty()) << kept_by_none;
        EXPECT_NE(values.why_not.find("not this variable"), std::string::npos) << kept_by_none;
    }
    for (const char* nothing : {"for", "element_or_zero", "KernelShape", "ecr1", "x.y.z"})
        EXPECT_TRUE(name(nothing, "for (int i = 0; i < shape.r").empty()) << nothing;
}

TEST_F(KnownValuesOf, an_expression_takes_all_of_these_and_arithmetic) {
    trace("examples/xu-fig4", "ecr1");
    EXPECT_EQ(numbers(watch("F_data[first + 1] * 2")), (Numbers{44, 16, 16}));
    EXPECT_EQ(numbers(watch(" sum ")), numbers(name("sum", "sum = fmaf(")));
    EXPECT_EQ(numbers(watch("first / 2")), (Numbers{0, 4.5, 9})) << "divisions are exact";
    EXPECT_EQ(numbers(watch("first % 4")), (Numbers{0, 1, 2}));
    EXPECT_EQ(numbers(watch("max(threadIdx.x, 1) + 0.5f")), (Numbers{1.5, 1.5, 2.5}));
    EXPECT_EQ(numbers(watch("first == 9")), (Numbers{0, 1, 0}));
    EXPECT_EQ(numbers(watch("F_data[Ptr[0]]")), numbers(watch("F_data[3]")));
}

TEST_F(KnownValuesOf, an_expression_that_cannot_be_says_why) {
    trace("examples/xu-fig4", "ecr1");
    const std::map<std::string, std::string> reasons{{"F_data[99]", "outside its 27 elements"},
                                                     {"F_data[0.5]", "not a whole number"},
                                                     {"nothing[0]", "no array 'nothing'"},
                                                     {"F_data", "is an array; give an index"},
                                                     {"count + 1", "does not keep 'count'"},
                                                     {"F_data[0", "a [ has no ]"},
                                                     {"1 +", "does not read"},
                                                     {"\"x\"", "does not read at"},
                                                     {"first = 3", "write =="},
                                                     {"sum, 2", "a comma outside of a call"},
                                                     {"max(1, (first, 2))", "a comma outside of a call"},
                                                     {"system(1)", "does not read"}};
    for (const auto& [text, reason] : reasons) {
        const LaneValues values = watch(text);
        EXPECT_TRUE(values.lanes.empty()) << text;
        EXPECT_NE(values.why_not.find(reason), std::string::npos) << text << ": " << values.why_not;
    }
    // Where only some lanes lack it, each has its own reason.
    const LaneValues some = watch("F_data[threadIdx.x * 20]");
    ASSERT_EQ(some.lanes.size(), 3U);
    EXPECT_TRUE(some.lanes[0].value);
    EXPECT_NE(some.lanes[2].why_not.find("outside"), std::string::npos);
}

TEST_F(KnownValuesOf, every_name_of_every_simulated_kernel_without_an_end_to_it) {
    for (const char* method : {"ecr1", "ecr2", "ecr3", "ecr4", "mec2", "im2col"}) {
        trace("examples/cho-fig1", method);
        const auto lines = lines_of(file().text);
        for (unsigned line = 1; line <= lines.size(); ++line)
            for (std::size_t at = 0; at < lines[line - 1].size(); ++at) {
                const std::string_view word = name_at(lines[line - 1], at);
                if (!word.empty()) known_->of_name(*block_, file(), line, std::string(word), {done_, 0});
            }
    }
}

TEST(Arrivals, are_where_a_warp_comes_to_a_line_from_elsewhere_or_round_a_loop) {
    const TracedBlock block = testing::traced("examples/xu-fig4", "ecr1");
    const simt::KernelPlace head = simt::place_of_kernel("ecr1");
    const auto lines = lines_of(head.source->text);
    const auto line_with = [&](const char* words) {
        const auto found =
            std::ranges::find_if(lines, [&](auto line) { return line.find(words) != std::string::npos; });
        return static_cast<unsigned>(found - lines.begin() + 1);
    };
    const std::string file = head.source->path;
    const unsigned product = line_with("sum = fmaf(");
    // Two loads and an fmaf for each of the four elements of the longest list.
    EXPECT_EQ(block.arrivals(file, product).size(), 4U);
    for (const std::size_t done : block.arrivals(file, product)) {
        EXPECT_EQ(block.replay().at(done - 1).kind, simt::EventKind::load);
        EXPECT_EQ(block.code(block.replay().at(done - 1).source).kernel_line, product);
    }
    const unsigned call = line_with("element_or_zero(x");
    EXPECT_FALSE(block.arrivals(file, call).empty()) << "while the called function runs";
    EXPECT_TRUE(block.arrivals(file, 1).empty());
    EXPECT_TRUE(block.arrivals("another.h", product).empty());
    // Where a step is: what arrivals() finds, and no line else.
    const std::set<unsigned> stops = block.lines_of_steps(file);
    EXPECT_TRUE(stops.contains(product));
    EXPECT_TRUE(stops.contains(call));
    for (unsigned line = 1; line < 120; ++line) EXPECT_EQ(stops.contains(line), !block.arrivals(file, line).empty());
    EXPECT_TRUE(block.lines_of_steps("another.h").empty());
}

}  // namespace
}  // namespace convscope
