#include "tests/support/fused_cases.h"

namespace convscope::testing {
namespace {

ConvShape report_layer(Random& random, std::int64_t filter) {
    ConvShape shape;
    shape.n = random.between(1, 3);
    shape.c = random.between(1, 6);
    shape.k = random.between(1, 12);
    shape.r = shape.s = filter;
    shape.pad_h = random.between(0, 2);
    shape.pad_w = random.between(0, 2);
    shape.h = random.between(filter + 1, 44);
    shape.w = random.between(filter + 1, 44);
    shape.pool_h = shape.pool_w = shape.pool_stride = 2;
    return shape;
}

std::int64_t blocks(std::int64_t outputs, std::int64_t block) {
    return (outputs + block - 1) / block;
}

}  // namespace

std::vector<FusedCase> fused_cases(std::size_t count) {
    Random random(12);
    std::vector<FusedCase> cases;
    for (std::size_t i = 0; i < count; ++i) {
        FusedCase made{report_layer(random, i % 2 == 0 ? 5 : 3), {}};
        const ConvShape& shape = made.shape;
        Dim3 block{random.between(1, 20), random.between(1, 12), random.between(1, 4)};
        if (i % 4 < 2) {
            block.x = 16;
            block.y = random.between(0, 1) == 0 ? 8 : 16;
            made.config.tunables["static_tile"] = random.between(0, 1);
        }
        made.config.block = block;
        if (i % 3 > 0)
            made.config.grid = Dim3{blocks(shape.out_w(), block.x) + random.between(0, 1),
                                    blocks(shape.out_h(), block.y) + random.between(0, 2),
                                    blocks(shape.k, block.z) * shape.n + random.between(0, 3)};
        cases.push_back(made);
    }
    return cases;
}

}  // namespace convscope::testing
