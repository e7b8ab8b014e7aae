#include "visualizers/step/array_shape.h"

#include <gtest/gtest.h>

#include "kernels/simt/on_checked/checked_device.h"
#include "tests/visualizers/step/traced.h"

namespace convscope {
namespace {

using simt::Space;

ConvShape fig4() {
    return find_preset("examples/xu-fig4").spec.shape;
}

TEST(ArrayShape, of_the_papers_arrays_are_the_papers) {
    const KernelLaunch launch{"ecr1", "multiply", {3, 1, 1}, {3, 1, 1}, 0, 0};
    const ArrayShape x = array_shape({"x", Space::global, 25}, fig4(), Layout::nchw, launch);
    EXPECT_EQ(x.rows, 5);
    EXPECT_EQ(element_name({"x", Space::global, 25}, x, 8), "x[1,3]");
    const ArrayShape data = array_shape({"F_data", Space::shared, 27}, fig4(), Layout::nchw, launch);
    EXPECT_EQ(data.rows, 3);  // a segment for each thread
    EXPECT_EQ(data.cols, 9);
    EXPECT_EQ(data.rows_are, RowMeaning::thread);
    EXPECT_EQ(element_name({"F_data", Space::shared, 27}, data, 12), "F_data[12]");
    const ArrayShape count = array_shape({"Ptr", Space::shared, 3}, fig4(), Layout::nchw, launch);
    EXPECT_EQ(count.rows, 3);
    EXPECT_EQ(count.cols, 1);

    const ConvShape cho = find_preset("examples/cho-fig1").spec.shape;
    const ArrayShape L = array_shape({"L", Space::global, 105}, cho, Layout::nhwc, launch);
    EXPECT_EQ(L.rows, 5);  // Cho & Brand, Fig. 2: a strip for each output column
    EXPECT_EQ(L.cols, 21);
    EXPECT_EQ(L.rows_are, RowMeaning::strip);
}

TEST(ArrayShape, tells_maps_apart_in_either_layout) {
    ConvShape shape;
    shape.n = 2;
    shape.c = 3;
    shape.h = 4;
    shape.w = 5;
    const ArrayFacts x{"x", Space::global, shape.x_elements()};
    const ArrayShape nchw = array_shape(x, shape, Layout::nchw, {});
    const ArrayShape nhwc = array_shape(x, shape, Layout::nhwc, {});
    const std::int64_t image = 1, channel = 2, row = 3, col = 4;
    EXPECT_EQ(element_name(x, nchw, ((image * 3 + channel) * 4 + row) * 5 + col), "x[1,2,3,4]");
    EXPECT_EQ(element_name(x, nhwc, ((image * 4 + row) * 5 + col) * 3 + channel), "x[1,2,3,4]");
}

TEST(ArrayShape, of_an_unknown_array_has_rows_of_the_32_banks_and_a_shorter_last_one) {
    const ArrayShape shape = array_shape({"scratch", Space::shared, 40}, fig4(), Layout::nchw, {});
    EXPECT_EQ(shape.cols, 32);
    EXPECT_EQ(shape.rows, 2);
    EXPECT_EQ(shape.index({0, 1, 7}), 39);
    EXPECT_EQ(shape.index({0, 1, 8}), -1);
    EXPECT_EQ(array_shape({"empty", Space::shared, 0}, fig4(), Layout::nchw, {}).rows, 1);
}

TEST(ArrayShape, gives_every_element_that_any_method_touches_a_place_of_its_own) {
    WorkloadSpec layer;
    layer.shape = {.n = 2, .c = 3, .h = 6, .w = 7, .k = 4, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
    layer.sparsity = 0.5;
    const CheckedDevice device;
    for (const WorkloadSpec& workload : {find_preset("examples/xu-fig7").spec, layer})
        for (const Method* method : device.registry().methods(DeviceKind::sim)) {
            if (!method->supports(workload.shape)) continue;
            const TracedBlock block = testing::traced(workload, method->info().id);
            for (const simt::TraceEvent& event : block.trace().events) {
                if (event.array < 0) continue;
                const StepArray& array = block.arrays()[static_cast<std::size_t>(event.array)];
                ASSERT_EQ(array.shape.index(array.shape.place(event.index)), event.index)
                    << method->info().id << " " << array.name_of(event.index);
            }
        }
}

}  // namespace
}  // namespace convscope
