// Winograd's minimal filtering algorithm F(2x2, 3x3) (Lavin 2015, Section 4.1): a 2x2 piece of the output from a 4x4
// tile d of the map and a 3x3 filter g with 16 multiplications instead of 36,
//
//     Y = A^T [(G g G^T) * (B^T d B)] A,     * element by element,
//
//           | 1  0 -1  0 |        |  1    0    0  |
//     B^T = | 0  1  1  0 |    G = | 1/2  1/2  1/2 |    A^T = | 1  1  1  0 |
//           | 0 -1  1  0 |        | 1/2 -1/2  1/2 |          | 0  1 -1 -1 |
//           | 0  1  0 -1 |        |  0    0    1  |
//
// Each transform works on columns, then on rows. T is a float or a vector of floats. Everything is inlined: this header
// is compiled for the CPU's instruction sets, for CUDA and for both simulations, and their code must not mix.
#pragma once

namespace convscope::f2x2_3x3 {

constexpr int outputs = 2;    ///< along each side of a tile's piece of the output; tiles lie as far apart
constexpr int taps = 3;       ///< along each side of a filter
constexpr int elements = 16;  ///< of a tile, and so the number of matrix products

template <class T>
[[gnu::always_inline]] constexpr void transform_data(const T (&d)[4][4], T (&v)[4][4]) {
    T columns[4][4];
    for (int j = 0; j < 4; ++j) {
        columns[0][j] = d[0][j] - d[2][j];
        columns[1][j] = d[1][j] + d[2][j];
        columns[2][j] = d[2][j] - d[1][j];
        columns[3][j] = d[1][j] - d[3][j];
    }
    for (int i = 0; i < 4; ++i) {
        v[i][0] = columns[i][0] - columns[i][2];
        v[i][1] = columns[i][1] + columns[i][2];
        v[i][2] = columns[i][2] - columns[i][1];
        v[i][3] = columns[i][1] - columns[i][3];
    }
}

template <class T>
[[gnu::always_inline]] constexpr void transform_filter(const T (&g)[3][3], T (&u)[4][4]) {
    T columns[4][3];
    for (int j = 0; j < 3; ++j) {
        const T outer = g[0][j] + g[2][j];
        columns[0][j] = g[0][j];
        columns[1][j] = (outer + g[1][j]) * 0.5f;
        columns[2][j] = (outer - g[1][j]) * 0.5f;
        columns[3][j] = g[2][j];
    }
    for (int i = 0; i < 4; ++i) {
        const T outer = columns[i][0] + columns[i][2];
        u[i][0] = columns[i][0];
        u[i][1] = (outer + columns[i][1]) * 0.5f;
        u[i][2] = (outer - columns[i][1]) * 0.5f;
        u[i][3] = columns[i][2];
    }
}

template <class T>
[[gnu::always_inline]] constexpr void transform_inverse(const T (&m)[4][4], T (&y)[2][2]) {
    T columns[2][4];
    for (int j = 0; j < 4; ++j) {
        columns[0][j] = m[0][j] + m[1][j] + m[2][j];
        columns[1][j] = m[1][j] - m[2][j] - m[3][j];
    }
    for (int i = 0; i < 2; ++i) {
        y[i][0] = columns[i][0] + columns[i][1] + columns[i][2];
        y[i][1] = columns[i][1] - columns[i][2] - columns[i][3];
    }
}

}  // namespace convscope::f2x2_3x3
