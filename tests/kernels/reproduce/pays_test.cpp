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
    record.noise_pct = 0.5;
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
    EXPECT_DOUBLE_EQ(count.all_sparse.value(), (20.0 + 3 * 20) / (10 + 3 * 40));
    EXPECT_DOUBLE_EQ(count.better.value(), (20.0 + 3 * 20) / (10 + 3 * 20));
    // A sum that leaves a layer out would be another network's.
    const PaysCount partial = pays_count(pays_rows(two, {layer()}), DenseClass::fp32);
    EXPECT_EQ(partial.unknown, 1u);
    EXPECT_FALSE(partial.all_sparse || partial.better || partial.better_in_one_layout);
}

TEST(Pays, tells_what_zeros_bring_from_the_same_method_without_them) {
    PaperFigure figure = sparse_figure(3);
    for (PaperPoint& point : figure.points) point.spec.shape.c = 8;
    figure.points[1].spec.sparsity = figure.points[2].spec.sparsity = 0.9;
    figure.points[2].spec.shape.c = 16;
    std::vector<Record> none = layer();
    none[0].time_median_us = 25;
    const PointRecords records{none, layer(), layer()};
    const FigureTiming hot, cold{TimingScope::kernel, CacheMode::cold};
    TimesWithoutZeros without;
    without.add(figure, hot, records);
    const std::vector<PaysRow> rows = pays_rows(figure, records);
    EXPECT_DOUBLE_EQ(without.gain(rows[1], hot).value(), 2.5);
    EXPECT_FALSE(without.gain(rows[1], cold)) << "measured hot alone";
    EXPECT_FALSE(without.gain(rows[2], hot)) << "another layer";
    EXPECT_DOUBLE_EQ(without.gain(rows[0], hot).value(), 1) << "csr1 at 15 us is the fastest, and has no zeros";
}

TEST(Pays, takes_the_layout_in_which_the_better_of_both_is_fastest) {
    PaperFigure two = sparse_figure(2);
    two.points[1].weight = 3;
    const auto in = [](Record record, const char* layout) {
        record.layout = layout;
        return record;
    };
    // NCHW: sparse 10, then cuDNN 30; NHWC: tensor1 20 in both.
    std::vector<Record> first{in(typed("ecr4", 10), "nchw"), in(typed("tensor1", 20), "nhwc"),
                              in(typed("cudnn", 30), "nchw"), in(typed("mec7", 1, "tf32"), "nhwc")};
    std::vector<Record> second = first;
    second[0].time_median_us = 40;
    const PaysCount count = pays_count(pays_rows(two, {first, second}), DenseClass::fp32);
    EXPECT_DOUBLE_EQ(count.better.value(), (20.0 + 3 * 20) / (10 + 3 * 20));
    EXPECT_DOUBLE_EQ(count.better_in_one_layout.value(), 1) << "all in NHWC: TF32 is another class's";
    first.erase(first.begin() + 1);  // no tensor1 in the first layer: only NCHW has a method for each
    const PaysCount one = pays_count(pays_rows(two, {first, second}), DenseClass::fp32);
    EXPECT_DOUBLE_EQ(one.better_in_one_layout.value(), (30.0 + 3 * 20) / (10 + 3 * 30));
}

}  // namespace
}  // namespace convscope
