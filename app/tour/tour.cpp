#include "app/tour/tour.h"

#include <fmt/format.h>

#include <memory>

#include "app/desktop/app.h"
#include "app/lessons/progress.h"
#include "app/session/method_choice.h"
#include "app/session/repeat_example.h"
#include "app/tour/scene_renderer.h"
#include "kernels/core/error.h"
#include "kernels/core/preset.h"
#include "visualizers/gl/image.h"

namespace convscope::app {
namespace {

/// Shows a preset in a tab, with one element pinned.
std::function<void(Shell&)> show(const char* preset, TabId tab, std::optional<ElementRef> pin = {}) {
    return [=](Shell& shell) {
        Session& session = shell.session();
        session.help_open = session.palette_open = session.export_open = false;
        session.view = "layout";
        if (session.choices.workload.name != preset) set_workload(session, find_preset(preset).spec);
        session.tab = tab;
        session.layer.whole = false;
        if (pin) pinned(session) = pin;
    };
}

/// One of the arrays of a whole layer, with a batch of images, from afar or so near that values are printed.
std::function<void(Shell&)> whole(const char* preset, std::int64_t images, TabId tab, LayerArray array,
                                  Aggregate aggregate, std::optional<LayerMove> move = {}) {
    return [=](Shell& shell) {
        Session& session = shell.session();
        session.view = "layout";
        WorkloadSpec spec = find_preset(preset).spec;
        spec.shape.n = images;
        spec.name = "custom";
        if (tab == "pecr") spec.shape.pool_h = spec.shape.pool_w = spec.shape.pool_stride = 2;
        if (spec != session.good) set_workload(session, spec);
        session.tab = tab;
        session.layer.whole = true;
        session.layer.array[tab.index()] = array;
        session.layer.aggregate = aggregate;
        session.layer.requested = move;
    };
}

/// Steps through a method's kernel on a preset: so many steps on, with a thread chosen, beside another method's kernel
/// where one is named.
std::function<void(Shell&)> step(const char* preset, const char* method, std::size_t done, unsigned thread,
                                 const char* beside = "") {
    return [=](Shell& shell) {
        Session& session = shell.session();
        session.choices.launch.clear();
        set_workload(session, find_preset(preset).spec);
        choose_method(session, method);
        compare_steps_with(session, beside);
        session.step.marks = {};
        session.step.chosen.reset();
        for (StepSide& side : session.step.sides) {
            side.done = done;
            side.thread = thread;
        }
        session.view = "step";
    };
}

constexpr std::size_t to_the_end = static_cast<std::size_t>(-1);

/// A block that no GPU takes: the rejection is shown with its reason.
void reject_block(Shell& shell) {
    show("examples/xu-fig4", TabId("ecr"))(shell);
    Session& session = shell.session();
    session.choices.launch["ecr1"].block = Dim3{2048, 1, 1};
}

void impossible_value(Shell& shell) {
    show("examples/xu-fig4", TabId("ecr"))(shell);
    Session& session = shell.session();
    session.choices.launch.clear();
    session.choices.workload.shape.r = 9;
    edit_workload(session);
}

}  // namespace

std::vector<Scene> tour_scenes(const Registry& registry) {
    std::vector<Scene> scenes;
    auto add = [&scenes](const char* name, std::function<void(Shell&)> prepare, bool live = false,
                         const char* click = "") {
        scenes.push_back({fmt::format("{:02}-{}", scenes.size() + 1, name), std::move(prepare), live, click});
    };
    add("first-screen", [](Shell&) {});
    add("ecr-point-at-input", show("examples/xu-fig4", TabId("ecr"), ElementRef{ArrayId::x, {1, 3}}));
    add("pecr-fig7", show("examples/xu-fig7", TabId("pecr")));
    add("mec-fig2", show("examples/cho-fig1", TabId("lowering")));
    // Too many partitions for Fig. 2's letters.
    add("mec-14x14", [](Shell& shell) {
        WorkloadSpec spec;
        spec.name = "custom";
        spec.shape.h = spec.shape.w = 14;
        spec.shape.r = spec.shape.s = 3;
        spec.shape.pad_h = spec.shape.pad_w = 1;
        spec.sparsity = 0.5;
        set_workload(shell.session(), spec);
        show("custom", TabId("lowering"))(shell);
    });
    add("output", show("examples/xu-fig4", TabId("output")));
    // A dilated filter over one channel of a grouped layer.
    add("ecr-dilated", [](Shell& shell) {
        WorkloadSpec spec;
        spec.name = "custom";
        spec.shape.c = spec.shape.k = 4;
        spec.shape.groups = 2;
        spec.shape.h = spec.shape.w = 7;
        spec.shape.r = spec.shape.s = 3;
        spec.shape.dilation_h = spec.shape.dilation_w = 2;
        spec.sparsity = 0.5;
        set_workload(shell.session(), spec);
        shell.session().choices.selection = {0, 2, 3};
        show("custom", TabId("ecr"), ElementRef{ArrayId::y, {1, 1}})(shell);
    });
    add("ecr-layer", show("vgg19/conv3_2", TabId("ecr")));
    add("mec-layer", show("mec/cv6", TabId("lowering")));
    add("pecr-layer", [](Shell& shell) {
        show("vgg19/conv5_1", TabId("pecr"))(shell);
        ConvShape& shape = shell.session().choices.workload.shape;
        shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        edit_workload(shell.session());
    });
    add("pecr-without-pooling", show("vgg19/conv5_1", TabId("pecr")));
    add("layer-im2col", whole("vgg19/conv4_2", 4, TabId("lowering"), LayerArray::im2col, Aggregate::share));
    add("layer-im2col-values",
        whole("vgg19/conv4_2", 4, TabId("lowering"), LayerArray::im2col, Aggregate::share, LayerMove::values));
    add("layer-mec-L", whole("vgg19/conv4_2", 4, TabId("lowering"), LayerArray::L, Aggregate::largest));
    add("layer-ecr", whole("vgg19/conv5_1", 8, TabId("ecr"), LayerArray::F_data, Aggregate::share));
    add("layer-pecr", whole("vgg19/conv5_1", 8, TabId("pecr"), LayerArray::Index, Aggregate::mean));
    const auto beside = [](const char* preset, TabId tab, Format format, std::optional<ElementRef> pin) {
        return [=](Shell& shell) {
            show(preset, tab, pin)(shell);
            shell.session().pages.beside = format;
        };
    };
    add("ecr-beside-mec", beside("examples/xu-fig4", TabId("ecr"), Format::mec, ElementRef{ArrayId::x, {1, 3}}));
    add("ecr-beside-pecr", beside("examples/xu-fig7", TabId("ecr"), Format::pecr, ElementRef{ArrayId::y, {1, 1}}));
    add("mec-beside-ecr", beside("examples/cho-fig1", TabId("lowering"), Format::ecr, ElementRef{ArrayId::L, {1, 4}}));
    const auto solution = [](bool b, std::int64_t product) {
        return [=](Shell& shell) {
            shell.session().pages.beside.reset();
            show("examples/cho-fig1", TabId("solutions"))(shell);
            repeat_example(shell.session(), 3);
            shell.session().pages.solution = {b, product};
        };
    };
    add("mec-solution-a", solution(false, 2));
    add("mec-solution-a-copies", solution(false, 9));
    add("mec-solution-b", solution(true, 6));
    add("balance", [](Shell& shell) {
        show("vgg19/conv3_2", TabId("balance"))(shell);
        shell.session().pages.balance.block = 27;
    });
    add(
        "live",
        [](Shell& shell) {
            show("examples/xu-fig4", TabId("ecr"))(shell);
            shell.live().start(shell.session());
        },
        true);
    add(
        "live-layer",
        [](Shell& shell) {
            show("xu2022/lenet-conv2", TabId("ecr"))(shell);
            shell.live().start(shell.session());
        },
        true);
    const auto compare = [&add](const char* name, const char* session, ComparePage page, const char* scope = "",
                                const char* layer = "") {
        add(name, [=](Shell& shell) {
            shell.session().view = "compare";
            shell.session().compare = {};
            shell.session().compare.page = page;
            shell.session().compare.scope = scope;
            shell.session().compare.layer = layer;
            shell.compare().open_recorded(session);
        });
    };
    compare("compare-setup", "xu2022-scopes", ComparePage("scopes"), "setup");
    compare("compare-kernel", "xu2022-scopes", ComparePage("scopes"), "kernel");
    compare("compare-lines", "xu2022-sparsity", ComparePage("lines"));
    compare("compare-roofline", "vgg19-layers", ComparePage("roofline"));
    compare("compare-memory", "mec-cv-batch32", ComparePage("memory"));
    compare("compare-winners", "size-sparsity-map", ComparePage("winners"));
    compare("compare-layers", "vgg19-layers", ComparePage("winners"));
    compare("compare-theta", "xu2019-layers", ComparePage("theta"));
    compare("compare-table", "xu2022-layers", ComparePage("table"));
    // The same layers, methods and GPU in two sessions.
    add("compare-files", [](Shell& shell) {
        shell.session().view = "compare";
        shell.session().compare = {};
        shell.session().compare.page = "files";
        shell.compare().open_recorded("xu2022-scopes");
        shell.compare().open_recorded("xu2022-layers", true);
    });
    add("sweep-to-run", [](Shell& shell) {
        set_workload(shell.session(), find_preset("xu2022/lenet-conv2").spec);
        shell.session().view = "sweep";
    });
    add("sweep", [](Shell& shell) {
        shell.session().sweep.axes = {{SweepKind::sparsity, "", "0:0.9:0.3"}, {SweepKind::channels, "", "5,10,20"}};
        shell.session().sweep.methods.reset();
        shell.session().sweep.timeout_s = 0.1;
        shell.session().sweep.requested = SweepMove::run_or_stop;
    });
    add("sweep-speedup", [](Shell& shell) {
        shell.session().sweep.metric = SweepMetric::speedup;
        shell.session().sweep.pane = SweepPane::map;
    });
    add("sweep-launch", [&registry](Shell& shell) {
        Session& session = shell.session();
        session.sweep = {};
        // Where there is a GPU, the block sizes of ECR; else what is left to vary on a CPU.
        if (device_kind(session, registry) == DeviceKind::cuda) choose_method(session, "ecr3");
        session.sweep.requested = SweepMove::run_or_stop;
    });
    add("sweep-recorded", [](Shell& shell) {
        shell.session().view = "sweep";
        shell.sweep().show_recorded(shell.session(), "blocks-ecr3");
    });
    add("network-to-run", [](Shell& shell) { shell.session().view = "network"; });
    add(
        "network",
        [](Shell& shell) {
            shell.session().view = "network";
            shell.session().network.name = "alexnet";
            shell.session().network.timeout_s = 0.3;
            shell.live().start_network(shell.session());
        },
        true);
    // A plan, with the figures of the paper's GPU; then back to the device that the tour is on.
    const auto device = std::make_shared<std::string>();
    add("plan", [&registry, device](Shell& shell) {
        show("chang/single-28-k3", TabId("output"))(shell);
        Session& session = shell.session();
        *device = session.choices.device;
        choose_device(session, registry, "sim");
        choose_method(session, "tiled-single");
        session.choices.occupancy_model = "GTX 1080 Ti";
    });
    add("launch-rejected", [&registry, device](Shell& shell) {
        Session& session = shell.session();
        choose_device(session, registry, *device);
        choose_method(session, "");
        session.choices.occupancy_model.clear();
        reject_block(shell);
    });
    add("impossible-value", impossible_value);
    add("step-ecr1-fig4", step("examples/xu-fig4", "ecr1", 22, 1));
    add("step-breakpoints", [](Shell& shell) {
        step("examples/xu-fig4", "ecr1", 40, 1)(shell);
        StepChoice& choice = shell.session().step;
        const std::string file = "kernels/ecr/ecr1_kernel.h";
        choice.marks = {{{file, 41}, {file, 57}}, {"sum", "F_data[first + 1] * 2", "Ptr[thread]"}};
        choice.chosen = CodeLine{file, 54};
    });
    add("step-pecr1-fig7", step("examples/xu-fig7", "pecr1", 99, 1));
    add("step-pecr2-fig7", step("examples/xu-fig7", "pecr2", 48, 0));
    add("step-mec-fig2", step("examples/cho-fig1", "mec2", 6, 68));
    add("step-ecr1-beside-ecr2", step("examples/xu-fig4", "ecr1", 22, 1, "ecr2"));
    add("step-mec-beside-im2col", step("examples/cho-fig1", "mec2", 4, 37, "im2col"));
    add("step-pecr0-race", step("examples/xu-fig7", "pecr0", to_the_end, 1));
    add("kernel-to-run", [](Shell& shell) {
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
    add("kernel-race", kernel("16-a-race-to-find.cu", 0, LineCount::lanes));
    add("kernel-ptx", [kernel](Shell& shell) {
        kernel("07-tiled-matmul.cu", 0, LineCount::instructions)(shell);
        shell.session().kernel.ptx = true;
        shell.session().kernel.step = 3;
    });
    add("kernel-bank-conflicts", kernel("03-transpose-no-conflicts.cu", 5, LineCount::wavefronts));
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
    add("lessons", [begin_lesson](Shell& shell) {
        begin_lesson(shell);
        shell.session().view = "lessons";
    });
    // To leave it brings back what was before it: what the scene after it shows.
    add("lesson", [begin_lesson](Shell& shell) {
        step("examples/xu-fig4", "ecr1", 22, 1)(shell);
        shell.session().lesson.requested_lesson = begin_lesson(shell);
    });
    add("step-help", [](Shell& shell) {
        shell.session().lesson.requested = LessonMove::leave;
        step("examples/xu-fig4", "ecr1", 22, 1)(shell);
        shell.session().help_open = true;
    });
    add("help", [](Shell& shell) {
        choose_method(shell.session(), "");
        compare_steps_with(shell.session(), "");
        show("examples/xu-fig4", TabId("ecr"))(shell);
        set_workload(shell.session(), find_preset("examples/xu-fig4").spec);
        shell.session().help_open = true;
    });
    add("glossary", [](Shell& shell) {
        close_overlays(shell.session());
        shell.session().desktop_state.glossary_open = true;
    });
    add("palette", [](Shell& shell) {
        close_overlays(shell.session());
        shell.session().palette_open = true;
    });
    add("export", [](Shell& shell) {
        shell.session().palette_open = false;
        shell.session().export_open = true;
    });
    const auto nothing_open = [](Shell& shell) { shell.session().export_open = false; };
    add("session-menu", nothing_open, false, "toolbar/session");
    add("file-dialog", [](Shell& shell) {
        shell.dialogs().set_asking(Asking::own);
        shell.sessions().save_as();
    });
    add(
        "presets",
        [](Shell& shell) {
            shell.dialogs().cancel();
            shell.dialogs().set_asking(Asking::nobody);
        },
        false, "toolbar/preset");
    add("methods", nothing_open, false, "live/methods");
    add("presented", [](Shell& shell) {
        show("examples/xu-fig4", TabId("ecr"), ElementRef{ArrayId::x, {1, 3}})(shell);
        shell.session().desktop_state.presenting = true;
    });
    return scenes;
}

}  // namespace convscope::app

namespace convscope {

int run_tour(Registry& registry, const TourOptions& options) {
    using namespace app;
    std::error_code problem;
    std::filesystem::create_directories(options.out, problem);
    if (std::error_code none; !std::filesystem::is_directory(options.out, none))
        throw Error(ErrorKind::file, fmt::format("the folder '{}' cannot be made: {}", options.out.string(),
                                                 problem ? problem.message() : "a file of that name is in the way"));
    for (bool dark : {true, false}) {
        // No list is left open from the tour before.
        SceneRenderer renderer(registry,
                               {options.width, options.height, static_cast<float>(options.ui_scale), dark, {}});
        for (const Scene& scene : tour_scenes(registry)) {
            const std::string name = fmt::format("{}-{}.png", scene.name, dark ? "dark" : "light");
            gl::write_png(options.out / name, renderer.render(scene));
        }
        fmt::print("{}: {} {} screenshots, {}, {}\n", options.out.string(), tour_scenes(registry).size(),
                   dark ? "dark" : "light", renderer.describe(), renderer.shell().layouts().path());
    }
    return 0;
}

}  // namespace convscope
