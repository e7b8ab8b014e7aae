// Real 2-D Fourier transforms of many maps, as a GPU's library computes them (Gpu::make_fft).
#pragma once

#include <cstdint>

namespace convscope {

/// Maps of rows x columns floats and their spectra, in the same memory: a row of a map takes row_floats() floats, of
/// which the first 'columns' are the map; a row of its spectrum is bins() complex numbers (real, imaginary). The other
/// half of a spectrum follows by symmetry.
struct FftShape {
    std::int64_t maps = 0, rows = 0, columns = 0;

    std::int64_t bins() const { return columns / 2 + 1; }
    std::int64_t frequencies() const { return rows * bins(); }  ///< complex numbers of one spectrum
    std::int64_t row_floats() const { return 2 * bins(); }
    std::int64_t map_floats() const { return 2 * frequencies(); }
    std::int64_t bytes() const { return 4 * maps * map_floats(); }
};

/// Neither direction scales: one after the other multiplies a map by rows x columns.
enum class FftDirection { forward, inverse };

/// A transform prepared for one shape and direction.
class BatchedFft {
public:
    virtual ~BatchedFft() = default;
    /// Transforms in place. Floats of a map's rows behind 'columns' are not read. Enqueues; can be captured into a
    /// graph.
    virtual void run(float* maps) = 0;
    /// Device memory of the library, counted in library_workspace_bytes.
    virtual std::int64_t device_bytes() const { return 0; }
};

}  // namespace convscope
