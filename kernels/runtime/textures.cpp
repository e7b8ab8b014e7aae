#include "kernels/runtime/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/runtime/gpu.h"

namespace convscope::runtime {
namespace {

// Elements along x, y and z: CUDA C++ Programming Guide, 'Technical Specifications per Compute Capability', from 7.5
// on.
using Sizes = std::array<std::int64_t, 3>;
constexpr Sizes max_of_array[] = {{131072, 1, 1}, {131072, 65536, 1}, {16384, 16384, 16384}};
constexpr Sizes max_of_pitch_2d = {131072, 65000, 1}, max_of_linear = {1 << 28, 1, 1};

[[noreturn]] void reject(const std::string& what) {
    throw Fault{cudaErrorInvalidValue, "error", what, 0};
}
/// Rejects a feature that CUDA has and this runtime lacks.
[[noreturn]] void reject_unsupported(const std::string& what) {
    throw Fault{cudaErrorNotSupported, "not_supported", what, 0};
}

void take_channels(const cudaChannelFormatDesc& from, ptx::Texture& to) {
    const int bits[] = {from.x, from.y, from.z, from.w};
    const auto channels = static_cast<unsigned>(std::ranges::count_if(bits, [](int each) { return each > 0; }));
    const bool same = std::all_of(bits, bits + channels, [&](int each) { return each == from.x; });
    const bool known = from.f == cudaChannelFormatKindFloat
                           ? from.x == 16 || from.x == 32
                           : (from.f == cudaChannelFormatKindSigned || from.f == cudaChannelFormatKindUnsigned) &&
                                 (from.x == 8 || from.x == 16 || from.x == 32);
    constexpr int last_kind_of_cuda = 31;  // of compressed and of packed elements
    if (from.f > cudaChannelFormatKindNone && from.f <= last_kind_of_cuda)
        reject_unsupported(
            fmt::format("describes elements of kind {}, which is not supported; whole numbers and floats "
                        "are",
                        static_cast<int>(from.f)));
    if (!same || !known || channels == 0 || channels == 3)
        reject(
            fmt::format("describes elements of {}, {}, {} and {} bits, kind {}; supported are 1, 2 or 4 channels of 8, "
                        "16 or 32 bits each, whole numbers or floats",
                        from.x, from.y, from.z, from.w, static_cast<int>(from.f)));
    to.channels = channels;
    to.channel_bytes = static_cast<unsigned>(from.x) / 8;
    to.format = from.f == cudaChannelFormatKindFloat    ? ptx::Texture::Format::real
                : from.f == cudaChannelFormatKindSigned ? ptx::Texture::Format::signed_integer
                                                        : ptx::Texture::Format::unsigned_integer;
}

void take_description(const cudaTextureDesc& from, ptx::Texture& to, bool linear_memory) {
    const bool real = to.format == ptx::Texture::Format::real;
    to.unit_reads = from.readMode != 0 && !real && to.channel_bytes < 4;  // others stay as they are
    if (from.sRGB) reject_unsupported("asks for sRGB, which is not supported");
    if (linear_memory) return;  // it is read by an index
    to.linear = from.filterMode != 0;
    to.unit_coordinates = from.normalizedCoords != 0;
    std::copy_n(from.borderColor, 4, to.border.begin());
    if (to.linear && !real && !to.unit_reads)
        reject(
            "asks for a linear filter of whole numbers; it is possible with floats, and with "
            "cudaReadModeNormalizedFloat of 8 or 16 bits");
    for (unsigned axis = 0; axis < to.dimensions; ++axis) {
        const int mode = from.addressMode[axis];
        if (mode < 0 || mode > 3) reject(fmt::format("asks for address mode {}, which there is not", mode));
        // CUDA has the first and the third for coordinates up to 1 alone.
        const bool plain = !to.unit_coordinates && (mode == 0 || mode == 2);
        to.outside[axis] = plain ? ptx::Texture::Address::clamp : static_cast<ptx::Texture::Address>(mode);
    }
}

void require_alignment(const void* memory) {
    if (reinterpret_cast<std::uint64_t>(memory) % texture_alignment != 0)
        reject(fmt::format("makes a texture of memory at {}, which is no multiple of {} bytes (textureAlignment)",
                           memory, texture_alignment));
}

void require_size(const char* what, const Sizes& size, const Sizes& max) {
    for (unsigned axis = 0; axis < 3; ++axis)
        if (size[axis] < 1 || size[axis] > max[axis])
            reject(fmt::format("makes {} of {} elements along {}; there can be 1 to {}", what, size[axis], "xyz"[axis],
                               max[axis]));
}

}  // namespace

Textures& Textures::get() {
    static Textures* const textures = new Textures;
    return *textures;
}

CudaArray& Textures::array(const void* handle) {
    const auto found = arrays_.find(handle);
    if (found == arrays_.end())
        throw Fault{cudaErrorInvalidResourceHandle, "error",
                    "is given what is no array of cudaMallocArray, or no longer", 0};
    return *found->second;
}

cudaArray_t Textures::add(CudaArray made) {
    ptx::Texture checked;
    take_channels(made.channels, checked);
    require_size("an array", made.size(), max_of_array[made.dimensions() - 1]);
    auto owned = std::make_unique<CudaArray>(made);
    CudaArray* const handle = owned.get();
    arrays_[handle] = std::move(owned);
    return reinterpret_cast<cudaArray_t>(handle);
}

void Textures::remove(const void* handle) {
    arrays_.erase(handle);
}

void Textures::clear() {
    objects_.clear();
    arrays_.clear();
}

std::uint64_t Textures::create(const cudaResourceDesc& from, const cudaTextureDesc* description) {
    ptx::Texture made;
    made.is_surface = description == nullptr;
    if (from.resType == cudaResourceTypeArray) {
        const CudaArray& in = array(from.res.array.array);
        if (made.is_surface && !(in.flags & cudaArraySurfaceLoadStore))
            reject("makes a surface of an array that cudaMallocArray was not given cudaArraySurfaceLoadStore for");
        take_channels(in.channels, made);
        made.address = in.address;
        made.dimensions = in.dimensions();
        made.size = in.size();
        made.row_bytes = in.row_bytes();
        made.plane_bytes = in.row_bytes() * in.rows();
    } else if (made.is_surface) {
        reject("makes a surface of what is no array: cudaMallocArray with cudaArraySurfaceLoadStore makes one");
    } else if (from.resType == cudaResourceTypeLinear) {
        take_channels(from.res.linear.desc, made);
        made.address = reinterpret_cast<std::uint64_t>(from.res.linear.devPtr);
        made.dimensions = 1;
        made.size[0] = static_cast<std::int64_t>(from.res.linear.sizeInBytes / made.element_bytes());
        require_alignment(from.res.linear.devPtr);
        require_size("a texture", made.size, max_of_linear);
    } else if (from.resType == cudaResourceTypePitch2D) {
        const auto& plane = from.res.pitch2D;
        take_channels(plane.desc, made);
        made.size = {static_cast<std::int64_t>(plane.width), static_cast<std::int64_t>(plane.height), 1};
        require_size("a texture", made.size, max_of_pitch_2d);
        require_alignment(plane.devPtr);
        if (plane.pitchInBytes % texture_pitch_alignment != 0)
            reject(
                fmt::format("has a pitch of {} bytes, which is no multiple of {} (texturePitchAlignment); "
                            "cudaMallocPitch gives one",
                            plane.pitchInBytes, texture_pitch_alignment));
        if (plane.pitchInBytes < plane.width * made.element_bytes())
            reject(fmt::format("has rows of {} bytes, and a pitch of {}", plane.width * made.element_bytes(),
                               plane.pitchInBytes));
        made.address = reinterpret_cast<std::uint64_t>(plane.devPtr);
        made.row_bytes = plane.pitchInBytes;
    } else {
        reject_unsupported("makes a texture of an array with mipmaps, which is not supported");
    }
    if (description) take_description(*description, made, from.resType == cudaResourceTypeLinear);
    objects_[next_] = made;
    return next_++;
}

void Textures::destroy(std::uint64_t object, bool surface) {
    const auto found = objects_.find(object);
    if (found == objects_.end() || found->second.is_surface != surface)
        throw Fault{cudaErrorInvalidResourceHandle, "error",
                    fmt::format("is given what is no {} object, or no longer", surface ? "surface" : "texture"), 0};
    objects_.erase(found);
}

}  // namespace convscope::runtime
