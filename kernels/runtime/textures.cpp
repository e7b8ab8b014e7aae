#include "kernels/runtime/textures.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/runtime/gpu.h"

namespace convscope::runtime {
namespace {

[[noreturn]] void reject(const std::string& what) {
    throw Fault{cudaErrorInvalidValue, "error", what, 0};
}

void take_channels(const cudaChannelFormatDesc& from, ptx::Texture& to) {
    const int bits[] = {from.x, from.y, from.z, from.w};
    const auto channels = static_cast<unsigned>(std::ranges::count_if(bits, [](int each) { return each > 0; }));
    const bool same = std::all_of(bits, bits + channels, [&](int each) { return each == from.x; });
    const bool known = from.f == cudaChannelFormatKindFloat
                           ? from.x == 16 || from.x == 32
                           : (from.f == cudaChannelFormatKindSigned || from.f == cudaChannelFormatKindUnsigned) &&
                                 (from.x == 8 || from.x == 16 || from.x == 32);
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
    to.linear = from.filterMode != 0;
    to.unit_reads = from.readMode != 0;
    to.unit_coordinates = from.normalizedCoords != 0;
    std::copy_n(from.borderColor, 4, to.border.begin());
    if (from.sRGB) reject("asks for sRGB, which is not supported");
    const bool real = to.format == ptx::Texture::Format::real;
    if (to.unit_reads && !real && to.channel_bytes == 4)
        reject("asks for numbers up to 1 of 32-bit integers; it is possible with those of 8 and 16 bits");
    if (to.linear && !real && !to.unit_reads)
        reject(
            "asks for a linear filter of whole numbers; it is possible with floats and with "
            "cudaReadModeNormalizedFloat");
    if (linear_memory && to.linear)
        reject(
            "asks for a linear filter of linear memory, which is read by an index; arrays and cudaResourceTypePitch2D "
            "have one");
    for (int axis = 0; axis < 3; ++axis) {
        const int mode = from.addressMode[axis];
        if (mode < 0 || mode > 3) reject(fmt::format("asks for address mode {}, which there is not", mode));
        // CUDA has the first and the third for coordinates up to 1 alone.
        const bool plain = !to.unit_coordinates && (mode == 0 || mode == 2);
        to.outside[static_cast<std::size_t>(axis)] =
            plain ? ptx::Texture::Address::clamp : static_cast<ptx::Texture::Address>(mode);
    }
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
    auto owned = std::make_unique<CudaArray>(made);
    CudaArray* const handle = owned.get();
    arrays_[handle] = std::move(owned);
    return reinterpret_cast<cudaArray_t>(handle);
}

void Textures::remove(const void* handle) {
    arrays_.erase(handle);
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
        made.dimensions = in.extent.depth > 0 ? 3 : in.extent.height > 0 ? 2 : 1;
        made.size = {static_cast<std::int64_t>(in.extent.width), static_cast<std::int64_t>(in.rows()),
                     static_cast<std::int64_t>(in.planes())};
        made.row_bytes = in.row_bytes();
        made.plane_bytes = in.row_bytes() * in.rows();
    } else if (made.is_surface) {
        reject("makes a surface of what is no array: cudaMallocArray with cudaArraySurfaceLoadStore makes one");
    } else if (from.resType == cudaResourceTypeLinear) {
        take_channels(from.res.linear.desc, made);
        made.address = reinterpret_cast<std::uint64_t>(from.res.linear.devPtr);
        made.dimensions = 1;
        made.size[0] = static_cast<std::int64_t>(from.res.linear.sizeInBytes / made.element_bytes());
    } else if (from.resType == cudaResourceTypePitch2D) {
        const auto& plane = from.res.pitch2D;
        take_channels(plane.desc, made);
        if (plane.pitchInBytes < plane.width * made.element_bytes())
            reject(fmt::format("has rows of {} bytes, and a pitch of {}", plane.width * made.element_bytes(),
                               plane.pitchInBytes));
        made.address = reinterpret_cast<std::uint64_t>(plane.devPtr);
        made.size = {static_cast<std::int64_t>(plane.width), static_cast<std::int64_t>(plane.height), 1};
        made.row_bytes = plane.pitchInBytes;
    } else {
        reject("makes a texture of an array with mipmaps, which is not supported");
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
