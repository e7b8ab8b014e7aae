// convscope kernel: what its parameters and variables are given.
#include "tests/app/cli/user_kernel.h"

#include <span>

#include "kernels/files/npy_bytes.h"

namespace convscope::testing {
namespace {

class UserKernelArguments : public UserKernel {};

TEST_F(UserKernelArguments, has_arrays_of_as_many_vectors_as_it_asks_for) {
    write("v.cu",
          "// convscope: grid = 1, block = 4, a = iota(4), o = out(4), b = out(4)\n"
          "__global__ void v(const float4* a, float4* o, uchar3* b) {\n"
          "    int i = threadIdx.x;\n    o[i] = a[i];\n    b[i] = make_uchar3(1, 2, 3);\n}\n");
    const std::vector<std::string> words{"kernel", "v.cu", "--save", "o=o.npy", "--save", "b=b.npy"};
    const Finished finished = run_here(words);
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(read_file(path("o.npy")), "(4, 4)");
    expect_contains(read_file(path("b.npy")), "(4, 3)");
    write("plain.npy", npy_bytes("(16,)", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
    EXPECT_EQ(run_here({"kernel", "v.cu", "--arg", "a=plain.npy", "--expect", "o=o.npy"}).status, 0);
}

TEST_F(UserKernelArguments, takes_doubles_for_floats_and_says_so) {
    write("d.cu",
          "// convscope: grid = 1, block = 2, o = out(2)\n"
          "__global__ void d(const float* a, float* o) { o[threadIdx.x] = 2 * a[threadIdx.x]; }\n");
    const std::vector<double> values{0.1, 3};
    NpyBytes doubles{"f8", {2}, {}};
    for (const double value : values)
        for (const std::byte byte : std::as_bytes(std::span(&value, 1))) doubles.data.push_back(byte);
    write_npy_bytes(path("a.npy"), doubles);
    write("o.npy", npy_bytes("(2,)", {0.2F, 6}));
    const Finished finished = run_here({"kernel", "d.cu", "--arg", "a=a.npy", "--expect", "o=o.npy"});
    EXPECT_EQ(finished.status, 0) << finished.err;
    expect_contains(finished.err, "convscope: the argument a: the elements of type float64 are rounded to float\n");
    const double large = 1e300;
    std::memcpy(doubles.data.data(), &large, sizeof large);
    write_npy_bytes(path("large.npy"), doubles);
    expect_rejected({"kernel", path("d.cu"), "--arg", "a=" + path("large.npy")}, 2,
                    "the argument a: its element 1e+300 is beyond the range of float, which the kernel takes");
    write("i.cu", "// convscope: grid = 1, block = 2\n__global__ void i(int* a) { a[threadIdx.x] = 1; }\n");
    expect_contains(run_here({"kernel", "i.cu", "--arg", "a=a.npy"}).err, "'a' is an array of int");
}

TEST_F(UserKernelArguments, has_no_one_number_for_two_directions) {
    write("s.cu",
          "// convscope: grid = 1, block = 1\n"
          "__global__ void s(const float* x, int stride, int padding, int stride_w) {\n"
          "    printf(\"%d %d %d\\n\", stride, padding, stride_w);\n}\n");
    const Finished two = run_here({"kernel", "s.cu", "--h", "8", "--r", "3", "--stride", "2,1"});
    EXPECT_EQ(two.status, 2);
    expect_contains(two.err,
                    "'stride' is one number, and the layer's stride is 2x1: let the kernel take stride_h and stride_w");
    expect_contains(run_here({"kernel", "s.cu", "--h", "8", "--r", "3", "--pad", "0,1"}).err, "take pad_h and pad_w");
    expect_contains(run_here({"kernel", "s.cu", "--h", "8", "--r", "2", "--pad", "same"}).err,
                    "'padding' is one number, and the layer's pad is 0x1x0x1: let the kernel take pad_h, pad_w, "
                    "pad_extra_h and pad_extra_w");
    const Finished equal = run_here({"kernel", "s.cu", "--h", "8", "--r", "3", "--stride", "2", "--pad", "1"});
    EXPECT_EQ(equal.status, 0) << equal.err;
    EXPECT_TRUE(equal.out.starts_with("2 1 2\n")) << equal.out;
    EXPECT_EQ(run_here({"kernel", "s.cu", "--h", "8", "--r", "3", "--stride", "2,1", "--arg", "stride=2"}).status, 0);
}

TEST_F(UserKernelArguments, has_variables_of_its_file_filled_as_the_host_would) {
    write("k.cu",
          "__constant__ float kw[2][2];\n__device__ int counts[2];\nstatic __constant__ int bias;\n"
          "__device__ int twice(int a) { return 2 * a; }\n"
          "// convscope: grid = 1, block = 1, kw = iota(4), bias = 3, o = out(4)\n"
          "__global__ void k(float* o) {\n"
          "    for (int i = 0; i < 4; ++i) o[i] = kw[i / 2][i % 2] + bias;\n    counts[1] += twice(bias);\n}\n");
    write("o.npy", npy_bytes("(4,)", {3, 4, 5, 6}));
    const Finished said = run_here({"kernel", "k.cu", "--expect", "o=o.npy"});
    EXPECT_EQ(said.status, 0) << said.err;
    write("kw.npy", npy_bytes("(4,)", {3, 4, 5, 6}));
    const Finished given = run_here({"kernel", "k.cu", "--arg", "kw=kw.npy", "--arg", "bias=0", "--arg",
                                     "counts=ones(2)", "--save", "counts=counts.npy", "--expect", "o=o.npy"});
    EXPECT_EQ(given.status, 0) << given.err;
    EXPECT_EQ(read_file(path("counts.npy")).substr(128), std::string("\1\0\0\0\1\0\0\0", 8));
    EXPECT_EQ(run_here({"kernel", "k.cu", "--arg", "kw=3,4,5,6", "--arg", "bias=0", "--expect", "o=o.npy"}).status, 0);
    const Finished few = run_here({"kernel", "k.cu", "--arg", "kw=3,4"});
    EXPECT_EQ(few.status, 2);
    expect_contains(few.err, "'kw' is 4 values of float, and '3,4' has 2");
    const Finished small = run_here({"kernel", "k.cu", "--arg", "kw=random(3)"});
    EXPECT_EQ(small.status, 2);
    expect_contains(small.err, "'kw' is a variable of 16 bytes, and 'random(3)' has 12");
    EXPECT_EQ(run_here({"kernel", "k.cu", "--arg", "twice=1"}).status, 2);
}

TEST_F(UserKernelArguments, of_types_that_the_file_names_are_given_as_such) {
    for (const char* of : {"typedef double real;\n", "using real = double;\n", "#include \"real.h\"\n"}) {
        write("real.h", "typedef double real;\n");
        const std::string file =
            write("f.cu", std::string(of) +
                              "// convscope: grid = 1, block = 2, x = ones(2), a = 1.5, y = out(2)\n"
                              "extern \"C\" __global__ void f(const real* x, real a, real* y) {\n"
                              "    y[threadIdx.x] = a * x[threadIdx.x];\n}\n");
        const Finished finished = run_here({"kernel", "f.cu", "--save", "y=y.npy"});
        EXPECT_EQ(finished.status, 0) << of << finished.err;
        const double expected[] = {1.5, 1.5};
        EXPECT_EQ(read_file(path("y.npy")).substr(128),
                  std::string(reinterpret_cast<const char*>(expected), sizeof expected));
    }
}

TEST_F(UserKernelArguments, that_cannot_be_are_rejected_with_what_can) {
    const std::string file =
        write("f.cu", "// convscope: grid = 1, block = 1\n__global__ void f(float* a, float s) {}\n");
    const auto rejected = [&](std::vector<std::string> more, const std::string& sentence) {
        more.insert(more.begin(), {"kernel", file});
        expect_rejected(more, 2, sentence);
    };
    rejected({"--arg", "a=ones(1)", "--arg", "s=1e99"}, "1e99 does not fit into a parameter of type float");
    rejected({"--arg", "a=ones(1)", "--arg", "s=1", "--grid", "99999999999999999999"}, "is 1e+20, which is too large");
    rejected({"--out", "a=1:foo", "--arg", "s=1"}, "--out a: 'foo' is not accepted; give float32, float64");
    for (const char* flag : {"--save", "--expect"}) rejected({flag, "a="}, "'a=' names no file");
    rejected({"--against", ""}, "'' names no file");
    write("f.cu", "// convscope: grid = 1, block = 1, s = 1, s = 2\n__global__ void f(float* a, float s) {}\n");
    rejected({"--arg", "a=ones(1)"}, "f.cu:1: s is given twice");
}

TEST_F(UserKernelArguments, are_of_the_types_that_the_compiler_has) {
    const auto bounds_of_a = [&](const std::string& before, const std::string& type, const std::string& link = "") {
        const std::string file = write("t.cu", before + "\n" + link + "__global__ void t(const " + type +
                                                   "* a, int n) {\n    if (a[n + threadIdx.x]" +
                                                   (type.ends_with('3') || type.ends_with('4') ? ".x" : "") +
                                                   " == 77) printf(\"77\\n\");\n}\n");
        const Finished inside =
            run({"kernel", file, "--grid", "1", "--block", "8", "--arg", "a=ones(8)", "--arg", "n=0"});
        EXPECT_EQ(inside.status, 0) << type << inside.err;
        const Finished outside =
            run({"kernel", file, "--grid", "1", "--block", "8", "--arg", "a=ones(8)", "--arg", "n=1"});
        EXPECT_EQ(outside.status, 4) << type;
        expect_contains(outside.err, "thread (7,0,0) a[8]: reads; a has 8 elements");
    };
    bounds_of_a("typedef unsigned char B;", "B");
    bounds_of_a("#define T double", "T");
    bounds_of_a("namespace u { using real = short; }\nusing namespace u;", "real");
    bounds_of_a("", "unsigned long long int", "extern \"C\" ");
    bounds_of_a("#include <cstdint>", "std::uint8_t", "extern \"C\" ");
    bounds_of_a("", "uchar4");
    bounds_of_a("", "double3");
}

TEST_F(UserKernelArguments, are_rejected_where_the_type_is_not_known) {
    const std::string file = write("p.cu",
                                   "struct P { char c; int x; };\nenum E { one, two };\n"
                                   "// convscope: grid = 1, block = 8, e = 1, y = out(8)\n"
                                   "__global__ void p(const P* a, E e, int* y) {\n"
                                   "    y[threadIdx.x] = a[threadIdx.x].x + e;\n}\n");
    expect_rejected({"kernel", file, "--arg", "a=zeros(8)"}, 2,
                    "the argument a: the type of its elements is not known; say it, as in zeros(SIZE, uint8)");
    EXPECT_EQ(run({"kernel", file, "--arg", "a=zeros(64, uint8)"}).status, 0);
    expect_contains(run({"kernel", file, "--arg", "a=zeros(60, uint8)"}).err, "thread (7,0,0) a[60]: reads");
}

TEST_F(UserKernelArguments, of_structures_are_given_and_kept_by_their_members) {
    const std::string file =
        write("p.cu",
              "struct Params { int n; const float* x; float* y; };\n"
              "__global__ void p(Params p) { if (threadIdx.x < p.n) p.y[threadIdx.x] = 2 * p.x[threadIdx.x]; }\n");
    const std::vector<std::string> words{"kernel", "p.cu",  "--grid", "1",           "--block", "32",
                                         "--arg",  "p.n=4", "--arg",  "p.x=iota(4)", "--out",   "p.y=4"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return run_here(more);
    };
    write("y.npy", npy_bytes("(4,)", {0, 2, 4, 6}));
    const Finished same = with({"--expect", "p.y=y.npy", "--save", "p.y=saved.npy", "--json", "p.json"});
    EXPECT_EQ(same.status, 0) << same.err;
    EXPECT_EQ(read_file(path("saved.npy")).substr(128), read_file(path("y.npy")).substr(128));
    write("y.npy", npy_bytes("(4,)", {0, 2, 4, 7}));
    const Finished other = with({"--expect", "p.y=y.npy"});
    EXPECT_EQ(other.status, 4);
    expect_contains(other.err, "p.y[3]");
    write("against.cu",
          "struct Params { const float* x; float* y; };\n// convscope: grid = 1, block = 4\n"
          "__global__ void p(Params p) { p.y[threadIdx.x] = p.x[threadIdx.x] + p.x[threadIdx.x]; }\n");
    EXPECT_EQ(with({"--against", "against.cu"}).status, 0);
    const Finished value = with({"--save", "p.n=n.npy"});
    EXPECT_EQ(value.status, 2);
    expect_contains(value.err, "--save: the kernel has no array 'p.n'");
    expect_rejected({"kernel", file, "--grid", "1", "--block", "32", "--arg", "p.m=4"}, 2,
                    "p.m: p (Params) has no such member; it has n, x, y");
}

TEST_F(UserKernelArguments, of_variables_that_nobody_has_set_are_a_finding) {
    const std::string file = write(
        "c.cu",
        "__constant__ float w[2];\n__constant__ float zero[2] = {0, 0};\n__device__ int bias;\n"
        "__device__ int count;\n__device__ int started = 0;\n"
        "__global__ void c(const float* x, float* y) { y[threadIdx.x] = w[1] * x[threadIdx.x]; }\n"
        "__global__ void z(const float* x, float* y) { y[threadIdx.x] = zero[1] * x[threadIdx.x]; }\n"
        "__global__ void b(const float* x, float* y) { y[threadIdx.x] = bias + x[threadIdx.x] + started; }\n"
        "__global__ void n(const float* x, float* y) { y[threadIdx.x] = atomicAdd(&count, 1) + x[threadIdx.x]; }\n");
    const auto finished = [&](const std::string& entry, std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"kernel", file, "--entry", entry, "--grid", "1", "--block", "8", "--arg",
                                   "x=ones(8)", "--out", "y=8"});
        return run(more);
    };
    const Finished unset = finished("c");
    EXPECT_EQ(unset.status, 4);
    expect_contains(unset.err, "uninitialised c.cu:6 block (0,0,0) thread (0,0,0) w[1]: reads what nobody has set");
    EXPECT_EQ(finished("c", {"--arg", "w=zeros(2)"}).status, 0);
    EXPECT_EQ(finished("z").status, 0);
    expect_contains(finished("b").err, "bias[0]: reads what nobody has set");
    EXPECT_EQ(finished("b", {"--arg", "bias=3"}).status, 0);
    const Finished counted = finished("n", {"--save", "count=" + path("count.npy")});
    EXPECT_EQ(counted.status, 0) << "a variable that the kernel writes begins with zeros: " << counted.err;
    EXPECT_EQ(read_file(path("count.npy")).substr(128), std::string("\10\0\0\0", 4));
}

}  // namespace
}  // namespace convscope::testing
