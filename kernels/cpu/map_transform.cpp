#include "kernels/cpu/map_transform.h"

#include <fftw3.h>
#include <omp.h>

#include <mutex>
#include <stdexcept>
#include <utility>

#include "kernels/core/parallel.h"
#include "kernels/cpu/aligned_buffer.h"

namespace convscope {
namespace {

// FFTW's planner is one for the whole program; only running a plan is safe from several threads.
std::mutex& planner() {
    static std::mutex mutex;
    return mutex;
}

void prepare_planner(int threads) {
    constexpr double max_seconds = 1;
    [[maybe_unused]] static const int ready = fftwf_init_threads();
    fftwf_set_timelimit(max_seconds);
    fftwf_plan_with_nthreads(threads);
}

}  // namespace

struct MapTransform::Plan {
    FftShape shape;
    FftDirection direction;
    bool threads_share_maps;
    fftwf_plan plan = nullptr;

    Plan(const FftShape& wanted, FftDirection way, FftEffort effort)
        : shape(wanted), direction(way), threads_share_maps(wanted.maps < omp_get_max_threads()) {
        const int rows = static_cast<int>(shape.rows), columns = static_cast<int>(shape.columns);
        AlignedBuffer<float> map(shape.map_floats());  // the planner may try out plans on it
        map.allocate();
        auto* spectrum = reinterpret_cast<fftwf_complex*>(map.data());
        unsigned flags = effort == FftEffort::measure ? FFTW_MEASURE : FFTW_ESTIMATE;
        // Maps follow each other without a gap, so they are aligned as the first one only where their size is.
        if (shape.map_floats() % 4 != 0) flags |= FFTW_UNALIGNED;
        const std::lock_guard lock(planner());
        prepare_planner(threads_share_maps && worth_threads(shape.map_floats()) ? omp_get_max_threads() : 1);
        plan = direction == FftDirection::forward ? fftwf_plan_dft_r2c_2d(rows, columns, map.data(), spectrum, flags)
                                                  : fftwf_plan_dft_c2r_2d(rows, columns, spectrum, map.data(), flags);
        if (!plan) throw std::runtime_error("FFTW has no plan for this transform");
    }
    ~Plan() {
        const std::lock_guard lock(planner());
        fftwf_destroy_plan(plan);
    }

    void run(float* map) const {
        auto* spectrum = reinterpret_cast<fftwf_complex*>(map);
        if (direction == FftDirection::forward)
            fftwf_execute_dft_r2c(plan, map, spectrum);
        else
            fftwf_execute_dft_c2r(plan, spectrum, map);
    }
};

MapTransform::MapTransform(const FftShape& shape, FftDirection direction, FftEffort effort)
    : plan_(std::make_unique<Plan>(shape, direction, effort)) {}
MapTransform::~MapTransform() = default;
MapTransform::MapTransform(MapTransform&&) noexcept = default;
MapTransform& MapTransform::operator=(MapTransform&&) noexcept = default;

void MapTransform::run(float* maps) const {
    const FftShape& shape = plan_->shape;
#pragma omp parallel for if (!plan_->threads_share_maps && worth_threads(shape.maps * shape.map_floats()))
    for (std::int64_t map = 0; map < shape.maps; ++map) plan_->run(maps + map * shape.map_floats());
}

}  // namespace convscope
