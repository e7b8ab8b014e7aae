#include "kernels/ptx/toolchain/sass.h"

#include <gtest/gtest.h>

#include "kernels/files/text_file.h"
#include "kernels/ptx/toolchain/compile.h"

namespace convscope::ptx {
namespace {

// As 'nvdisasm -c -gi' of CUDA 12 and 13 writes it.
constexpr const char* said = R"sass(	.headerflags	@"EF_CUDA_SM80 EF_CUDA_PTX_SM(EF_CUDA_SM80)"

//--------------------- .text.other               --------------------------
	.section	.text.other,"ax",@progbits
	.align	128
        .global         other
.text.other:
	//## File "/tmp/a.cu", line 90
        /*0000*/                   EXIT ;

//--------------------- .text.add                 --------------------------
	.section	.text.add,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=12"
	.align	128
        .global         add
        .type           add,@function
add:
.text.add:
	//## File "/tmp/a.cu", line 7
        /*0000*/                   MOV R1, c[0x0][0x28] ;
        /*0010*/                   S2R R4, SR_CTAID.X ;
	//## File "/tmp/b.h", line 43 inlined at "/tmp/a.cu", line 8
	//## File "/tmp/a.cu", line 8
        /*0020*/              @!P0 BRA `(.L_x_1) ;                    /* 0x000000d000008947 */
.L_x_1:
        /*0030*/                   EXIT ;
.L_x_2:
        /*0040*/                   BRA `(.L_x_2);
)sass";

TEST(Sass, has_the_instructions_of_the_kernel_with_their_lines) {
    const std::vector<SassLine> lines = read_sass(said, "add");
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_EQ(lines[0].text, "0000  MOV R1, c[0x0][0x28] ;");
    ASSERT_EQ(lines[1].places.size(), 1U);
    EXPECT_EQ(lines[1].places[0].file, "/tmp/a.cu");
    EXPECT_EQ(lines[1].places[0].line, 7U);
    EXPECT_EQ(lines[2].text, "0020  @!P0 BRA `(.L_x_1) ;") << "without its encoding";
    ASSERT_EQ(lines[2].places.size(), 2U);
    EXPECT_EQ(lines[2].places[0].file, "/tmp/b.h");
    EXPECT_EQ(lines[2].places[0].line, 43U);
    EXPECT_EQ(lines[2].places[1].line, 8U);
    EXPECT_EQ(lines[3].text, ".L_x_1:");
    EXPECT_TRUE(lines[3].places.empty());
    EXPECT_EQ(lines[4].places.size(), 2U);
    EXPECT_EQ(lines[6].text, "0040  BRA `(.L_x_2);");
    EXPECT_EQ(read_sass(said, "other").size(), 1U);
    EXPECT_TRUE(read_sass(said, "ad").empty());
    EXPECT_TRUE(read_sass("nvdisasm fatal   : Memory allocation failure", "add").empty());
}

TEST(Sass, is_of_the_gpu_that_it_is_for) {
    const std::string text = read_text_file(CONVSCOPE_SAMPLES "/reduce.ptx");
    const auto plain = assemble({text, "reduce"});
    if (!plain) GTEST_SKIP() << "there is no ptxas";
    EXPECT_EQ(plain->target, "sm_80");
    EXPECT_GT(plain->registers, 0);
    EXPECT_TRUE(plain->sass.empty()) << "nobody wanted it";
    EXPECT_EQ(assemble({text, "reduce", "90a"})->target, "sm_90a");
    EXPECT_EQ(assemble({text, "reduce", "75"})->target, "sm_80") << "an older GPU cannot have it";
    EXPECT_FALSE(assemble({"nothing", "reduce"}));
    if (!why_no_sass().empty()) GTEST_SKIP() << why_no_sass();
    const auto with_sass = assemble({text, "reduce", "", true});
    ASSERT_FALSE(with_sass->sass.empty());
    EXPECT_NE(with_sass->sass.front().places.front().file.find("reduce.cu"), std::string::npos);
}

}  // namespace
}  // namespace convscope::ptx
