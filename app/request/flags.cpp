#include "app/request/flags.h"

#include <fmt/format.h>

#include "kernels/core/error.h"
#include "kernels/layers/shape_fields.h"

namespace convscope {
namespace {

constexpr Flag preset_flag = {
    "--preset", "NAME",
    "a named layer: convscope list presets, or one of your own, FILE.toml or FILE.toml/NAME; the flags below "
    "override its fields"};
constexpr Flag data_list[] = {
    {"--sparsity", "X", "share of zeros in x, 0 to 1 (0)"},
    {"--pattern", "NAME", "where the zeros of x lie: uniform, blobs, channels or pixels (uniform)"},
    {"--seed", "N", "the same seed gives the same data everywhere (1)"},
    {"--device", "ID", "cpu, cuda:0 or sim (the first GPU, else the CPU)"},
};
constexpr Flag weight_list[] = {
    {"--weight-sparsity", "X", "share of zeros in w, 0 to 1: drawn weights, a file's and an example's are pruned (0)"},
    {"--weight-pattern", "NAME",
     "which weights go: uniform, 2:4 (a share of 0.5), rows, blocks or magnitude (uniform)"},
};
constexpr Flag data_file_list[] = {
    {"--input", "FILE", "x as (n,c,h,w), (c,h,w) or (h,w): .npy, .npz or .safetensors; FILE:NAME names an array of it"},
    {"--weights", "FILE", "w as (k,c/groups,r,s) or (r,s); bench, sweep and layout can draw it from the seed"},
};
constexpr Flag model_list[] = {
    {"--model", "NET.onnx", "in place of --preset: an ONNX model's own layers and weights, run on its input"},
    {"--input", "FILE",
     "the model's input: x.npy, or a picture (PNG, PPM, PGM); without it values from -1 to 1 are drawn"},
    {"--resize", "NAME", "bring a picture to the model's height and width: nearest or bilinear (it has them)"},
    {"--mean", "X[,X,X]", "of each channel, taken from a picture's 0 to 1 (0)"},
    {"--std", "X[,X,X]", "of each channel, by which it is then divided (1)"},
    {"--out", "DIR", "folder for each layer's x and w, the model's outputs (.npy) and layout.json, made when missing"},
};
constexpr Flag method_list[] = {
    {"--methods", "A,B,...", "ids from convscope list methods; a family (ecr) stands for its newest; or all"},
};
constexpr Flag timing_list[] = {
    {"--scope", "NAME", "what is timed: kernel, launch, copies, alloc or setup (kernel)"},
    {"--cache", "NAME", "hot, or cold: the last-level cache flushed before every sample (hot)"},
    {"--min-samples", "N", "at least so many samples of each method (20)"},
    {"--max-samples", "N", "at most so many (10000)"},
    {"--max-noise", "PCT", "sample until half the 95 % interval of the median is within this (1)"},
    {"--timeout", "SECONDS", "stop sampling a method after this time (5)"},
    {"--runs", "N", "take each row's samples in N processes, 6 or more: the intervals hold what those differ by (1)"},
};
constexpr Flag launch_list[] = {
    {"--block", "X[,Y[,Z]]", "threads per block, for the methods that let it be set and for a kernel of your own"},
    {"--grid", "X[,Y[,Z]]", "blocks, for the methods that let it be set and for a kernel of your own"},
    {"--set", "NAME=VALUE", "a tunable of a method (convscope list methods --json); may be repeated", true},
};

constexpr Flag own_list[] = {
    {"--own", "FILE.cu[:NAME]",
     "a CUDA kernel of your own as a method, own/NAME; without --methods with cuDNN, with --methods none alone"},
    {"--define", "NAME[=VALUES]", "for the compiler of --own; a list or a range of numbers is an axis; may be repeated",
     true},
};

std::vector<Flag> flags_of(std::span<const ShapeKey> keys) {
    std::vector<Flag> flags;
    for (const ShapeKey& key : keys)
        flags.push_back({key.flag,
                         max_numbers(key) == 1   ? "N"
                         : max_numbers(key) == 2 ? "N[,N]"
                                                 : "N[,N[,N,N]]",
                         key.help});
    return flags;
}

const Flag* find(const std::string& name) {
    for (auto list : {workload_flags(), data_file_flags(), timing_flags(), launch_flags(), user_flags()})
        for (const Flag& flag : list)
            if (name == flag.name) return &flag;
    return nullptr;
}

}  // namespace

std::span<const Flag> workload_flags() {
    static const std::vector<Flag> flags = [] {
        std::vector<Flag> list = flags_of(shape_keys);
        list.insert(list.begin(), preset_flag);
        list.insert(list.end(), std::begin(data_list), std::end(data_list));
        list.insert(list.end() - 2, std::begin(weight_list), std::end(weight_list));  // before --seed and --device
        return list;
    }();
    return flags;
}
std::span<const Flag> layer_flags() {
    static const std::vector<Flag> flags = flags_of(layer_keys);
    return flags;
}
std::span<const Flag> weight_flags() {
    return weight_list;
}
std::span<const Flag> data_file_flags() {
    return data_file_list;
}
std::span<const Flag> model_flags() {
    return model_list;
}
std::span<const Flag> method_flags() {
    return method_list;
}
std::span<const Flag> timing_flags() {
    return timing_list;
}
std::span<const Flag> launch_flags() {
    return launch_list;
}

std::span<const Flag> user_flags() {
    return own_list;
}

bool FlagValues::has(std::string_view flag) const {
    const auto found = values_.find(flag);
    return found != values_.end() && !found->second.empty();
}

const std::string& FlagValues::get(const std::string& flag) const {
    const std::vector<std::string>& given = values_.at(flag);
    const Flag* known = find(flag);
    if (given.size() > 1 && !(known && known->repeatable))
        throw Error(ErrorKind::usage, fmt::format("{} is given {} times; give it once", flag, given.size()));
    return given.front();
}

std::string FlagValues::get_or(const std::string& flag, const std::string& otherwise) const {
    return has(flag) ? get(flag) : otherwise;
}

std::optional<std::string> FlagValues::get_if(const std::string& flag) const {
    return has(flag) ? std::optional(get(flag)) : std::nullopt;
}

std::vector<std::string> FlagValues::all(const std::string& flag) const {
    const auto found = values_.find(flag);
    return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::string FlagValues::label(const std::string& flag) const {
    const auto found = labels_.find(flag);
    return found == labels_.end() ? flag : found->second;
}

}  // namespace convscope
