#include "kernels/measure/workload_cache.h"

#include <gtest/gtest.h>

#include <array>

#include "kernels/files/npy.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

WorkloadSpec spec(std::int64_t h) {
    WorkloadSpec spec;
    spec.shape.h = spec.shape.w = h;
    spec.shape.r = spec.shape.s = 3;
    return spec;
}

TEST(WorkloadCache, is_computed_once_per_workload) {
    WorkloadCache data;
    int checked = 0;
    const auto count = [&checked] { ++checked; };
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(data.workload(spec(8)).spec.shape.h, 8);
        EXPECT_EQ(data.reference(count).y.data.size(), 36U);
    }
    EXPECT_EQ(checked, 1);
    data.workload(spec(9));
    EXPECT_EQ(data.reference(count).y.data.size(), 49U);
    WorkloadSpec other_data = spec(9);
    other_data.seed = 2;
    data.workload(other_data);
    data.reference(count);
    EXPECT_EQ(checked, 3);
}

TEST(WorkloadCache, a_name_is_no_other_data) {
    WorkloadCache data;
    int checked = 0;
    data.workload(spec(8));
    data.reference([&checked] { ++checked; });
    WorkloadSpec renamed = spec(8);
    renamed.name = "another name";
    EXPECT_EQ(data.workload(renamed).spec.name, "another name");
    data.reference([&checked] { ++checked; });
    EXPECT_EQ(checked, 1);
}

TEST(WorkloadCache, a_file_is_read_again_when_it_was_written_again) {
    const TempFolder folder;
    WorkloadSpec file = spec(3);
    file.source = Source::file;
    file.input_path = (folder / "x.npy").string();
    std::array<float, 9> x{1, 2, 3, 4, 5, 6, 7, 8, 9};
    write_npy<float>(file.input_path, x, {3, 3});
    WorkloadCache data;
    int made = 0;
    const auto count = [&made](const Workload&) { ++made; };
    for (int i = 0; i < 2; ++i) EXPECT_EQ(data.workload(file, count).x.data[0], 1.0F);
    EXPECT_EQ(made, 1);
    x[0] = 10;
    write_npy<float>(file.input_path, x, {3, 3});
    std::filesystem::last_write_time(file.input_path,
                                     std::filesystem::last_write_time(file.input_path) + std::chrono::seconds(1));
    EXPECT_EQ(data.workload(file, count).x.data[0], 10.0F);
    EXPECT_EQ(made, 2);
}

TEST(WorkloadCache, a_layer_of_a_chain_is_always_new) {
    WorkloadCache data;
    Tensor x(1, 1, 8, 8);
    x.data[0] = 1;
    EXPECT_EQ(data.chained(spec(8), x).x.data[0], 1.0F);
    data.reference([] {});
    x.data[0] = 2;
    EXPECT_EQ(data.chained(spec(8), x).x.data[0], 2.0F);
    int checked = 0;
    data.reference([&checked] { ++checked; });
    EXPECT_EQ(checked, 1);
    EXPECT_NE(data.workload(spec(8)).x.data[1], 0.0F) << "what is not a chain does not get a chain's data";
}

TEST(WorkloadCache, what_cannot_be_leaves_nothing_behind) {
    WorkloadCache data;
    WorkloadSpec missing = spec(8);
    missing.source = Source::file;
    missing.input_path = "/no/such/file.npy";
    data.workload(spec(8));
    EXPECT_ANY_THROW(data.workload(missing));
    EXPECT_EQ(data.workload(spec(8)).spec.shape.h, 8);
}

}  // namespace
}  // namespace convscope
