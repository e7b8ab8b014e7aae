#include "kernels/ocpa/candidates.h"

#include <algorithm>
#include <string_view>

#include "kernels/ocpa/layer_choice.h"

namespace convscope {
namespace {

/// "ecr" and 4 of "ecr4". A letter after the number marks a part of a method (mec2a): it stays in the name.
struct Numbered {
    std::string_view name, number;
    explicit Numbered(std::string_view id) {
        const std::size_t digits = id.find_last_not_of("0123456789") + 1;
        name = id.substr(0, digits);
        number = id.substr(digits);
    }
    bool older_than(const Numbered& other) const {
        return number.size() != other.number.size() ? number.size() < other.number.size() : number < other.number;
    }
};

bool is_newer_version_of(const MethodInfo& newer, const MethodInfo& older) {
    const Numbered one(newer.id), other(older.id);
    return newer.family == older.family && newer.dtype == older.dtype && one.name == other.name &&
           other.older_than(one);
}

/// "cudnn-fft" of "cudnn".
bool is_algorithm_of(const MethodInfo& best, const MethodInfo& single) {
    return best.vendor_best && single.vendor && !single.vendor_best && single.id.starts_with(best.id + "-");
}

}  // namespace

std::vector<const Method*> candidates(const Registry& registry, DeviceKind kind, DType precision,
                                      const ConvShape& shape) {
    std::vector<const Method*> able;
    for (const Method* method : registry.methods(kind)) {
        const MethodInfo& info = method->info();
        const bool precise = info.dtype == DType::f32 || info.dtype == precision;
        const bool chooses = dynamic_cast<const ChoosingMethod*>(method) != nullptr;
        if (precise && !info.as_printed && !chooses && method->supports(shape)) able.push_back(method);
    }
    std::vector<const Method*> best;
    std::ranges::copy_if(able, std::back_inserter(best), [&](const Method* method) {
        return std::ranges::none_of(able, [&](const Method* other) {
            return is_newer_version_of(other->info(), method->info()) || is_algorithm_of(other->info(), method->info());
        });
    });
    return best;
}

}  // namespace convscope
