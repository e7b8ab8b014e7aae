#include "kernels/tensor/tensor3_method.h"

#include "kernels/method/any_size.h"
#include "kernels/ocpa/layer_choice.h"

namespace convscope {
namespace {

/// Tiles of 8 x 8 windows and 64 filters would be too few, and half empty. Found on an H100 (docs/kernels/tensor1.md).
bool is_small(const ConvShape& shape) {
    constexpr std::int64_t few_windows = 256, few_products = 25'000'000;
    return shape.n * shape.p() * shape.q() <= few_windows && shape.conv_elements() * shape.reduction() <= few_products;
}

}  // namespace

std::unique_ptr<Method> make_tensor3(const Registry& registry, DeviceKind device) {
    const Method &plain = registry.get("tensor1", device), &pooling = registry.get("tensor2", device);
    const Method &small_plain = registry.get("ecr4", device), &small_pooling = registry.get("pecr4", device);
    return make_layer_choice(
        {.id = "tensor3",
         .family = "tensor",
         .title = "Dense: tensor2 where pooling follows, else tensor1; small layers by pecr4 or ecr4",
         .paper = "Xu 2022",
         .follows = "section 7's choice by pooling, of methods that are not the paper's",
         .device = device,
         .layout = plain.info().layout,
         .stages = {"multiply", "pool"}},
        [&](const ConvShape& shape) -> const Method& {
            const Method& large = shape.pooled() ? pooling : plain;
            if (!is_small(shape) && supports_any_size(large, shape)) return large;
            return shape.pooled() ? small_pooling : small_plain;
        });
}

}  // namespace convscope
