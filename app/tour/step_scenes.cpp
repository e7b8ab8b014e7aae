#include <limits>

#include "app/tour/scenes.h"

namespace convscope::app {

void add_step_scenes(SceneList& list) {
    constexpr std::size_t to_the_end = std::numeric_limits<std::size_t>::max();
    list.add("step-ecr1-fig4", show_step("examples/xu-fig4", "ecr1", 22, 1));
    list.add("step-breakpoints", [](Shell& shell) {
        show_step("examples/xu-fig4", "ecr1", 40, 1)(shell);
        StepChoice& choice = shell.session().step;
        const std::string file = "kernels/ecr/ecr1_kernel.h";
        choice.marks = {{{file, 41}, {file, 57}}, {"sum", "F_data[first + 1] * 2", "Ptr[thread]"}};
        shell.session().line.at = CodeLine{file, 54};
    });
    list.add("step-pecr1-fig7", show_step("examples/xu-fig7", "pecr1", 99, 1));
    list.add("step-pecr2-fig7", show_step("examples/xu-fig7", "pecr2", 48, 0));
    list.add("step-mec-fig2", show_step("examples/cho-fig1", "mec2", 6, 68));
    list.add("step-ecr1-beside-ecr2", show_step("examples/xu-fig4", "ecr1", 22, 1, "ecr2"));
    list.add("step-mec-beside-im2col", show_step("examples/cho-fig1", "mec2", 4, 37, "im2col"));
    list.add("step-pecr0-race", show_step("examples/xu-fig7", "pecr0", to_the_end, 1));
}

}  // namespace convscope::app
