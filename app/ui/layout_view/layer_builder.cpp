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
      job_([this](const Request& request, const std::shared_ptr<const Done>&,
                  const std::stop_token& stop) { return prepare(request, stop); },
           wake_) {}

std::shared_ptr<const LayerBuilder::Done> LayerBuilder::prepare(const Request& request,
                                                                const std::stop_token& stop) const {
    const Workload& workload = *request.layer.workload;
    const LayerPart& part = request.layer.part;
    const LayerArraySpec spec = layer_array(request.layer.array, workload.spec.shape);
    const LayerJob job = layer_job(spec, workload.spec.shape, part.rows_per_image);
    std::unique_ptr<LayerWriter> writer;
    if (!request.pieces.inputs) writer = make_host_layer_writer(job, workload.w.data.data());
    for (std::int64_t i = request.pieces.first_image; i < part.images && !stop.stop_requested(); ++i) {
        LayerPiece piece;
        piece.first_row = i * part.rows_per_image;
        piece.input = layer_input(job, workload, part.first_image + i);
        if (writer) {
            piece.words.resize(static_cast<std::size_t>(job.elements()));
            piece.range = writer->write(std::exchange(piece.input, {}), piece.words.data());
        }
        if (!request.slot->put(std::move(piece), stop)) return nullptr;
        wake_();
    }
    return std::make_shared<const Done>();
}

LayerBuilder::~LayerBuilder() {
    stop();
}

void LayerBuilder::request(const LayerRequest& request, const LayerPieces& pieces) {
    if (request_ && request_->layer == request && request_->pieces == pieces) return;
    request_ = Request{request, pieces, std::make_shared<Slot>()};
    job_.request(*request_);
}

void LayerBuilder::stop() {
    if (!request_) return;
    request_.reset();
    job_.cancel({});
}

std::optional<LayerPiece> LayerBuilder::take() {
    return request_ ? request_->slot->take() : std::nullopt;
}

}  // namespace convscope::app
