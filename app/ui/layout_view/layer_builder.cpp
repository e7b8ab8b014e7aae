#include "app/ui/layout_view/layer_builder.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace convscope::app {

/// Holds one piece, from when it is built until it is taken.
class LayerBuilder::Slot {
public:
    /// Waits until the last piece was taken. False when stopped.
    bool put(LayerPiece piece, const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        if (!taken_.wait(lock, stop, [this] { return !piece_; })) return false;
        piece_ = std::move(piece);
        return true;
    }
    std::optional<LayerPiece> take() {
        std::optional<LayerPiece> piece;
        {
            std::lock_guard lock(mutex_);
            piece = std::exchange(piece_, std::nullopt);
        }
        taken_.notify_all();
        return piece;
    }

private:
    std::mutex mutex_;
    std::condition_variable_any taken_;
    std::optional<LayerPiece> piece_;
};

LayerBuilder::LayerBuilder(std::function<void()> wake)
    : wake_(std::move(wake)),
      job_([this](const Order& order, const std::shared_ptr<const Done>&,
                  const std::stop_token& stop) { return prepare(order, stop); },
           wake_) {}

std::shared_ptr<const LayerBuilder::Done> LayerBuilder::prepare(const Order& order, const std::stop_token& stop) const {
    const Workload& workload = *order.request.workload;
    const LayerPart& part = order.request.part;
    const LayerArraySpec spec = layer_array(order.request.array, workload.spec.shape);
    const LayerJob job = layer_job(spec, workload.spec.shape, part.rows_per_image);
    std::unique_ptr<LayerWriter> writer;
    if (!order.pieces.inputs) writer = make_host_layer_writer(job, workload.w.data.data());
    for (std::int64_t i = order.pieces.first_image; i < part.images && !stop.stop_requested(); ++i) {
        LayerPiece piece;
        piece.first_row = i * part.rows_per_image;
        piece.input = layer_input(job, workload, part.first_image + i);
        if (writer) {
            piece.words.resize(static_cast<std::size_t>(job.elements()));
            piece.range = writer->write(std::exchange(piece.input, {}), piece.words.data());
        }
        if (!order.slot->put(std::move(piece), stop)) return nullptr;
        wake_();
    }
    return std::make_shared<const Done>();
}

LayerBuilder::~LayerBuilder() {
    stop();
}

void LayerBuilder::request(const LayerRequest& request, const LayerPieces& pieces) {
    if (order_ && order_->request == request && order_->pieces == pieces) return;
    order_ = Order{request, pieces, std::make_shared<Slot>()};
    job_.request(*order_);
}

void LayerBuilder::stop() {
    if (!order_) return;
    order_.reset();
    job_.cancel({});
}

std::optional<LayerPiece> LayerBuilder::take() {
    return order_ ? order_->slot->take() : std::nullopt;
}

}  // namespace convscope::app
