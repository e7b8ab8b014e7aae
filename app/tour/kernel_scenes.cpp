#include <memory>
#include <string>

#include "app/tour/scenes.h"
#include "app/user_kernel/exercise.h"
#include "kernels/core/text.h"
#include "kernels/files/preset_folder.h"
#include "kernels/files/temporary_folder.h"
#include "kernels/files/text_file.h"
#include "kernels/layers/preset.h"
#include "kernels/registry/compiled_methods.h"

namespace convscope::app {
namespace {

using StudentsText = std::string (*)(const Exercise&);

std::string begun(const Exercise& exercise) {
    return exercise.start;
}

std::string solved(const Exercise& exercise) {
    return exercise.solution;
}

/// The mistake that most make first: the last block's spare threads write beyond the arrays.
std::string without_the_condition(const Exercise& vector_add) {
    return replaced(replaced(vector_add.solution, "if (i < n) ", ""), ", solved.", ".");
}

/// Its second kernel has no test for the last block; the copy takes more than there is, and d_y is never freed.
constexpr const char* program = R"(#include <cstdio>
#include <vector>

__global__ void iota(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

__global__ void scale(const float *x, float *y, float by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = by * x[i];
}

int main()
{
    const int n = 1000;
    std::vector<float> y(1024);
    float *d_x, *d_y;
    cudaMalloc(&d_x, 1024 * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    iota<<<4, 256>>>(d_x, 1024);
    scale<<<4, 256>>>(d_x, d_y, 0.5f);
    cudaMemcpy(y.data(), d_y, 1024 * sizeof(float), cudaMemcpyDeviceToHost);
    printf("y[10] = %g\n", y[10]);
    cudaFree(d_x);
}
)";

}  // namespace

void add_kernel_scenes(SceneList& list) {
    list.add("kernel-to-run", [](Shell& shell) {
        shell.session().kernel.open("");
        shell.session().view = "kernel";
    });
    // As a student has it, who has written this so far, without touching the user's own file.
    const auto kernel = [](const char* id, std::size_t step, LineCount count, StudentsText text = begun) {
        return [=, folder = std::make_shared<TemporaryFolder>()](Shell& shell) {
            const Exercise exercise = read_exercise(preset_folder() / "exercises" / (std::string(id) + ".cu"));
            const std::filesystem::path file = *folder / (exercise.id + ".cu").c_str();
            write_text_file(file, text(exercise));
            open_kernel_file(shell.session(), file.string());
            KernelChoice& choice = shell.session().kernel;
            choice.step = step;
            choice.count = count;
            choice.ptx = false;
            shell.session().view = "kernel";
        };
    };
    list.add("exercise-begun", kernel("01-vector-add", 0, LineCount::lanes));
    list.add("exercise-mistake", kernel("01-vector-add", 0, LineCount::lanes, without_the_condition));
    list.add("exercise-solved", kernel("01-vector-add", 1, LineCount::lanes, solved));
    list.add("kernel-race", kernel("16-a-race-to-find", 0, LineCount::lanes));
    list.add("kernel-program", [folder = std::make_shared<TemporaryFolder>()](Shell& shell) {
        const std::filesystem::path file = *folder / "scale.cu";
        write_text_file(file, program);
        shell.drop({file});
        shell.session().kernel.ptx = false;
        shell.session().kernel.step = 2;
    });
    list.add("kernel-ptx", [open = kernel("07-tiled-matmul", 0, LineCount::instructions)](Shell& shell) {
        open(shell);
        shell.session().kernel.ptx = true;
        shell.session().kernel.step = 3;
    });
    if (compiled_methods())
        list.add("kernel-method", [](Shell& shell) {
            Session& session = shell.session();
            session.kernel.open_method("union1");
            session.kernel.count = LineCount::instructions;
            session.kernel.ptx = false;
            session.kernel.step = 30;
            WorkloadSpec layer;
            layer.name = "custom";
            layer.shape = {.c = 64, .h = 14, .w = 14, .k = 64, .r = 3, .s = 3, .pad_h = 1, .pad_w = 1};
            layer.source = Source::channels;
            layer.sparsity = 0.5;
            set_workload(session, layer);
            session.view = "kernel";
        });
    list.add("kernel-bank-conflicts", kernel("03-transpose-no-conflicts", 5, LineCount::wavefronts));
}

}  // namespace convscope::app
