#include "app/session/repeat_example.h"
#include "app/tour/scenes.h"
#include "kernels/layers/preset.h"

namespace convscope::app {
namespace {

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
        session.requested.layer = move;
    };
}

}  // namespace

void add_layout_scenes(SceneList& list) {
    list.add("first-screen", [](Shell&) {});
    list.add("ecr-point-at-input", show_layout("examples/xu-fig4", TabId("ecr"), ElementRef{ArrayId::x, {1, 3}}));
    list.add("pecr-fig7", show_layout("examples/xu-fig7", TabId("pecr")));
    list.add("mec-fig2", show_layout("examples/cho-fig1", TabId("lowering")));
    // Too many partitions for Fig. 2's letters.
    list.add("mec-14x14", [](Shell& shell) {
        WorkloadSpec spec;
        spec.name = "custom";
        spec.shape.h = spec.shape.w = 14;
        spec.shape.r = spec.shape.s = 3;
        spec.shape.pad_h = spec.shape.pad_w = 1;
        spec.sparsity = 0.5;
        set_workload(shell.session(), spec);
        show_layout("custom", TabId("lowering"))(shell);
    });
    list.add("output", show_layout("examples/xu-fig4", TabId("output")));
    // A dilated filter over one channel of a grouped layer.
    list.add("ecr-dilated", [](Shell& shell) {
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
        show_layout("custom", TabId("ecr"), ElementRef{ArrayId::y, {1, 1}})(shell);
    });
    list.add("ecr-layer", show_layout("vgg19/conv3_2", TabId("ecr")));
    list.add("mec-layer", show_layout("mec/cv6", TabId("lowering")));
    list.add("pecr-layer", [](Shell& shell) {
        show_layout("vgg19/conv5_1", TabId("pecr"))(shell);
        ConvShape& shape = shell.session().choices.workload.shape;
        shape.pool_h = shape.pool_w = shape.pool_stride = 2;
        edit_workload(shell.session());
    });
    list.add("pecr-without-pooling", show_layout("vgg19/conv5_1", TabId("pecr")));
    list.add("layer-im2col", whole("vgg19/conv4_2", 4, TabId("lowering"), LayerArray::im2col, Aggregate::share));
    list.add("layer-im2col-values",
             whole("vgg19/conv4_2", 4, TabId("lowering"), LayerArray::im2col, Aggregate::share, LayerMove::values));
    list.add("layer-mec-L", whole("vgg19/conv4_2", 4, TabId("lowering"), LayerArray::L, Aggregate::largest));
    list.add("layer-ecr", whole("vgg19/conv5_1", 8, TabId("ecr"), LayerArray::F_data, Aggregate::share));
    list.add("layer-pecr", whole("vgg19/conv5_1", 8, TabId("pecr"), LayerArray::Index, Aggregate::mean));
    list.add("layer-maps", [](Shell& shell) {
        show_layout("shapes/conv4", TabId("ecr"))(shell);
        Session& session = shell.session();
        session.layer.whole = true;
        session.layer.array[session.tab.index()] = LayerArray::x;
    });
    list.add("ecr-real-map", [](Shell& shell) {
        shell.session().layer.whole = false;
        show_layout("shapes/conv5", TabId("ecr"))(shell);
    });
    const auto companion = [](const char* preset, TabId tab, Format format, std::optional<ElementRef> pin) {
        return [=](Shell& shell) {
            show_layout(preset, tab, pin)(shell);
            shell.session().pages.companion = format;
        };
    };
    list.add("ecr-beside-mec",
             companion("examples/xu-fig4", TabId("ecr"), Format::mec, ElementRef{ArrayId::x, {1, 3}}));
    list.add("ecr-beside-pecr",
             companion("examples/xu-fig7", TabId("ecr"), Format::pecr, ElementRef{ArrayId::y, {1, 1}}));
    list.add("mec-beside-ecr",
             companion("examples/cho-fig1", TabId("lowering"), Format::ecr, ElementRef{ArrayId::L, {1, 4}}));
    const auto solution = [](bool b, std::int64_t product) {
        return [=](Shell& shell) {
            shell.session().pages.companion.reset();
            show_layout("examples/cho-fig1", TabId("solutions"))(shell);
            repeat_example(shell.session(), 3);
            shell.session().pages.solution = {b, product};
        };
    };
    list.add("mec-solution-a", solution(false, 2));
    list.add("mec-solution-a-copies", solution(false, 9));
    list.add("mec-solution-b", solution(true, 6));
    list.add("balance", [](Shell& shell) {
        show_layout("vgg19/conv3_2", TabId("balance"))(shell);
        shell.session().pages.block = 27;
    });
    const auto formats = [](MatrixOf of, const char* format) {
        return [=](Shell& shell) {
            show_layout("examples/xu-fig4", TabId("formats"))(shell);
            shell.session().pages.formats = {of, format, {}, false};
        };
    };
    list.add("formats", formats(MatrixOf::x, ""), false, "formats/csr/2/3");
    list.add("formats-bsr", formats(MatrixOf::im2col, "bsr"), false, "formats/bsr/2/6");
    list.add("formats-2-4", formats(MatrixOf::x, "2:4"), false, "formats/2:4/0/1");
    list.add(
        "formats-two",
        [](Shell& shell) {
            show_layout("examples/xu-fig4", TabId("formats"))(shell);
            shell.session().pages.formats = {MatrixOf::x, "csr", "bsr", false};
        },
        false, "formats/csr/2/3");
    list.add(
        "formats-whole",
        [](Shell& shell) {
            show_layout("resnet8/block2_conv1", TabId("formats"))(shell);
            shell.session().pages.formats = {MatrixOf::x, "csr", "bitmap", true};
        },
        false, "whole/0/0");
    // In the middle of a multiplication: products on their way, those with a zero input falling.
    const auto multiply = [](const char* preset, TabId tab, Cell y, double held) {
        return [=](Shell& shell) {
            show_layout(preset, tab)(shell);
            shell.session().multiplication = {y, false, held};
        };
    };
    list.add("ecr-multiply", multiply("examples/xu-fig4", TabId("ecr"), {0, 1}, 0.21));
    list.add("pecr-multiply", multiply("examples/xu-fig7", TabId("pecr"), {0, 0}, 0.69));
    list.add(
        "live",
        [](Shell& shell) {
            show_layout("examples/xu-fig4", TabId("ecr"))(shell);
            shell.live().start(shell.session());
        },
        true);
    list.add(
        "live-layer",
        [](Shell& shell) {
            show_layout("xu2022/lenet-conv2", TabId("ecr"))(shell);
            shell.live().start(shell.session());
        },
        true);
}

}  // namespace convscope::app
