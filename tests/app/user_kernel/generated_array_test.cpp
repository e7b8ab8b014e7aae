#include "app/user_kernel/generated_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "kernels/core/error.h"

namespace convscope::app {
namespace {

template <class T>
std::vector<T> values(const std::string& text, const std::string& type, const std::string& parameter = "a") {
    const auto made = generated_array(text, {type}, {{"n", 10}}, "a", parameter);
    std::vector<T> all(made.value().array.data.size() / sizeof(T));
    std::memcpy(all.data(), made->array.data.data(), made->array.data.size());
    return all;
}

TEST(GeneratedArray, is_what_its_word_says) {
    EXPECT_EQ(values<int>("iota(4)", "i4"), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(values<double>("ones(2)", "f8"), (std::vector<double>{1, 1}));
    EXPECT_EQ(values<float>("zeros(n, 2)", "f4"), std::vector<float>(20));
    const auto random = values<float>("random(100)", "f4");
    EXPECT_TRUE(std::ranges::all_of(random, [](float v) { return v != 0 && v > -1 && v < 1; }));
    EXPECT_EQ(random, values<float>("random(100)", "f4")) << "always the same";
    EXPECT_NE(random, values<float>("random(100)", "f4", "b")) << "operands that are mixed up are seen";
    const auto sparse = values<int>("sparse(1000)", "i4");
    EXPECT_NEAR(static_cast<double>(std::ranges::count(sparse, 0)), 700, 60);
    const auto ascending = values<int>("ascending(1001)", "i4");
    EXPECT_EQ(ascending.front(), 0);
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        EXPECT_GE(ascending[i] - ascending[i - 1], 0);
        EXPECT_LE(ascending[i] - ascending[i - 1], 9);
    }
    EXPECT_NEAR(ascending.back(), 4500, 400);
    EXPECT_EQ(values<short>("iota(2, int16)", "f4"), (std::vector<short>{0, 1})) << "the type that is said";
    const auto wide = values<signed char>("iota(130, int8)", "f4");
    EXPECT_EQ(wide[127], 127);
    EXPECT_EQ(wide[129], -127) << "it begins again";
    EXPECT_EQ(generated_array("out(interior)", {"f4"}, {{"interior", 4}}, "a", "a")->array.shape, NpyShape{4})
        << "a name, though it begins like a type";
    const auto out = generated_array("out(3, n)", {"f4"}, {{"n", 10}}, "a", "a");
    EXPECT_FALSE(out->written);
    EXPECT_EQ(out->array.shape, (NpyShape{3, 10}));
    EXPECT_EQ(generated_array("out(3)", {"f4", 4}, {}, "a", "a")->array.shape, (NpyShape{3, 4})) << "of vectors";
    EXPECT_EQ(generated_array("out(12, float32)", {"f4", 4}, {}, "a", "a")->array.shape, NpyShape{12});
    EXPECT_FALSE(generated_array("a.npy", {"f4"}, {}, "a", "a"));
}

TEST(GeneratedArray, rejects_what_it_cannot_be) {
    for (const char* text : {"out()", "out(0)", "random(-1)", "random(n", "iota(4, float99)", "iota(4, int)",
                             "zeros(q)", "ones(1e9, 1e9)"})
        EXPECT_THROW(generated_array(text, {"f4"}, {}, "a", "a"), Error) << text;
    EXPECT_THROW(generated_array("out(1000000000000)", {"f4"}, {}, "a", "a"), OutOfMemory);
    try {
        generated_array("random(1200000000)", {"f4"}, {}, "the argument a", "a", max_simulated_bytes);
        ADD_FAILURE() << "it is filled";
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "the argument a: the array takes 4.8 GB of memory; those that are made for the simulated GPU take up "
            "to 160 MB together");
    }
}

}  // namespace
}  // namespace convscope::app
