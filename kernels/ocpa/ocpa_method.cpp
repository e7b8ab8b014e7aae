#include "kernels/ocpa/ocpa_method.h"

#include <utility>

#include "kernels/ocpa/layer_choice.h"

namespace convscope {
namespace {

std::unique_ptr<Method> choose_by_pooling(const Method& ecr, const Method& pecr, std::string id, std::string title,
                                          std::vector<std::string> stages) {
    return make_layer_choice({.id = std::move(id),
                              .family = "ocpa",
                              .title = std::move(title),
                              .paper = "Xu 2022",
                              .follows = "section 7",
                              .device = ecr.info().device,
                              .layout = ecr.info().layout,
                              .stages = std::move(stages)},
                             [&](const ConvShape& shape) -> const Method& { return shape.pooled() ? pecr : ecr; });
}

}  // namespace

std::unique_ptr<Method> make_ocpa(const Registry& registry, DeviceKind device) {
    return choose_by_pooling(registry.get("ecr3", device), registry.get("pecr3", device), "ocpa",
                             "OCPA: PECR where pooling follows, else ECR", {"convert", "multiply"});
}

std::unique_ptr<Method> make_ocpa2(const Registry& registry, DeviceKind device) {
    return choose_by_pooling(registry.get("ecr4", device), registry.get("pecr4", device), "ocpa2",
                             "OCPA: pecr4 where pooling follows, else ecr4", {"multiply", "pool"});
}

}  // namespace convscope
