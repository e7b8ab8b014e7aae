#include "app/layer_builder.h"

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
      job_(
          [this](const Order& order, const std::shared_ptr<const Done>&,
                 const std::stop_token& stop) -> std::shared_ptr<const Done> {
              const LayerRequest& wanted = order.request;
              const LayerArraySpec spec = layer_array(wanted.array, wanted.workload->spec.shape);
              for (std::int64_t i = 0; i < wanted.part.images && !stop.stop_requested(); ++i) {
                  LayerPiece piece;
                  piece.first_row = i * wanted.part.rows_per_image;
                  piece.words = build_layer_image(spec, *wanted.workload, wanted.part.first_image + i,
                                                  wanted.part.rows_per_image);
                  piece.range = range_of(spec.element, piece.words);
                  if (!order.slot->put(std::move(piece), stop)) return nullptr;
                  wake_();
              }
              return std::make_shared<const Done>();
          },
          wake_) {}

LayerBuilder::~LayerBuilder() {
    stop();
}

void LayerBuilder::request(const LayerRequest& request) {
    if (order_ && order_->request == request) return;
    order_ = Order{request, std::make_shared<Slot>()};
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
