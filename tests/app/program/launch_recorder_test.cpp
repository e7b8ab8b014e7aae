// Which of a program's launches are kept, to be run again one by one.
#include "app/program/recorded_launch.h"

#include <gtest/gtest.h>

#include "app/program/program_run.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

TEST(LaunchRecorder, keeps_a_hundred_launches_and_each_in_which_something_else_is_found) {
    const TempFolder folder;
    ProgramRequest request;
    request.keep = true;
    request.file = folder.write("many.cu", R"(
        __global__ void add(int* a, int n) { if (threadIdx.x < n) ++a[threadIdx.x]; }
        __global__ void make(int* had) {
            void* const made = malloc(4);
            *had = made != nullptr;
            free(made);
        }
        int main() {
            int* a = nullptr;
            cudaMalloc(&a, 32 * sizeof(int));
            cudaMemset(a, 0, 32 * sizeof(int));
            make<<<1, 1>>>(a);
            for (int i = 0; i < 101; ++i) add<<<1, 33>>>(a, 32);
            for (int i = 0; i < 2; ++i) add<<<1, 33>>>(a, 33);
            cudaDeviceSynchronize();
            return cudaFree(a);
        })");
    const ProgramRun run = run_program(request, {});
    ASSERT_EQ(run.launches.size(), 104U) << run.end.failure << run.end.output;
    EXPECT_NE(run.launches[0].left_out.find("malloc()"), std::string::npos) << run.launches[0].left_out;
    EXPECT_TRUE(run.launches[0].kept.is_null());
    const auto kept = [&](std::size_t i) {
        EXPECT_NE(run.launches[i].kept.is_null(), run.launches[i].left_out.empty()) << i;
        return !run.launches[i].kept.is_null();
    };
    for (std::size_t i = 1; i <= 100; ++i) EXPECT_TRUE(kept(i)) << i << ": " << run.launches[i].left_out;
    EXPECT_FALSE(kept(101));
    EXPECT_NE(run.launches[101].left_out.find("100 launches before it are kept"), std::string::npos)
        << run.launches[101].left_out;
    EXPECT_TRUE(kept(102)) << "a[32] is found here first: " << run.launches[102].left_out;
    EXPECT_FALSE(kept(103)) << "and again";

    EXPECT_EQ(read_recorded(run.launches[102].kept, run.memory).block, (Dim3{33, 1, 1}));
}

TEST(LaunchRecorder, says_why_it_keeps_nothing) {
    const TempFolder folder;
    ProgramRequest request;
    request.keep = true;
    request.file = folder.write("why.cu", R"(
        #include <sys/mman.h>
        #include <sys/wait.h>
        #include <unistd.h>
        __global__ void set(int* a) { a[threadIdx.x] = 1; }
        __global__ void read(cudaTextureObject_t from, int* a) { *a = tex1Dfetch<int>(from, 0); }
        int main() {
            int* a = nullptr;
            if (fork() == 0) {
                cudaMalloc(&a, 4);
                set<<<1, 1>>>(a);
                cudaDeviceSynchronize();
                _exit(cudaFree(a));
            }
            wait(nullptr);
            cudaMalloc(&a, 128);
            cudaResourceDesc resource = {};
            cudaTextureDesc texture = {};
            cudaTextureObject_t object;
            resource.resType = cudaResourceTypeLinear;
            resource.res.linear.devPtr = a;
            resource.res.linear.desc = cudaCreateChannelDesc<int>();
            resource.res.linear.sizeInBytes = 128;
            cudaCreateTextureObject(&object, &resource, &texture, nullptr);
            set<<<1, 32>>>(a);
            for (int i = 0; i < 101; ++i) read<<<1, 1>>>(object, a);
            set<<<1, 32>>>(a);
            cudaDeviceSynchronize();
            cudaDestroyTextureObject(object);
            void* mapped = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            cudaHostRegister(mapped, 4096, 0);
            munmap(mapped, 4096);
            set<<<1, 32>>>(a);
            cudaDeviceSynchronize();
            return cudaFree(a);
        })");
    const ProgramRun run = run_program(request, {});
    ASSERT_EQ(run.launches.size(), 105U) << run.summary() << run.end.output;
    EXPECT_EQ(run.end.signal, 0) << run.summary();
    EXPECT_EQ(run.launches[0].left_out, "a copy of the program's process launched it");
    EXPECT_EQ(run.launches[1].left_out, "") << "it reads no texture";
    EXPECT_EQ(run.launches[2].left_out, "it reads textures or surfaces, which are not kept");
    EXPECT_EQ(run.launches[103].left_out, "") << "what is not kept takes no room";
    EXPECT_EQ(run.launches[104].left_out, "memory that cudaHostRegister was given is there no longer");
}

}  // namespace
}  // namespace convscope::app
