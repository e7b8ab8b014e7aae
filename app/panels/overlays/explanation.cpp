#include "app/panels/overlays/explanation.h"

namespace convscope::app {
namespace {

Explanation explain_layout(Tab tab) {
    switch (tab) {
        case Tab::ecr:
            return {
                "ECR: extended and compressed rows (Xu 2019, Algorithm 1)",
                "Each block takes one row of windows (a block row), each thread one window. A thread walks its "
                "window over the map and copies the values that are not zero into F_data, the weights that they "
                "meet into K_data, and their number into Ptr. Multiplying is then a short sum over Ptr products: "
                "the zeros are never touched. Point at a cell to see which window, thread and output it belongs to; "
                "click to keep it lit."};
        case Tab::pecr:
            return {"PECR: pooling packed with ECR (Xu 2019, Algorithm 3)",
                    "Convolution, ReLU and max-pooling in one pass. Data holds the non-zero values of every "
                    "convolution window that one pooling window needs, Index where in the filter each belongs, Count "
                    "how many each window has. The pooled result is the largest of the sums, and the convolution "
                    "output never goes to memory."};
        case Tab::lowering:
            return {"MEC and im2col: lowering to a matrix product (Cho & Brand 2017, Figs. 1-2)",
                    "im2col copies every window into a row: an input value is stored up to r x s times. MEC "
                    "copies only strips of the map, one per output column, into L. A window is then a part of a row of "
                    "L, and neighbouring output rows share most of it: partitions P, Q, R... of L overlap. Point at a "
                    "value "
                    "to see all its copies in both."};
        case Tab::output:
            return {"Output: what the layer returns",
                    "Every output is the sum of one window times the filter. Point at an output to light up its "
                    "window; point at "
                    "an input to light up every output that it reaches."};
        case Tab::solutions:
            return {
                "Solutions A and B: which matrices MEC multiplies (Cho & Brand 2017, Fig. 3)",
                "Both multiply partitions of L by the filters. Solution A takes the whole batch at once: one product "
                "for each output row, with a row of the output for every image; the result lies in the order h, n, w "
                "and is copied into n, h, w, with L as the room for it. Solution B takes each image by itself: "
                "smaller products, one for each image and output row, whose results lie where they belong. The "
                "arrow keys step through the products; Algorithm 2 chooses by o_w, T and the sizes of O and L."};
        case Tab::balance:
            return {
                "Balance: what the zeros do to the threads (Xu 2019, Figs. 2 and 4)",
                "ECR gives each thread the products of its own windows, and Ptr counts them. A warp takes as long as "
                "its busiest thread, so the lanes of the others wait: that share is the imbalance. Below, how many "
                "zeros the map holds and how many its im2col matrix: copying multiplies the zeros of the middle more "
                "often than those of the edge, and padding adds some."};
    }
    return {"", ""};
}

}  // namespace

Explanation explain(const Session& session) {
    switch (session.view) {
        case View::layout:
            return explain_layout(session.tab);
        case View::step:
            return {"Step: what a kernel does, one instruction of one warp at a time",
                    "The kernel's own source runs on the simulated GPU, every access watched; no GPU is needed. Pick a "
                    "block and a thread at the top. In each step the lit line is run by the active lanes of one warp: "
                    "the element that your thread reads is outlined in the accent colour, the one that it writes is "
                    "filled, those of other lanes have the lanes' colours. Below, the 32 lanes with what each loaded, "
                    "stored or computed, and why the others are idle; and the memory request they made: the 32-byte "
                    "sectors that move, or the banks of shared memory, a row for each pass. 'beside' adds a second "
                    "kernel on the same workload, stepped together with the first."};
        case View::compare:
            return {
                "Compare: what records show",
                "Records come from recorded sessions, from CSV and JSON files (drop them on the window) or from this "
                "run. What is timed: one switch says what is inside the clock, and the speed-up over the vendor "
                "changes with it; the bars show where the time goes. Roofline counts only work that was done. Who "
                "wins: the fastest method over two axes, and where a method overtakes the vendor. Click a point to "
                "load its layer and launch configuration; Shift and a drag choose rows; right click saves a plot "
                "or copies the command line that measures its rows again."};
        case View::sweep:
            return {
                "Sweep: one layer at many points, and which is best",
                "Every combination of the axes' values is measured with the engine of 'convscope sweep', each result "
                "verified first. What cannot run stays as a cross or a hatched cell that says why. Lines have their "
                "quartiles as a band; the map shows two axes at once; below, predicted occupancy beside the measured "
                "time, and every point as a line over all axes. Point to read a mark, click to load it into the "
                "panels, Shift and a drag to brush: the same points are lit in every plot. The best point is ringed, "
                "with its interval; those that cannot be told from it are ringed faintly. Right click saves a plot "
                "or copies the command line."};
        case View::network:
            return {
                "Network: every layer of a network, and what it comes to",
                "Each row is a convolution with the pooling that follows it, each bar the median time of a ticked "
                "method, verified before it is timed; the vendor's best is neutral. OCPA takes PECR where pooling "
                "follows and ECR elsewhere; what it took stands at the end of the row, with how often as fast as the "
                "vendor it is. A ratio over the network compares the layers that both ran. Click a layer to load it."};
        case View::lessons:
            return {
                "Lessons: read beside the live views, answer, and see",
                "A lesson takes the column on the right and drives the views, which stay yours to use. Questions are "
                "answered from what is on screen, never from a table; a prediction is taken first, then the app does "
                "it and compares. Tasks tick themselves when they are done. 'my layer' puts the layer that you had "
                "before into the lesson. Leaving gives your own session back as it was; what you have done is "
                "remembered. Lessons are plain Markdown files: drop one of your own on the window."};
    }
    return {"", ""};
}

}  // namespace convscope::app
