// The data that a convolution runs on: a shape, a data source and a seed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/tensor.h"
#include "kernels/layers/conv_shape.h"

namespace convscope {

enum class Source {
    uniform,   ///< zeros at uniformly random places, exactly round(sparsity * size) of them
    blobs,     ///< zeros in connected regions, as ReLU leaves them; the same exact count
    channels,  ///< whole dead channels first, the rest of the count uniformly in one channel
    pixels,    ///< whole pixels first, in all of their channels, the rest of the count uniformly in one pixel
    file,      ///< x (and w) from .npy files
    example,   ///< a worked example of a paper: values from the preset
    chain,     ///< the output of the layer before, in a network: make_chained_workload
};
const char* to_string(Source);
/// Parses a source that a user can name: all but chain. Throws Error(usage) that lists the accepted names.
Source parse_source(const std::string&);

/// The sources that draw zeros in a pattern; files, examples and chains have the zeros they have.
inline constexpr std::array zero_patterns{Source::uniform, Source::blobs, Source::channels, Source::pixels};
std::vector<std::string> zero_pattern_names();

/// Which weights become zero, where zeros in w are requested.
enum class WeightPattern {
    uniform,      ///< at uniformly random places
    two_of_four,  ///< "2:4": of each four consecutive channels of one filter and tap, the two smallest |w|
    rows,         ///< whole filters first, the rest of the count uniformly in one filter
    blocks,       ///< whole weight_block x weight_block blocks of the matrix k x (c r s), the rest in one block
    magnitude,    ///< the smallest |w|, as magnitude pruning leaves out
};
inline constexpr std::array weight_patterns{WeightPattern::uniform, WeightPattern::two_of_four, WeightPattern::rows,
                                            WeightPattern::blocks, WeightPattern::magnitude};
const char* to_string(WeightPattern);
/// Throws Error(usage) that lists the accepted names.
WeightPattern parse_weight_pattern(const std::string&);
std::vector<std::string> weight_pattern_names();

inline constexpr std::int64_t weight_block = 2;      ///< as BSR has them: presets/formats/bsr.toml
inline constexpr double two_of_four_sparsity = 0.5;  ///< the share that the pattern 2:4 has

struct WorkloadSpec {
    std::string name;  ///< the preset's name, or "custom"
    ConvShape shape;
    Source source = Source::uniform;
    double sparsity = 0.0;  ///< share of zeros requested in x, 0..1
    WeightPattern weight_pattern = WeightPattern::uniform;
    double weight_sparsity = 0.0;  ///< share of zeros requested in w, 0..1; 0: w as it is
    std::uint64_t seed = 1;
    std::string input_path, weights_path;     ///< for Source::file; no weights_path: weights drawn from the seed
    std::vector<float> example_x, example_w;  ///< for Source::example, NCHW / KCRS

    bool operator==(const WorkloadSpec&) const = default;
};

struct Workload {
    WorkloadSpec spec;                          ///< as asked; for files, with the shape that they have
    Tensor x;                                   ///< n x c x h x w, NCHW
    Tensor w;                                   ///< k x (c / groups) x r x s, KCRS
    double sparsity_measured = 0.0;             ///< zeros in x over its size
    double weight_sparsity_measured = 0.0;      ///< zeros in w over its size
    std::int64_t nan_count = 0, inf_count = 0;  ///< in x and w; allowed, reported
};

/// For Source::file: spec.shape with n, c, h, w as input_path has them - (n,c,h,w), (c,h,w) or (h,w) - and k, r, s
/// as weights_path, where there is one, has them - (k,c,r,s) or (r,s). Reads headers only; does not validate().
/// Throws Error(file) for a bad file, Error(usage) when the two files' channels differ.
ConvShape shape_of_files(const WorkloadSpec&);

/// A file's or an example's values fit one size only, and a file has fixed zeros: where 'spec' now requests another
/// size than 'named', or other zeros for a file, its values are drawn uniformly. (An example with other zeros:
/// example_zeros.h.)
void draw_where_values_do_not_fit(WorkloadSpec& spec, const WorkloadSpec& named);

/// validate()s the shape. Throws Error(usage) for a share of zeros outside of 0..1, and for one in w that 2:4 does not
/// have.
void validate(const WorkloadSpec&);

/// Builds the arrays. The same spec gives the same bits on every machine (own generator, no libm). Values are
/// never zero by accident: those of 'blobs' are in (0, 1], all others in (-1, 1). Files and examples have the zeros
/// they have; for them spec.sparsity becomes the measured one, unless an example has as many zeros as it says. Zeros
/// that are requested in w replace weights, wherever they come from (weight_patterns.h). Throws Error(usage) for an
/// impossible spec, Error(file) for a bad file, OutOfMemory before allocating more than the host has.
Workload make_workload(const WorkloadSpec&);

/// A layer of a network whose input is 'x' (n x c x h x w, NCHW), and whose weights are drawn from the seed with the
/// variance of He et al. 2015, 2 / (c r s): through any number of layers with ReLU the values neither grow nor vanish.
/// Zeros that are requested in w replace weights after that.
/// Its spec has the source 'chain' and the sparsity that x has. Throws Error(usage) where x has another shape.
Workload make_chained_workload(const WorkloadSpec&, Tensor x);

/// Group 'group' as a separate workload: its channels of every image, its filters.
Workload group_of(const Workload&, std::int64_t group);
/// Copies a group's output, NCHW, to its place in the whole layer's, NCHW.
void put_group(Tensor& y, std::int64_t group, const Tensor& of_group);

/// "the data holds 2 NaN and 1 infinite values"; empty when all is finite.
std::string unusual_data(const Workload&);

}  // namespace convscope
