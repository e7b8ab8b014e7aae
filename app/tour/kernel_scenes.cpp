#include "app/tour/scenes.h"
#include "kernels/core/preset.h"

namespace convscope::app {

void add_kernel_scenes(SceneList& list) {
    list.add("kernel-to-run", [](Shell& shell) {
        shell.session().kernel.open("");
        shell.session().view = "kernel";
    });
    const auto kernel = [](const char* exercise, std::size_t step, LineCount count) {
        return [=](Shell& shell) {
            KernelChoice& choice = shell.session().kernel;
            choice.open((preset_folder() / "exercises" / exercise).string());
            choice.step = step;
            choice.count = count;
            choice.ptx = false;
            shell.session().view = "kernel";
        };
    };
    list.add("kernel-race", kernel("16-a-race-to-find.cu", 0, LineCount::lanes));
    list.add("kernel-ptx", [kernel](Shell& shell) {
        kernel("07-tiled-matmul.cu", 0, LineCount::instructions)(shell);
        shell.session().kernel.ptx = true;
        shell.session().kernel.step = 3;
    });
    list.add("kernel-bank-conflicts", kernel("03-transpose-no-conflicts.cu", 5, LineCount::wavefronts));
}

}  // namespace convscope::app
