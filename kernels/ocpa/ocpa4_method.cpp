#include "kernels/ocpa/ocpa4_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/layers/shape_fields.h"
#include "kernels/ocpa/calibration.h"
#include "kernels/ocpa/candidates.h"
#include "kernels/ocpa/converting_execution.h"
#include "kernels/ocpa/layer_choice.h"

namespace convscope {
namespace {

using SharedTable = std::shared_ptr<const ChoiceTable>;

class Ocpa4 final : public ChoosingMethod, public HasMapLaunchers {
public:
    Ocpa4(MethodInfo info, const Registry& registry, const MapLaunchers& launchers)
        : info_(std::move(info)), registry_(registry), launchers_(launchers) {}

    const MethodInfo& info() const override { return info_; }
    bool times_candidates() const override { return true; }
    /// No kernel is known before x is.
    ResolvedLaunch resolve(const ConvShape& shape, const LaunchConfig& config,
                           const DeviceModel& model) const override {
        ResolvedLaunch resolved = Method::resolve(shape, config, model);
        resolved.main = std::numeric_limits<std::size_t>::max();
        return resolved;
    }
    std::int64_t workspace_bytes(const ConvShape&) const override { return -1; }
    ExecutedWork executed(const Workload& workload, const std::string& choice) const override {
        const Method* chosen = registry_.find(choice, info_.device);
        return chosen ? chosen->executed(workload, {}) : ExecutedWork{info_.arithmetic, std::nullopt};
    }
    std::unique_ptr<Execution> instantiate(const ConvShape&, const LaunchConfig&, Device&) const override;

    SharedTable table(Device&, const Workload& layer) const;
    const Method& get(const std::string& id) const { return registry_.get(id, info_.device); }
    const MapLaunchers& launchers() const override { return launchers_; }

private:
    std::vector<const Method*> able(const ConvShape& shape) const {
        return candidates(registry_, info_.device, info_.dtype, shape);
    }
    Support can_run(const ConvShape& shape) const override {
        if (!able(shape).empty()) return {};
        return Support::no(
            fmt::format("{} has no method to choose: none of this device takes {}", info_.id, to_string(shape)));
    }

    const MethodInfo info_;
    const Registry& registry_;
    const MapLaunchers launchers_;
    mutable std::mutex mutex_;
    /// By device, shape and zeros in w, of which a time depends where a method skips them.
    mutable std::map<std::tuple<std::string, std::string, std::int64_t>, SharedTable> tables_;
};

class Ocpa4Execution final : public Execution, public ChoiceByZeros {
public:
    Ocpa4Execution(const Ocpa4& method, const ConvShape& shape, Device& device)
        : method_(method), shape_(shape), device_(device) {}

    void setup() override {
        if (chosen_) chosen_->setup();
    }
    void allocate() override {
        if (chosen_) chosen_->allocate();
    }
    void stage_inputs(const Workload& workload) override {
        if (chosen_)
            chosen_->stage_inputs(workload);
        else
            first_ = workload;
    }
    void upload() override {
        if (!chosen_) choose();
        chosen_->upload();
    }
    void prepare_weights() override { chosen().prepare_weights(); }
    void poison_output() override { chosen().poison_output(); }
    void run(StageClock* stages) override { chosen().run(stages); }
    void synchronize() override { chosen().synchronize(); }
    void download() override { chosen().download(); }
    Tensor output() const override { return chosen().output(); }
    void release() override {
        if (chosen_) chosen_->release();
    }
    void teardown() override {
        if (chosen_) chosen_->teardown();
    }
    std::int64_t workspace_bytes() const override { return chosen_ ? chosen_->workspace_bytes() : 0; }
    std::int64_t library_workspace_bytes() const override { return chosen_ ? chosen_->library_workspace_bytes() : 0; }
    std::vector<KernelLaunch> launches() const override {
        return chosen_ ? chosen_->launches() : std::vector<KernelLaunch>{};
    }
    std::string choice() const override { return id_; }
    std::optional<Summation> chosen_summation() const override {
        if (!chosen_) return std::nullopt;
        return summation_of(method_.get(id_).info(), *chosen_);
    }

    const ChoiceTable& table() const override { return *table_; }
    const std::vector<double>& flops() const override { return flops_; }

private:
    void choose() {
        table_ = method_.table(device_, first_);
        flops_ = count_flops(*device_.gpu(), method_.launchers(), table_->boxes, first_.x);
        const std::optional<std::size_t> best = fastest(*table_, flops_);
        if (!best)
            throw Error(ErrorKind::failed,
                        fmt::format("{} has no method left to choose ({})", method_.info().id, left_out_text(*table_)));
        const std::string& id = table_->lines[*best].method;
        auto chosen = std::make_unique<ConvertingExecution>(method_.get(id).instantiate(shape_, {}, device_), shape_,
                                                            method_.info().layout, *device_.gpu(), method_.launchers());
        chosen->setup();
        chosen->allocate();
        chosen->stage_inputs(first_);
        chosen_ = std::move(chosen);
        id_ = id;
        first_ = {};
    }
    ConvertingExecution& chosen() const {
        if (!chosen_) throw std::logic_error("ocpa4 runs before its first upload()");
        return *chosen_;
    }

    const Ocpa4& method_;
    const ConvShape shape_;
    Device& device_;
    Workload first_;  ///< until the choice
    SharedTable table_ = std::make_shared<const ChoiceTable>();
    std::vector<double> flops_;
    std::string id_;
    std::unique_ptr<ConvertingExecution> chosen_;
};

SharedTable Ocpa4::table(Device& device, const Workload& layer) const {
    const std::tuple key(device.info().id, key_of(layer.spec.shape),
                         std::int64_t{std::ranges::count(layer.w.data, 0.0F)});
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = tables_.find(key); known != tables_.end()) return known->second;
    }
    auto table =
        std::make_shared<const ChoiceTable>(calibrate(able(layer.spec.shape), info_.layout, device, launchers_, layer));
    // Without a method to choose it may be the moment's fault, such as a lack of memory: the next one tries again.
    const bool all_left_out = std::ranges::none_of(table->lines, &std::string::empty, &CandidateLine::left_out);
    const std::lock_guard lock(mutex_);
    return all_left_out ? table : tables_.insert_or_assign(key, std::move(table)).first->second;
}

std::unique_ptr<Execution> Ocpa4::instantiate(const ConvShape& shape, const LaunchConfig& config,
                                              Device& device) const {
    if (const Support support = resolve(shape, config, device.info().model).support; !support)
        throw Error(ErrorKind::usage, support.reason);
    if (!device.gpu()) throw std::logic_error("instantiate: a GPU method on a device without a Gpu");
    return std::make_unique<Ocpa4Execution>(*this, shape, device);
}

}  // namespace

std::unique_ptr<Method> make_ocpa4(const Registry& registry, DeviceKind device, DType precision, Layout layout,
                                   const MapLaunchers& launchers) {
    const bool tf32 = precision == DType::tf32, nhwc = layout == Layout::nhwc;
    MethodInfo info{
        .id = fmt::format("ocpa4{}{}", nhwc ? "-nhwc" : "", tf32 ? "-tf32" : ""),
        .family = "ocpa",
        .title = fmt::format("OCPA by zeros{}: the fastest {} method, sparse or dense; zeros counted before "
                             "the clock",
                             nhwc ? " in NHWC" : "", tf32 ? "FP32 or TF32" : "FP32"),
        .paper = "Xu 2022",
        .follows = "section 7's choice for each layer, by measured times instead of by pooling",
        .device = device,
        .dtype = precision,
        .arithmetic = tf32 ? Arithmetic::tf32 : Arithmetic::fp32,
        .layout = layout,
        .takes = {.dilation = true, .groups = true, .sides = true},  // as far as a candidate does
        .flops_executed = unknown_flops,
        .stages = {"convert", "multiply", "pool"}};
    return std::make_unique<Ocpa4>(std::move(info), registry, launchers);
}

}  // namespace convscope
