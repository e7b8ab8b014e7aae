// nvcuda::wmma: matrices that a warp holds together, in registers of its threads.
#pragma once

#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision

typedef unsigned __attribute__((may_alias)) convscope_word_type;
/// An element's type in memory and in a fragment.
template <class T>
struct convscope_stored {
    typedef T type;
};
template <>
struct convscope_stored<precision::tf32> {
    typedef float type;
};

/// Its registers are words; x are its elements in them.
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment;

#define CONVSCOPE_FRAGMENT(use, m, n, k, T, layout, words)                                              \
    template <>                                                                                         \
    class fragment<use, m, n, k, T, layout> {                                                           \
    public:                                                                                             \
        typedef convscope_stored<T>::type element_type;                                                 \
        typedef element_type storage_element_type;                                                      \
        static constexpr int num_storage_elements = words * 4 / static_cast<int>(sizeof(element_type)); \
        static constexpr int num_elements = num_storage_elements;                                       \
        alignas(16) element_type x[num_elements];                                                       \
        CONVSCOPE_DEVICE_MEMBER convscope_word_type& convscope_word(int i) {                            \
            return reinterpret_cast<convscope_word_type*>(x)[i];                                        \
        }                                                                                               \
        CONVSCOPE_DEVICE_MEMBER unsigned convscope_word(int i) const {                                  \
            return reinterpret_cast<const convscope_word_type*>(x)[i];                                  \
        }                                                                                               \
    };

#define CONVSCOPE_WORDS_1(f) "=r"(f.convscope_word(0))
#define CONVSCOPE_WORDS_2(f) CONVSCOPE_WORDS_1(f), "=r"(f.convscope_word(1))
#define CONVSCOPE_WORDS_4(f) CONVSCOPE_WORDS_2(f), "=r"(f.convscope_word(2)), "=r"(f.convscope_word(3))
#define CONVSCOPE_WORDS_8(f)                                                                               \
    CONVSCOPE_WORDS_4(f), "=r"(f.convscope_word(4)), "=r"(f.convscope_word(5)), "=r"(f.convscope_word(6)), \
        "=r"(f.convscope_word(7))
#define CONVSCOPE_READS_1(f) "r"(f.convscope_word(0))
#define CONVSCOPE_READS_2(f) CONVSCOPE_READS_1(f), "r"(f.convscope_word(1))
#define CONVSCOPE_READS_4(f) CONVSCOPE_READS_2(f), "r"(f.convscope_word(2)), "r"(f.convscope_word(3))
#define CONVSCOPE_READS_8(f)                                                                            \
    CONVSCOPE_READS_4(f), "r"(f.convscope_word(4)), "r"(f.convscope_word(5)), "r"(f.convscope_word(6)), \
        "r"(f.convscope_word(7))
// Places of operands.
#define CONVSCOPE_FIRST_1 "{%0}"
#define CONVSCOPE_FIRST_2 "{%0,%1}"
#define CONVSCOPE_FIRST_4 "{%0,%1,%2,%3}"
#define CONVSCOPE_FIRST_8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define CONVSCOPE_BEHIND_1 ",[%1],%2;"
#define CONVSCOPE_BEHIND_2 ",[%2],%3;"
#define CONVSCOPE_BEHIND_4 ",[%4],%5;"
#define CONVSCOPE_BEHIND_8 ",[%8],%9;"
#define CONVSCOPE_STORED_4 "{%1,%2,%3,%4},%5;"
#define CONVSCOPE_STORED_8 "{%1,%2,%3,%4,%5,%6,%7,%8},%9;"

#define CONVSCOPE_LOAD(which, layout, shape, ptx, words)                      \
    asm volatile("wmma.load." which ".sync.aligned." layout "." shape "." ptx \
                 " " CONVSCOPE_FIRST_##words CONVSCOPE_BEHIND_##words         \
                 : CONVSCOPE_WORDS_##words(to)                                \
                 : "l"(from), "r"(stride)                                     \
                 : "memory")
#define CONVSCOPE_STORE(layout, shape, ptx, words)                                                                  \
    asm volatile("wmma.store.d.sync.aligned." layout "." shape "." ptx " [%0]," CONVSCOPE_STORED_##words ::"l"(to), \
                 CONVSCOPE_READS_##words(from), "r"(stride)                                                         \
                 : "memory")

/// A and B of these sizes, in both layouts.
#define CONVSCOPE_FACTOR(use, which, m, n, k, shape, T, ptx, words)                                  \
    CONVSCOPE_FRAGMENT(use, m, n, k, T, row_major, words)                                            \
    CONVSCOPE_FRAGMENT(use, m, n, k, T, col_major, words)                                            \
    CONVSCOPE_DEVICE void load_matrix_sync(fragment<use, m, n, k, T, row_major>& to,                 \
                                           const convscope_stored<T>::type* from, unsigned stride) { \
        CONVSCOPE_LOAD(which, "row", shape, ptx, words);                                             \
    }                                                                                                \
    CONVSCOPE_DEVICE void load_matrix_sync(fragment<use, m, n, k, T, col_major>& to,                 \
                                           const convscope_stored<T>::type* from, unsigned stride) { \
        CONVSCOPE_LOAD(which, "col", shape, ptx, words);                                             \
    }
#define CONVSCOPE_SUM(m, n, k, shape, T, ptx, words)                                                               \
    CONVSCOPE_FRAGMENT(accumulator, m, n, k, T, void, words)                                                       \
    CONVSCOPE_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from, unsigned stride,  \
                                           layout_t layout) {                                                      \
        if (layout == mem_row_major)                                                                               \
            CONVSCOPE_LOAD("c", "row", shape, ptx, words);                                                         \
        else                                                                                                       \
            CONVSCOPE_LOAD("c", "col", shape, ptx, words);                                                         \
    }                                                                                                              \
    CONVSCOPE_DEVICE void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from, unsigned stride, \
                                            layout_t layout) {                                                     \
        if (layout == mem_row_major)                                                                               \
            CONVSCOPE_STORE("row", shape, ptx, words);                                                             \
        else                                                                                                       \
            CONVSCOPE_STORE("col", shape, ptx, words);                                                             \
    }

template <class Use, int m, int n, int k, class T, class Layout, class V>
CONVSCOPE_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout>& fragment, const V& value) {
#pragma unroll
    for (int i = 0; i < fragment.num_elements; ++i) fragment.x[i] = value;
}
CONVSCOPE_DEVICE float __float_to_tf32(float value) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __int_as_float(static_cast<int>(bits));
}

// Products. The operands of the assembly: 'd' words of the result, then those of a, b and c.
#define CONVSCOPE_PRODUCT(m, n, k, shape, A, B, T_a, T_d, T_c, types, operands, D_words, A_words, B_words, C_words) \
    CONVSCOPE_DEVICE void mma_sync(                                                                                 \
        fragment<accumulator, m, n, k, T_d>& d, const fragment<matrix_a, m, n, k, T_a, A##_major>& a,               \
        const fragment<matrix_b, m, n, k, T_a, B##_major>& b, const fragment<accumulator, m, n, k, T_c>& c) {       \
        asm volatile("wmma.mma.sync.aligned." #A "." #B "." shape "." types " " operands                            \
                     : CONVSCOPE_WORDS_##D_words(d)                                                                 \
                     : CONVSCOPE_READS_##A_words(a), CONVSCOPE_READS_##B_words(b), CONVSCOPE_READS_##C_words(c));   \
    }
#define CONVSCOPE_PRODUCTS(m, n, k, shape, T_a, T_d, T_c, types, operands, D_words, A_words, B_words, C_words)      \
    CONVSCOPE_PRODUCT(m, n, k, shape, row, row, T_a, T_d, T_c, types, operands, D_words, A_words, B_words, C_words) \
    CONVSCOPE_PRODUCT(m, n, k, shape, row, col, T_a, T_d, T_c, types, operands, D_words, A_words, B_words, C_words) \
    CONVSCOPE_PRODUCT(m, n, k, shape, col, row, T_a, T_d, T_c, types, operands, D_words, A_words, B_words, C_words) \
    CONVSCOPE_PRODUCT(m, n, k, shape, col, col, T_a, T_d, T_c, types, operands, D_words, A_words, B_words, C_words)

CONVSCOPE_FACTOR(matrix_a, "a", 16, 16, 16, "m16n16k16", __half, "f16", 8)
CONVSCOPE_FACTOR(matrix_b, "b", 16, 16, 16, "m16n16k16", __half, "f16", 8)
CONVSCOPE_SUM(16, 16, 16, "m16n16k16", __half, "f16", 4)
CONVSCOPE_SUM(16, 16, 16, "m16n16k16", float, "f32", 8)
CONVSCOPE_SUM(16, 16, 16, "m16n16k16", int, "s32", 8)
CONVSCOPE_PRODUCTS(16, 16, 16, "m16n16k16", __half, float, float, "f32.f32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%24,%"
                   "25,%26,%27,%28,%29,%30,%31};",
                   8, 8, 8, 8)
CONVSCOPE_PRODUCTS(16, 16, 16, "m16n16k16", __half, __half, __half, "f16.f16",
                   "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%20,%21,%22,%23};", 4,
                   8, 8, 4)
CONVSCOPE_PRODUCTS(
    16, 16, 16, "m16n16k16", __half, float, __half, "f32.f16",
    "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%24,%25,%26,%27};", 8,
    8, 8, 4)
CONVSCOPE_PRODUCTS(
    16, 16, 16, "m16n16k16", __half, __half, float, "f16.f32",
    "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%20,%21,%22,%23,%24,%25,%26,%27};", 4,
    8, 8, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 16, 16, 16, "m16n16k16", signed char, "s8", 2)
CONVSCOPE_FACTOR(matrix_b, "b", 16, 16, 16, "m16n16k16", signed char, "s8", 2)
CONVSCOPE_PRODUCTS(16, 16, 16, "m16n16k16", signed char, int, int, "s32.s8.s8.s32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},{%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19};", 8, 2, 2, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 16, 16, 16, "m16n16k16", unsigned char, "u8", 2)
CONVSCOPE_FACTOR(matrix_b, "b", 16, 16, 16, "m16n16k16", unsigned char, "u8", 2)
CONVSCOPE_PRODUCTS(16, 16, 16, "m16n16k16", unsigned char, int, int, "s32.u8.u8.s32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9},{%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19};", 8, 2, 2, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 8, 32, 16, "m8n32k16", __half, "f16", 8)
CONVSCOPE_FACTOR(matrix_b, "b", 8, 32, 16, "m8n32k16", __half, "f16", 8)
CONVSCOPE_SUM(8, 32, 16, "m8n32k16", __half, "f16", 4)
CONVSCOPE_SUM(8, 32, 16, "m8n32k16", float, "f32", 8)
CONVSCOPE_SUM(8, 32, 16, "m8n32k16", int, "s32", 8)
CONVSCOPE_PRODUCTS(8, 32, 16, "m8n32k16", __half, float, float, "f32.f32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%24,%"
                   "25,%26,%27,%28,%29,%30,%31};",
                   8, 8, 8, 8)
CONVSCOPE_PRODUCTS(8, 32, 16, "m8n32k16", __half, __half, __half, "f16.f16",
                   "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%20,%21,%22,%23};", 4,
                   8, 8, 4)
CONVSCOPE_PRODUCTS(
    8, 32, 16, "m8n32k16", __half, float, __half, "f32.f16",
    "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%24,%25,%26,%27};", 8,
    8, 8, 4)
CONVSCOPE_PRODUCTS(
    8, 32, 16, "m8n32k16", __half, __half, float, "f16.f32",
    "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%20,%21,%22,%23,%24,%25,%26,%27};", 4,
    8, 8, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 8, 32, 16, "m8n32k16", signed char, "s8", 1)
CONVSCOPE_FACTOR(matrix_b, "b", 8, 32, 16, "m8n32k16", signed char, "s8", 4)
CONVSCOPE_PRODUCTS(8, 32, 16, "m8n32k16", signed char, int, int, "s32.s8.s8.s32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8},{%9,%10,%11,%12},{%13,%14,%15,%16,%17,%18,%19,%20};", 8, 1, 4, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 8, 32, 16, "m8n32k16", unsigned char, "u8", 1)
CONVSCOPE_FACTOR(matrix_b, "b", 8, 32, 16, "m8n32k16", unsigned char, "u8", 4)
CONVSCOPE_PRODUCTS(8, 32, 16, "m8n32k16", unsigned char, int, int, "s32.u8.u8.s32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8},{%9,%10,%11,%12},{%13,%14,%15,%16,%17,%18,%19,%20};", 8, 1, 4, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 32, 8, 16, "m32n8k16", __half, "f16", 8)
CONVSCOPE_FACTOR(matrix_b, "b", 32, 8, 16, "m32n8k16", __half, "f16", 8)
CONVSCOPE_SUM(32, 8, 16, "m32n8k16", __half, "f16", 4)
CONVSCOPE_SUM(32, 8, 16, "m32n8k16", float, "f32", 8)
CONVSCOPE_SUM(32, 8, 16, "m32n8k16", int, "s32", 8)
CONVSCOPE_PRODUCTS(32, 8, 16, "m32n8k16", __half, float, float, "f32.f32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%24,%"
                   "25,%26,%27,%28,%29,%30,%31};",
                   8, 8, 8, 8)
CONVSCOPE_PRODUCTS(32, 8, 16, "m32n8k16", __half, __half, __half, "f16.f16",
                   "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%20,%21,%22,%23};", 4,
                   8, 8, 4)
CONVSCOPE_PRODUCTS(
    32, 8, 16, "m32n8k16", __half, float, __half, "f32.f16",
    "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11,%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23},{%24,%25,%26,%27};", 8,
    8, 8, 4)
CONVSCOPE_PRODUCTS(
    32, 8, 16, "m32n8k16", __half, __half, float, "f16.f32",
    "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15,%16,%17,%18,%19},{%20,%21,%22,%23,%24,%25,%26,%27};", 4,
    8, 8, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 32, 8, 16, "m32n8k16", signed char, "s8", 4)
CONVSCOPE_FACTOR(matrix_b, "b", 32, 8, 16, "m32n8k16", signed char, "s8", 1)
CONVSCOPE_PRODUCTS(32, 8, 16, "m32n8k16", signed char, int, int, "s32.s8.s8.s32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11},{%12},{%13,%14,%15,%16,%17,%18,%19,%20};", 8, 4, 1, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 32, 8, 16, "m32n8k16", unsigned char, "u8", 4)
CONVSCOPE_FACTOR(matrix_b, "b", 32, 8, 16, "m32n8k16", unsigned char, "u8", 1)
CONVSCOPE_PRODUCTS(32, 8, 16, "m32n8k16", unsigned char, int, int, "s32.u8.u8.s32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11},{%12},{%13,%14,%15,%16,%17,%18,%19,%20};", 8, 4, 1, 8)
CONVSCOPE_FACTOR(matrix_a, "a", 16, 16, 8, "m16n16k8", precision::tf32, "tf32", 4)
CONVSCOPE_FACTOR(matrix_b, "b", 16, 16, 8, "m16n16k8", precision::tf32, "tf32", 4)
CONVSCOPE_SUM(16, 16, 8, "m16n16k8", float, "f32", 8)
CONVSCOPE_PRODUCTS(16, 16, 8, "m16n16k8", precision::tf32, float, float, "f32.tf32.tf32.f32",
                   "{%0,%1,%2,%3,%4,%5,%6,%7},{%8,%9,%10,%11},{%12,%13,%14,%15},{%16,%17,%18,%19,%20,%21,%22,%23};", 8,
                   4, 4, 8)

}  // namespace wmma
}  // namespace nvcuda
