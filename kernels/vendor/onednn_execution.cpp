#include "kernels/vendor/onednn_execution.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "kernels/core/error.h"
#include "kernels/cpu/threads.h"

namespace convscope::onednn {
namespace {

std::int64_t floats(const Desc& desc) {
    return static_cast<std::int64_t>((desc.get_size() + sizeof(float) - 1) / sizeof(float));
}

/// Runs a oneDNN call and turns its exceptions into ours.
template <class Call>
auto checked(Call&& call) {
    try {
        return call();
    } catch (const dnnl::error& error) {
        if (error.status == dnnl_out_of_memory) throw OutOfMemory("oneDNN ran out of host memory");
        throw Error(ErrorKind::failed, std::string("oneDNN: ") + error.what());
    }
}

/// As our tensors are: the last size changes fastest. Weights of several groups have a fifth, the first.
Desc plain(const Dims& sizes) {
    using Tag = dnnl::memory::format_tag;
    return {sizes, dnnl::memory::data_type::f32, sizes.size() == 5 ? Tag::abcde : Tag::abcd};
}

}  // namespace

/// Between a plain layout and the plan's, both in host memory. By one thread: another may have to be woken, which takes
/// hundreds of microseconds where its core sleeps, and a result that takes so long to fetch looks as if work were left.
class OnednnExecution::Reorder {
public:
    Reorder(const dnnl::engine& engine, const Desc& from, const Desc& to)
        : in_(from, engine, nullptr), out_(to, engine, nullptr), stream_(engine) {
        const CpuThreads one(1);
        reorder_ = dnnl::reorder(in_, out_);
    }

    void run(const float* from, float* to) {
        const CpuThreads one(1);
        in_.set_data_handle(const_cast<float*>(from));
        out_.set_data_handle(to);
        reorder_.execute(stream_, in_, out_);
        stream_.wait();
    }

private:
    dnnl::memory in_, out_;
    dnnl::stream stream_;
    dnnl::reorder reorder_;
};

struct OnednnExecution::Prepared {
    explicit Prepared(Plan p) : plan(std::move(p)), stream(plan.engine), convolution(plan.convolution) {
        if (plan.pooling) pooling = dnnl::pooling_forward(*plan.pooling);
    }
    Plan plan;
    dnnl::stream stream;
    dnnl::convolution_forward convolution;
    std::optional<dnnl::pooling_forward> pooling;
};

struct OnednnExecution::Memory {
    explicit Memory(const Plan& plan)
        : x(floats(plan.x())),
          w(floats(plan.w())),
          y(floats(plan.y())),
          unpooled(plan.pooling ? floats(plan.convolution.dst_desc()) : 0),
          conv_scratch(floats(plan.convolution.scratchpad_desc())),
          pool_scratch(plan.pooling ? floats(plan.pooling->scratchpad_desc()) : 0) {
        for (AlignedBuffer<float>* buffer : {&x, &w, &y, &unpooled, &conv_scratch, &pool_scratch}) buffer->allocate();
        const dnnl::engine& engine = plan.engine;
        float* conv_y = plan.pooling ? unpooled.data() : y.data();
        convolution = {{DNNL_ARG_SRC, {plan.x(), engine, x.data()}},
                       {DNNL_ARG_WEIGHTS, {plan.w(), engine, w.data()}},
                       {DNNL_ARG_DST, {plan.convolution.dst_desc(), engine, conv_y}},
                       {DNNL_ARG_SCRATCHPAD, {plan.convolution.scratchpad_desc(), engine, conv_scratch.data()}}};
        if (!plan.pooling) return;
        pooling = {{DNNL_ARG_SRC, {plan.pooling->src_desc(), engine, conv_y}},
                   {DNNL_ARG_DST, {plan.pooling->dst_desc(), engine, y.data()}},
                   {DNNL_ARG_SCRATCHPAD, {plan.pooling->scratchpad_desc(), engine, pool_scratch.data()}}};
    }
    AlignedBuffer<float> x, w, y, unpooled, conv_scratch, pool_scratch;
    std::unordered_map<int, dnnl::memory> convolution, pooling;
};

OnednnExecution::OnednnExecution(const ConvShape& shape, std::optional<Variant> variant)
    : shape_(shape), variant_(variant) {}

OnednnExecution::~OnednnExecution() = default;

void OnednnExecution::setup() {
    if (prepared_) return;
    checked([&] {
        const Variant variant = variant_ ? *variant_ : fastest_variant(shape_);
        prepared_ = std::make_unique<Prepared>(make_plan(shape_, variant));
    });
}

void OnednnExecution::allocate() {
    if (!memory_) checked([&] { memory_ = std::make_unique<Memory>(prepared_->plan); });
}

void OnednnExecution::stage_inputs(const Workload& workload) {
    const Plan& plan = prepared_->plan;
    const Tensor x = to_layout(workload.x, Layout::nchw), w = to_layout(workload.w, Layout::nchw);
    staged_x_.resize(static_cast<std::size_t>(floats(plan.x())));
    staged_w_.resize(static_cast<std::size_t>(floats(plan.w())));
    staged_y_.resize(static_cast<std::size_t>(floats(plan.y())));
    checked([&] {
        Reorder(plan.engine, plain({x.n, x.c, x.h, x.w}), plan.x()).run(x.data.data(), staged_x_.data());
        Reorder(plan.engine, plain(weight_dims(shape_)), plan.w()).run(w.data.data(), staged_w_.data());
        // Not part of setup(), which is timed; and not made when the result is fetched, which would take longer than a
        // small convolution.
        if (!to_nchw_)
            to_nchw_ = std::make_unique<Reorder>(plan.engine, plan.y(),
                                                 plain({shape_.n, shape_.k, shape_.out_h(), shape_.out_w()}));
    });
}

void OnednnExecution::upload() {
    std::ranges::copy(staged_x_, memory_->x.data());
    std::ranges::copy(staged_w_, memory_->w.data());
}

void OnednnExecution::fill_inputs_with_ones() {
    std::fill_n(memory_->x.data(), memory_->x.size(), 1.0f);
    std::fill_n(memory_->w.data(), memory_->w.size(), 1.0f);
}

void OnednnExecution::poison_output() {
    constexpr int nan_byte = 0xff;
    for (const RawBuffer* buffer : {&memory_->y, &memory_->unpooled, &memory_->conv_scratch, &memory_->pool_scratch})
        buffer->fill_bytes(nan_byte);
}

void OnednnExecution::run(StageClock* stages) {
    checked([&] {
        Prepared& prepared = *prepared_;
        if (stages) stages->mark("multiply");
        prepared.convolution.execute(prepared.stream, memory_->convolution);
        if (prepared.pooling) {
            if (stages) stages->mark("pool");
            prepared.pooling->execute(prepared.stream, memory_->pooling);
        }
        prepared.stream.wait();
    });
}

void OnednnExecution::download() {
    std::copy_n(memory_->y.data(), memory_->y.size(), staged_y_.begin());
}

Tensor OnednnExecution::output() const {
    Tensor y(shape_.n, shape_.k, shape_.out_h(), shape_.out_w());
    checked([&] { to_nchw_->run(staged_y_.data(), y.data.data()); });
    return y;
}

void OnednnExecution::release() {
    memory_.reset();
}

void OnednnExecution::teardown() {
    memory_.reset();
    prepared_.reset();
}

std::int64_t OnednnExecution::workspace_bytes() const {
    return prepared_ ? prepared_->plan.unpooled_bytes() : -1;
}

std::int64_t OnednnExecution::library_workspace_bytes() const {
    return prepared_ ? prepared_->plan.scratch_bytes() : -1;
}

std::string OnednnExecution::choice() const {
    return prepared_ ? prepared_->plan.describe() : "";
}

std::optional<Summation> OnednnExecution::chosen_summation() const {
    if (!prepared_) return {};
    return prepared_->plan.variant == Variant::winograd ? Summation::transform : Summation::direct;
}

}  // namespace convscope::onednn
