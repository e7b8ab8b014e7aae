// cuDNN's handles and descriptors as values that clean up after themselves, and the check round every call.
#pragma once

#include <cudnn.h>

#include <memory>
#include <type_traits>

#include "kernels/layers/conv_shape.h"
#include "kernels/method/method.h"

namespace convscope::cudnn {

/// Throws OutOfMemory or Error(failed), with the call, its place and cuDNN's reason.
void check(cudnnStatus_t status, const char* call, const char* file, int line);
#define CONVSCOPE_CUDNN(call) ::convscope::cudnn::check((call), #call, __FILE__, __LINE__)

template <auto Create, auto Destroy>
class Owned;
template <class T, cudnnStatus_t (*Create)(T*), cudnnStatus_t (*Destroy)(T)>
class Owned<Create, Destroy> {
public:
    Owned() { CONVSCOPE_CUDNN(Create(&value_)); }
    ~Owned() { Destroy(value_); }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    T get() const { return value_; }

private:
    T value_{};
};

using Handle = Owned<cudnnCreate, cudnnDestroy>;
using TensorDescriptor = Owned<cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using FilterDescriptor = Owned<cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using ConvolutionDescriptor = Owned<cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor>;
using ActivationDescriptor = Owned<cudnnCreateActivationDescriptor, cudnnDestroyActivationDescriptor>;
using PoolingDescriptor = Owned<cudnnCreatePoolingDescriptor, cudnnDestroyPoolingDescriptor>;

}  // namespace convscope::cudnn
