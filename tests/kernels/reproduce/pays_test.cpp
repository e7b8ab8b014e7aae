// Skipping zeros pays only where it is faster than every dense method of the precision in question.
#include "kernels/reproduce/pays.h"

#include <gtest/gtest.h>

#include "tests/kernels/reproduce/figure_of_two.h"

namespace convscope {
namespace {

Record typed(const std::string& method, double us, const std::string& dtype = "fp32") {
    Record record = testing::timed(method, us);
    record.family = method.starts_with("cudnn") ? "vendor" : "ours";
    record.dtype = dtype;
    return record;
}

PaperFigure sparse_figure(std::size_t points) {
    PaperFigure figure;
    figure.sparse = {"ecr4", "csr1"};
    figure.points.resize(points);
    for (PaperPoint& point : figure.points) point.label = std::string("p");
    return figure;
}

/// Sparse 10 us; dense FP32 20 (ours) and 30, TF32 12, FP16 5.
std::vector<Record> layer() {
    return {typed("ecr4", 10),
            typed("csr1", 15),
            typed("tensor1", 20),
            typed("cudnn", 30),
            typed("mec7", 14, "tf32"),
            typed("cudnn-tf32", 12, "tf32"),
            typed("cudnn-fp16", 5, "fp16")};
}

TEST(Pays, is_held_against_the_fastest_dense_method_of_each_class) {
    const PaysRow row = pays_rows(sparse_figure(1), {layer()}).front();
    EXPECT_EQ(row.sparse->method, "ecr4");
    EXPECT_EQ(row.ours->method, "tensor1");
    EXPECT_DOUBLE_EQ(pays_ratio(row, DenseClass::fp32).value(), 2);
    EXPECT_DOUBLE_EQ(pays_ratio(row, DenseClass::tf32).value(), 1.2);
    EXPECT_DOUBLE_EQ(pays_ratio(row, DenseClass::fp16).value(), 0.5);
    EXPECT_EQ(pays(row, DenseClass::tf32), Pays::yes);
    EXPECT_EQ(pays(row, DenseClass::fp16), Pays::no);
}

TEST(Pays, is_unknown_where_the_precision_was_not_measured) {
    std::vector<Record> without = layer();
    without.back().status = Status::not_supported;
    const PaysRow row = pays_rows(sparse_figure(1), {without}).front();
    EXPECT_EQ(pays(row, DenseClass::tf32), Pays::yes);
    EXPECT_EQ(pays(row, DenseClass::fp16), Pays::unknown);
    EXPECT_EQ(pays(pays_rows(sparse_figure(1), {}).front(), DenseClass::fp32), Pays::unknown);
}

TEST(Pays, is_too_close_within_the_noise) {
    std::vector<Record> close = layer();
    close[0].time_median_us = 11.8;
    EXPECT_EQ(pays(pays_rows(sparse_figure(1), {close}).front(), DenseClass::tf32), Pays::yes);
    close[0].noise_pct = 3;
    EXPECT_EQ(pays(pays_rows(sparse_figure(1), {close}).front(), DenseClass::tf32), Pays::too_close);
}

TEST(Pays, counts_points_and_weighs_the_sum) {
    PaperFigure two = sparse_figure(2);
    two.points[1].weight = 3;
    std::vector<Record> second = layer();
    second[0].time_median_us = second[1].time_median_us = 40;
    const PaysCount count = pays_count(pays_rows(two, {layer(), second}), DenseClass::fp32);
    EXPECT_EQ(count.yes, 1u);
    EXPECT_EQ(count.no, 1u);
    EXPECT_DOUBLE_EQ(count.total.value(), (20.0 + 3 * 20) / (10 + 3 * 40));
    // A sum that leaves a layer out would be another network's.
    const PaysCount partial = pays_count(pays_rows(two, {layer()}), DenseClass::fp32);
    EXPECT_EQ(partial.unknown, 1u);
    EXPECT_FALSE(partial.total);
}

}  // namespace
}  // namespace convscope
