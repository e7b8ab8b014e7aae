#include "app/lessons/progress.h"
#include "app/tour/scenes.h"

namespace convscope::app {

void add_lesson_scenes(SceneList& list, const Registry& registry) {
    // The first of them, with its first question answered wrong.
    const auto begin_lesson = [&registry](Shell& shell) {
        for (const lessons::ReadLesson& each : shell.lessons().lessons(registry)) {
            if (!each.good() || each.lesson.steps.size() < 2) continue;
            lessons::LessonProgress progress;
            progress.step = 1;
            for (const lessons::Block& block : each.lesson.steps[1].blocks)
                if (const auto* ask = std::get_if<lessons::Ask>(&block); ask && progress.answers.empty())
                    progress.answers[ask->key] = {"225", false, false, "The filter has to lie inside the map: **81**."};
            shell.lessons().put_progress(each.lesson.id, progress);
            return each.lesson.id;
        }
        return std::string();
    };
    list.add("lessons", [begin_lesson](Shell& shell) {
        begin_lesson(shell);
        shell.session().view = "lessons";
    });
    // To leave it brings back what was before it: what the scene after it shows.
    list.add("lesson", [begin_lesson](Shell& shell) {
        show_step("examples/xu-fig4", "ecr1", 22, 1)(shell);
        shell.session().lesson.requested_lesson = begin_lesson(shell);
    });
    list.add("step-help", [](Shell& shell) {
        shell.session().lesson.requested = LessonMove::leave;
        show_step("examples/xu-fig4", "ecr1", 22, 1)(shell);
        shell.session().desktop_state.overlay = Overlay::help;
    });
}

}  // namespace convscope::app
