// Matrices in .npz files: every format comes back, SciPy reads what it can, and nothing that is damaged is taken.
#include "kernels/formats/format_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>

#include "kernels/core/error.h"
#include "kernels/files/npy_bytes.h"
#include "kernels/files/npz.h"
#include "kernels/files/text_file.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

const FormatMatrix small_map{5, 5, {0, 0, 15, 8, 0, 22, 0, 0, 23, 0, 0, 8, 0, 0, 0, 0, 0, 19, 0, 0, 10, 4, 0, 0, 22}};

/// At most two non-zeros in every four columns, which 2:4 keeps whole.
SparseMatrix random_two_four(std::mt19937& random) {
    FormatMatrix matrix{1 + static_cast<std::int64_t>(random() % 9), 1 + static_cast<std::int64_t>(random() % 9), {}};
    const auto zeros = random() % 101;
    for (std::int64_t at = 0, kept = 0; at < matrix.rows * matrix.cols; ++at) {
        if (at % matrix.cols % 4 == 0) kept = 0;
        const bool zero = random() % 100 < zeros || kept == 2;
        kept += !zero;
        matrix.values.push_back(zero ? 0.0F : 1.0F + static_cast<float>(random() % 1000));
    }
    return make_sparse(matrix);
}

TEST(FormatFile, ten_thousand_matrices_come_back_from_a_file_of_every_format) {
    std::mt19937 random(38);
    int for_scipy = 0;
    for (int i = 0; i < 10000; ++i) {
        const SparseMatrix matrix = random_two_four(random);
        for (const SparseFormat& format : all_sparse_formats()) {
            const FormatArrays made = build_from_entries(format, matrix, false);
            const MatrixFile back = read_matrix_npz("a.npz", NpzFile("a.npz", matrix_npz_bytes(made)));
            ASSERT_EQ(back.matrix, matrix) << format.name << " of matrix " << i;
            ASSERT_EQ(back.format, format.name);
            for_scipy += scipy_reads(made);
        }
    }
    // CSR, CSC, COO and DIA of each, and BSR of those with an even number of rows and of columns.
    EXPECT_GT(for_scipy, 40000);
}

NpyBytes integers(const NpyShape& shape, const std::vector<std::int64_t>& values) {
    NpyBytes array{"i8", shape, std::vector<std::byte>(8 * values.size())};
    std::memcpy(array.data.data(), values.data(), array.data.size());
    return array;
}

/// As SciPy's save_npz writes them: indices and values of 64 bits too.
MatrixFile scipy_file(const char* format, std::vector<std::pair<const char*, NpyBytes>> arrays,
                      const std::vector<std::int64_t>& shape = {2, 4}) {
    NpzMembers members{{"format", npy_file_of_text(format)}, {"shape", npy_file_bytes(integers({2}, shape))}};
    for (const auto& [name, array] : arrays) members.emplace_back(name, npy_file_bytes(array));
    return read_matrix_npz("a.npz", NpzFile("a.npz", npz_file_bytes(members)));
}

FormatMatrix of_scipy(const char* format, std::vector<std::pair<const char*, NpyBytes>> arrays) {
    return make_dense(scipy_file(format, std::move(arrays)).matrix);
}

TEST(FormatFile, scipys_arrays_mean_what_scipy_says) {
    const FormatMatrix wanted{2, 4, {0, 5, 0, 6, 7, 0, 0, 0}};
    EXPECT_EQ(of_scipy("csr", {{"indptr", integers({3}, {0, 2, 3})},
                               {"indices", integers({3}, {3, 1, 0})},  // in any order
                               {"data", integers({3}, {6, 5, 7})}}),
              wanted);
    EXPECT_EQ(of_scipy("csc", {{"indptr", integers({5}, {0, 1, 2, 2, 3})},
                               {"indices", integers({3}, {1, 0, 0})},
                               {"data", integers({3}, {7, 5, 6})}}),
              wanted);
    // Two values in one place are added.
    EXPECT_EQ(of_scipy("coo", {{"row", integers({4}, {1, 0, 0, 0})},
                               {"col", integers({4}, {0, 1, 3, 1})},
                               {"data", integers({4}, {7, 2, 6, 3})}}),
              wanted);
    EXPECT_EQ(of_scipy("bsr", {{"indptr", integers({2}, {0, 2})},
                               {"indices", integers({2}, {0, 1})},
                               {"data", integers({2, 2, 2}, {0, 5, 7, 0, 0, 6, 0, 0})}}),
              wanted);
    // Element j of a diagonal is in column j.
    EXPECT_EQ(of_scipy("dia", {{"offsets", integers({3}, {3, -1, 1})},
                               {"data", integers({3, 4}, {0, 0, 0, 6, 7, 0, 0, 0, 9, 5, 0, 0})}}),
              wanted);
}

std::string rejected(const std::function<void()>& read) {
    try {
        read();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::file);
        return error.what();
    }
    return "taken";
}

TEST(FormatFile, arrays_that_contradict_each_other_are_rejected) {
    const auto csr = [](std::vector<std::int64_t> indptr, std::vector<std::int64_t> indices,
                        std::vector<std::int64_t> shape = {2, 4}) {
        return rejected([&] {
            scipy_file("csr",
                       {{"indptr", integers({std::ssize(indptr)}, indptr)},
                        {"indices", integers({std::ssize(indices)}, indices)},
                        {"data", integers({3}, {1, 2, 3})}},
                       shape);
        });
    };
    const std::string accepted = "; accepted are .npz files as layout or SciPy's save_npz writes them";
    const std::string csr_of = "a.npz: it is no matrix in csr: ";
    EXPECT_EQ(csr({0, 2, 3}, {0, 1, 4}), csr_of + "'indices' leads to 4, where there are 4" + accepted);
    EXPECT_EQ(csr({0, 2, 3}, {0, 1, -1}), csr_of + "'indices' leads to -1, where there are 4" + accepted);
    EXPECT_EQ(csr({0, 2}, {0, 1, 2}), csr_of + "'indptr' has 2 elements, not 3" + accepted);
    EXPECT_EQ(csr({0, 2, 2}, {0, 1, 2}), csr_of + "'indptr' goes from 0 to 2, not from 0 to 3" + accepted);
    EXPECT_EQ(csr({0, 9, 3}, {0, 1, 2}), csr_of + "'indptr' has 9, over 3" + accepted);
    EXPECT_EQ(csr({0, -1, 3}, {0, 1, 2}), csr_of + "'indptr' falls from 0 to -1" + accepted);
    EXPECT_EQ(csr({0, 1, 2}, {0, 1}), csr_of + "'data' has 3 elements, not 2" + accepted);
    EXPECT_EQ(csr({0, 2, 3}, {0, 1, std::int64_t{1} << 31}),
              "a.npz: its array 'indices' has 2147483648, more than 31 bits" + accepted);
    EXPECT_EQ(csr({0, 3}, {0, 1, 2}, {100000, 200000}),
              "a.npz: its matrix is 100000 \u00d7 200000, and one of 1 to 2147483647 elements is read" + accepted);
    // Rows that no array has elements for take no memory.
    EXPECT_EQ(csr({0, 3}, {0, 1, 2}, {2000000000, 1}),
              csr_of + "2000000000 \u00d7 1 takes arrays of more than 3 elements" + accepted);
    EXPECT_EQ(rejected([] { scipy_file("lil", {}); }),
              "a.npz: its format is 'lil'; there are coo, csr, csc, ell, bsr, bitmap, 2:4, rle, sell, dia" + accepted);
    EXPECT_EQ(rejected([] { read_matrix_npz("a.npz", NpzFile("a.npz", npz_file_bytes({}))); }),
              "a.npz: it has no array 'format'" + accepted);
    EXPECT_EQ(
        rejected([] {
            scipy_file("csr", {{"data", integers({1}, {1})}, {"x", integers({1}, {1})}});
        }),
        "a.npz: it has no array 'indptr'; its arrays are data, format, shape, x; accepted are .npz files of fewer "
        "than 4 GiB, their arrays stored or deflated");
    EXPECT_EQ(rejected([] {
                  scipy_file("bsr", {{"indptr", integers({2}, {0, 1})},
                                     {"indices", integers({1}, {0})},
                                     {"data", integers({1, 3, 2}, {1, 2, 3, 4, 5, 6})}});
              }),
              "a.npz: its array 'data' is 1x3x2, no blocks of which 2 \u00d7 4 is made" + accepted);
}

TEST(FormatFile, what_is_too_large_for_a_shape_is_not_read) {
    const std::string format = npy_file_of_text("csr"), numbers(4'000'000, '\1');
    for (const auto& [header, found] :
         {std::pair{make_npy_header("<i8", {500'000}), "its array 'shape' is not of two integers"},
          {make_npy_header("<i8", {2}), "its array 'shape' is not of two integers"},
          {make_npy_header("<f8", {2}) + numbers.substr(0, 16), "its array 'shape' is not of two integers"}}) {
        const bool large = !header.ends_with('\1');
        std::string bytes = npz_file_bytes({{"format", format}, {"shape", header + (large ? numbers : "")}});
        // Read to its end, it would be found damaged.
        if (large) bytes[bytes.size() / 2] = '\2';
        const std::string said = rejected([&] { read_matrix_npz("a.npz", NpzFile("a.npz", bytes)); });
        EXPECT_TRUE(said.starts_with(std::string("a.npz: ") + found)) << said;
        EXPECT_EQ(said, rejected([&] { read_matrix_shape("a.npz", NpzFile("a.npz", bytes)); }));
    }
}

/// Every number of every array, replaced by others: either it is rejected, or it is a matrix of this size.
TEST(FormatFile, no_number_leads_out_of_the_matrix) {
    int taken = 0, not_taken = 0;
    for (const SparseFormat& format : all_sparse_formats()) {
        const FormatArrays made = build_format(format, small_map, false);
        for (std::size_t array = 0; array < made.arrays.size(); ++array)
            for (std::size_t element = 0; element < made.arrays[array].words.size(); ++element)
                for (const std::uint32_t number : {0U, 1U, 5U, 0x1fU, 0xffU, 0xffffU, 0x7fffffffU, 0xffffffffU}) {
                    FormatArrays changed = made;
                    changed.arrays[array].words[element] = number;
                    try {
                        const SparseMatrix matrix = read_format(changed);
                        ++taken;
                        for (const FormatEntry& entry : matrix.entries)
                            ASSERT_TRUE(entry.row >= 0 && entry.row < 5 && entry.col >= 0 && entry.col < 5)
                                << format.name << ' ' << changed.arrays[array].name;
                    } catch (const BadFormat&) {
                        ++not_taken;
                    }
                }
    }
    EXPECT_GT(taken, 500);
    EXPECT_GT(not_taken, 500);
}

TEST(FormatFile, a_dense_npy_is_a_matrix) {
    const TempFolder folder;
    const auto path = folder / "dense.npy";
    write_npy_bytes(path, integers({2, 3}, {0, 1, 0, -2, 0, 3}));
    const MatrixFile file = read_matrix_file(path);
    EXPECT_EQ(file.format, "dense");
    EXPECT_EQ(make_dense(file.matrix), (FormatMatrix{2, 3, {0, 1, 0, -2, 0, 3}}));
    write_npy_bytes(path, integers({6}, {0, 1, 0, -2, 0, 3}));
    EXPECT_EQ(rejected([&] { read_matrix_file(path); }),
              path.string() +
                  ": it has 1 dimension; accepted are .npz files as layout or SciPy's save_npz writes them, and "
                  ".npy files of "
                  "two dimensions");
}

TEST(FormatFile, says_what_a_file_is_that_is_neither_npy_nor_npz) {
    const TempFolder folder;
    const auto said = [&](const char* name, const std::string& bytes) {
        const auto path = folder / name;
        write_text_file(path, bytes);
        const std::string all = rejected([&] { read_matrix_file(path); });
        return all.substr(std::min(all.size(), path.string().size()));
    };
    EXPECT_EQ(said("a.npy", ""),
              ": it is empty; accepted are .npz files as layout or SciPy's save_npz writes them, and .npy files of two "
              "dimensions");
    EXPECT_EQ(said("a.npz", ""), ": it is empty; accepted are .npz files as layout or SciPy's save_npz writes them");
    EXPECT_TRUE(said("text.npy", "1 2\n3 4\n").starts_with(": it is not an .npy file (its first bytes are not"));
    EXPECT_TRUE(said("text.npz", "1 2\n3 4\n").starts_with(": it is no zip archive"));
    EXPECT_TRUE(said("short.npy", "\x93NUMPY").starts_with(": it ends inside its header"));
}

TEST(FormatFile, what_scipy_wrote_is_read) {
    const FormatMatrix wanted{4, 6, {0, 0, 15, 8, 0, 0, 22, 0, 0, 23, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 19, 0, 0, 1}};
    for (const char* format : {"csr", "csc", "coo", "bsr", "dia"}) {
        const MatrixFile file = read_matrix_file(std::filesystem::path(NPZ_SAMPLES) / (std::string(format) + ".npz"));
        EXPECT_EQ(file.format, format);
        EXPECT_EQ(make_dense(file.matrix), wanted) << format;
    }
    for (const char* format : {"ell", "sell", "bitmap", "rle"})
        EXPECT_EQ(
            make_dense(read_matrix_file(std::filesystem::path(NPZ_SAMPLES) / (std::string(format) + ".npz")).matrix),
            (FormatMatrix{2, 3, {0, 1, 0, 2, 0, 3}}))
            << format;
}

/// SciPy loads what it can have, and writes it again, deflated; that is read back. CONVSCOPE_SCIPY_MATRICES: of so many
/// matrices in every format that it has.
TEST(FormatFile, scipy_reads_and_writes_the_same_matrix) {
    // The distribution's SciPy is of the distribution's Python, which may not be the first on the PATH.
    std::string python;
    for (const char* each : {"/usr/bin/python3", "python3"})
        if (python.empty() && std::system(fmt::format("{} -c 'import scipy.sparse'", each).c_str()) == 0) python = each;
    ASSERT_FALSE(python.empty()) << "no Python has scipy.sparse; scripts/test installs python3-scipy";
    const TempFolder folder;
    std::mt19937 random(39);
    std::vector<SparseMatrix> wanted;
    const auto file = [&](const char* prefix, std::size_t i) { return folder / fmt::format("{}{}.npz", prefix, i); };
    const char* const many = std::getenv("CONVSCOPE_SCIPY_MATRICES");
    for (int left = many ? std::atoi(many) : 100; left > 0; --left) {
        const SparseMatrix matrix = random_two_four(random);
        for (const SparseFormat& format : all_sparse_formats()) {
            const FormatArrays made = build_from_entries(format, matrix, false);
            if (!scipy_reads(made)) continue;
            write_text_file(file("ours", wanted.size()), matrix_npz_bytes(made));
            const FormatMatrix values = make_dense(matrix);
            NpyBytes array{"f4", {values.rows, values.cols}, std::vector<std::byte>(4 * values.values.size())};
            std::memcpy(array.data.data(), values.values.data(), array.data.size());
            write_npy_bytes(folder / fmt::format("dense{}.npy", wanted.size()), array);
            wanted.push_back(matrix);
        }
    }
    ASSERT_GE(wanted.size(), 400U) << "CSR, CSC, COO and DIA of each, and BSR of some";
    const std::string here = (folder / "").string();
    const std::string script = fmt::format(
        "import numpy, scipy.sparse\n"
        "for i in range({}):\n"
        "    m = scipy.sparse.load_npz('{}ours%d.npz' % i)\n"
        "    assert (m.toarray() == numpy.load('{}dense%d.npy' % i)).all(), i\n"
        "    scipy.sparse.save_npz('{}scipy%d.npz' % i, m, compressed=i % 2 == 0)\n",
        wanted.size(), here, here, here);
    write_text_file(folder / "check.py", script);
    ASSERT_EQ(std::system(fmt::format("{} {}", python, (folder / "check.py").string()).c_str()), 0);
    for (std::size_t i = 0; i < wanted.size(); ++i)
        ASSERT_EQ(read_matrix_file(file("scipy", i)).matrix, wanted[i]) << i;
}

}  // namespace
}  // namespace convscope
